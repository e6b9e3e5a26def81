// Seed 002, sections 1, 5, 6 and 7: the folders, settings and front matter that are drawn there, as files.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { makePlace } from '../../support/place.ts';
import { readAnswer } from '../../support/rule-support.ts';

/** Section 4.1: every field, with a list of tools; section 4.2: the six parts of a body. */
const BODY = `# Monthly figures

## Goal
One page of figures.

## IO Contract
In: a CSV file. Out: a page.

## Steps
1. Read reference/kpi.md.
2. Run scripts/aggregate.py.

## Failure Modes
No file: say so.

## Checklist
- The sum is there.

## Resources
- reference/kpi.md
- scripts/aggregate.py
- assets/logo.txt
`;

/** The same parts, headed as the seed writes them. */
const HEADINGS = [
  '目标（Goal）',
  '输入输出（IO Contract）',
  '步骤（Steps，编号）',
  '失败处理（Failure Modes）',
  '自检/验收（Checklist）',
  '资源索引（Resources）',
];

function skill(name: string, fields: string, body = BODY): string {
  return `---\nname: ${name}\ndescription: Sums up a month. Use for monthly figures.\n${fields}---\n${body}`;
}

const ALL_FIELDS = `version: "1.2.0"
author: figures team
disable-model-invocation: false
user-invocable: true
allowed-tools: ["read_file","grep","run_script"]
run-mode: inline
`;

/** Section 3.1, and section 3.3 with a model that no project may choose. */
const TREE = {
  'project/.agent/skills/kpi-report/SKILL.md': skill('kpi-report', ALL_FIELDS),
  'project/.agent/skills/kpi-report/scripts/aggregate.py': 'print(7)\n',
  'project/.agent/skills/kpi-report/reference/kpi.md': '# KPI\n',
  'project/.agent/skills/kpi-report/assets/logo.txt': 'logo\n',
  'project/.agent/skills/acme/notes/SKILL.md': skill(
    'notes',
    'disable-model-invocation: true\nallowed-tools: read_file, grep\nrun-mode: subagent\n',
  ),
  'project/.agent/skills/csv-insights/SKILL.md': skill('csv-insights', 'user-invocable: false\n'),
  'project/.agent/config.json': `{
  "skill_roots": [".agent/skills", "~/.agent/skills"],
  "model": { "provider": "mock", "params": { "temperature": 0 } },
  "execution": { "require_approval_for": ["write_file","run_script","network"] },
  "security": { "max_skill_body_lines": 500, "block_angle_brackets_in_frontmatter": true }
}
`,
  'project/.agent/evals/figures.json': '{"input": "x", "expected": {}}\n',
  'project/docs/agent-skills.md': '# Skills here\n',
  'home/.agent/skills/kpi-report/SKILL.md': skill('kpi-report', 'version: "1.0.0"\n'),
  'home/.agent/skills/diary/SKILL.md': skill('diary', ''),
};

type Entry = Record<string, unknown> & { readonly controls: Record<string, unknown> };

test('seed 002, sections 1.1, 5/3.1, 5/3.2, 5/3.3, 6/4.1 and 7/5.1: tree, roots, settings and index entries as they are drawn', async (t) => {
  const place = makePlace(t, TREE);
  const [listed, above, ofUser, builtin, inside] = await Promise.all([
    place.run('list', '--all', '--json'),
    place.run('inspect', 'kpi-report', '--json'),
    place.run('inspect', 'kpi-report', '--source', 'user', '--json'),
    place.run('inspect', 'csv-insights', '--source', 'builtin', '--json'),
    place.run('inspect', 'acme/notes', '--json'),
  ]);
  // Line 3 of the settings is the one a project may not decide; the others raise no finding.
  assert.deepEqual(listed.stderr.match(/config\.json:\d+/g), ['config.json:3', 'config.json:3'], listed.stderr);

  const entries = readAnswer(listed).data.skills as Entry[];
  const found = new Map(entries.map((entry) => [String(entry.skill_id), entry]));
  const state = (id: string) => found.get(id)?.state;
  assert.deepEqual(
    [state('project:kpi-report@1.2.0'), state('user:kpi-report@1.0.0'), state('user:diary')],
    ['visible', 'shadowed', 'visible'],
  );
  assert.deepEqual([state('project:csv-insights'), state('builtin:csv-insights@1.0.0')], ['visible', 'shadowed']);
  const { name, description, source, path: file, controls } = found.get('project:kpi-report@1.2.0') ?? { controls: {} };
  assert.deepEqual([name, description, source], ['kpi-report', 'Sums up a month. Use for monthly figures.', 'project']);
  assert.equal(file, path.join(place.cwd, '.agent/skills/kpi-report/SKILL.md'));
  assert.deepEqual(
    [controls.disable_model_invocation, controls.user_invocable, controls.run_mode, toolsOf(controls)],
    [false, true, 'inline', ['read_file', 'grep', 'run_script']],
  );
  assert.equal(found.get('project:csv-insights')?.controls.user_invocable, false);

  const { manifest, resources } = readAnswer(above).data as Record<string, Record<string, unknown>>;
  assert.deepEqual([manifest?.version, manifest?.author], ['1.2.0', 'figures team']);
  assert.partialDeepStrictEqual(resources, {
    scripts: ['scripts/aggregate.py'],
    reference: ['reference/kpi.md'],
    assets: ['assets/logo.txt'],
  });
  assert.equal(readAnswer(ofUser).summary, 'user:kpi-report@1.0.0');
  assert.equal(readAnswer(builtin).summary, 'builtin:csv-insights@1.0.0');
  const notes = (readAnswer(inside).data as { skill: Entry }).skill;
  assert.deepEqual(
    [notes.folder_name, notes.controls.disable_model_invocation, notes.controls.run_mode, toolsOf(notes.controls)],
    ['acme/notes', true, 'subagent', ['read_file', 'grep']],
  );
});

test('seed 002, sections 6/4.1, 6/4.2 and 7/5.2: the strict profile takes the drawn SKILL.md, and refuses signs, nesting and a long body', async (t) => {
  const long = `${BODY}${'one more line\n'.repeat(500)}`;
  const place = makePlace(t, {
    'project/skills/drawn/SKILL.md': skill('drawn', ALL_FIELDS),
    'project/skills/drawn/reference/kpi.md': '# KPI\n',
    'project/skills/drawn/scripts/aggregate.py': 'print(7)\n',
    'project/skills/drawn/assets/logo.txt': 'logo\n',
    'project/skills/headings/SKILL.md': skill(
      'headings',
      '',
      HEADINGS.map((title) => `## ${title}\n1. x\n`).join('\n'),
    ),
    'project/skills/signs/SKILL.md': skill('signs', 'author: a <team>\n'),
    'project/skills/nested/SKILL.md': skill('nested', 'metadata:\n  owner:\n    team: figures\n'),
    'project/skills/long/SKILL.md': skill('long', '', long),
    'project/skills/bare/SKILL.md': skill('bare', '', '# Bare\n\n## Goal\nx\n'),
  });
  const said = readAnswer(await place.run('validate', 'skills', '--profile', 'strict', '--json'));
  const results = said.data.results as {
    path: string;
    ok: boolean;
    diagnostics: { code: string; message: string }[];
  }[];
  const about = Object.fromEntries(
    results.map(({ path: file, ok, diagnostics }) => [
      path.basename(path.dirname(file)),
      [ok, ...diagnostics.map(({ code }) => code)].join(' '),
    ]),
  );
  assert.deepEqual(about, {
    drawn: 'true',
    headings: 'true',
    signs: 'false strict-angle-bracket',
    nested: 'false strict-nesting',
    long: 'false body-long',
    bare: 'true section-missing',
  });
  const [absent] = results.find(({ path: file }) => file.endsWith('/bare/SKILL.md'))?.diagnostics ?? [];
  assert.match(absent?.message ?? '', /IO Contract, Steps, Failure Modes, Checklist, Resources/);
});

function toolsOf({ allowed_tools }: Record<string, unknown>): string[] {
  return (allowed_tools as { tool: string }[]).map(({ tool }) => tool);
}
