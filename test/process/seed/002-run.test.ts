// Seed 002, sections 4, 5, 8 and 9: one project set up as the seed draws it, and one run through all of its diagrams.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { AuditRecord } from '../../../src/audit/event.ts';
import { readRecords } from '../../../src/audit/verify.ts';
import { readText } from '../../support/agent-support.ts';
import { makePlace } from '../../support/place.ts';
import { readAnswer } from '../../support/rule-support.ts';

/** Section 3.3: each field of the settings with the value shown there. */
const SETTINGS = {
  skill_roots: ['.agent/skills', '~/.agent/skills'],
  model: { provider: 'mock', params: { script: 'decisions.json' } },
  execution: { require_approval_for: ['write_file', 'run_script', 'network'] },
  security: { max_skill_body_lines: 500, block_angle_brackets_in_frontmatter: true },
};

/** Section 4.3. */
const PLAN = {
  goal: '写出月报',
  steps: [
    { id: 's1', title: '挑选技能', status: 'pending' },
    { id: 's2', title: '读资料、算数字', status: 'pending' },
    { id: 's3', title: '核对后作答', status: 'pending' },
  ],
  assumptions: [],
  constraints: { max_turns: 12, max_tool_calls: 30 },
};

/** Section 6.2, and a plan that is replaced at first and patched later. */
const SKILL = { name: 'kpi-report', source: 'project' };
const DECISIONS = [
  {
    plan_update: { mode: 'replace', plan: PLAN },
    action: { type: 'select_skills', skills: [SKILL], reason: 'it knows the figures' },
  },
  {
    plan_update: { mode: 'patch', ops: [{ op: 'set', path: '/steps/s1/status', value: 'completed' }] },
    action: {
      type: 'load_resource',
      skill: SKILL,
      relative_path: 'reference/kpi.md',
      section_hint: '## 指标定义',
    },
  },
  {
    plan_update: { mode: 'patch', ops: [{ op: 'set', path: '/steps/s2/status', value: 'in_progress' }] },
    action: {
      type: 'run_script',
      skill: SKILL,
      relative_path: 'scripts/aggregate.py',
      args: ['--input', 'sales.csv'],
    },
  },
  { action: { type: 'final_answer', content: 'sold: 7' } },
];

const skillText = (body: string) =>
  `---\nname: kpi-report\ndescription: Sums up a month.\nallowed-tools: ["read_file","grep","run_script"]\n---\n${body}\n`;

const FILES = {
  'project/.agent/config.json': JSON.stringify(SETTINGS, null, 2),
  'project/.agent/skills/kpi-report/SKILL.md': skillText('BODY-OF-THE-PROJECT'),
  'project/.agent/skills/kpi-report/reference/kpi.md': '# KPI\n\n## 指标定义\nDEFINITIONS\n\n## 历史\nHISTORY\n',
  'project/.agent/skills/kpi-report/scripts/aggregate.py': 'import sys\nprint("PRINTED", *sys.argv[1:])\n# SOURCE\n',
  'project/.agent/skills/kpi-report/assets/logo.txt': 'LOGO',
  'project/.agent/skills/untouched/SKILL.md': '---\nname: untouched\ndescription: Idle.\n---\nBODY-NOBODY-ASKED-FOR\n',
  'project/decisions.json': JSON.stringify(DECISIONS),
  'home/.agent/config.json': JSON.stringify(SETTINGS),
  'home/.agent/skills/kpi-report/SKILL.md': skillText('BODY-OF-THE-USER'),
};

test('seed 002, sections 4.2, 4.3, 4.4, 5/3.3, 8/6.2, 9/7.3 and 9/7.4: one run by settings, plan, actions and diagrams of the seed', async (t) => {
  const place = makePlace(t, FILES);
  const stopped = readAnswer(await place.run('run', '写出月报', '--non-interactive', '--json'));
  assert.deepEqual([stopped.code, stopped.state], [4, 'interrupted'], stopped.summary);

  const [program, ...words] = String(stopped.data.resume_command).split(' ');
  assert.equal(program, 'skillwright');
  const done = readAnswer(await place.run(...words, '--json'));
  assert.deepEqual([done.code, done.data.answer, done.data.run_id], [0, 'sold: 7', stopped.data.run_id], done.summary);
  assert.deepEqual(done.data.plan, {
    ...PLAN,
    steps: PLAN.steps.map((step, index) => ({ ...step, status: ['completed', 'in_progress', 'pending'][index] })),
  });

  const folder = String(done.data.record);
  const events = readRecords(folder);
  assert.deepEqual(wayOf(events), [
    'Init>IndexSkills',
    'IndexSkills>Decide',
    'Decide>LoadSkillBody',
    'LoadSkillBody>Decide',
    'Decide>Act',
    'Act>Observe',
    'Observe>Decide',
    'Decide>Act',
    'Act>Observe',
    'Observe>Decide',
    'Decide>Final',
  ]);
  const prompts = events.flatMap((event) => (event.type === 'model' ? [readText(folder, event.prompt)] : []));
  const shown = prompts.map((prompt) => SIGNS.filter((sign) => prompt.includes(sign)));
  assert.deepEqual(shown, [
    ['Sums up a month.'],
    ['Sums up a month.', 'BODY-OF-THE-PROJECT'],
    ['Sums up a month.', 'BODY-OF-THE-PROJECT', 'DEFINITIONS'],
    ['Sums up a month.', 'BODY-OF-THE-PROJECT', 'DEFINITIONS', 'PRINTED --input sales.csv'],
  ]);

  assert.equal(path.dirname(path.dirname(folder)), path.join(place.cwd, '.agent'));
  const summary = JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8'));
  assert.deepEqual([summary.request, summary.output, summary.exit_codes], ['写出月报', 'sold: 7', [0]]);
  assert.deepEqual(summary.skills, [{ skill: 'project:kpi-report', source: 'project' }]);
  assert.equal(summary.resources[0].path, 'reference/kpi.md');
  assert.equal(summary.tools[0].tool, 'run_script');
});

/** What a prompt may hold, by the layer it belongs to. */
const SIGNS = [
  'Sums up a month.',
  'BODY-OF-THE-PROJECT',
  'DEFINITIONS',
  'PRINTED --input sales.csv',
  'BODY-OF-THE-USER',
  'BODY-NOBODY-ASKED-FOR',
  'HISTORY',
  'SOURCE',
  'LOGO',
];

function wayOf(events: readonly AuditRecord[]): string[] {
  return events.flatMap((event) => (event.type === 'state' ? [`${event.from}>${event.to}`] : []));
}
