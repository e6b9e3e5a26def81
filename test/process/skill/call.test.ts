// Protocol skills of roles through the door: time limits, progress, tool lists, grants and results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { understand } from '../../../src/door/understand.ts';
import { openGrants } from '../../../src/policy/grant/store.ts';
import { boundDigest } from '../../../src/registry/role/skill.ts';
import { digestSkill } from '../../../src/skill/digest.ts';
import { call, door, makeProject, responseOf, writeFiles } from '../../support/door-support.ts';

const ROLE = 'agents/dev_efficiency_analyst';
const TARGET = 'dev_efficiency_analyst/build_analysis';

/** A role's single file that answers with this Python expression. */
const role = (body: string, yaml = 'name: analyst\n') => ({
  [`${ROLE}/agent.yaml`]: yaml,
  [`${ROLE}/.claude/skills/build_analysis.py`]: body,
});
const answering = (data: string, more = '') =>
  `#!/usr/bin/env python3\nimport json, os, sys\nfrom pathlib import Path\nraw = sys.stdin.read()\nrequest = json.loads(raw)\n${more}\nprint(json.dumps({"success": True, "action": request["action"], "data": ${data}}, ensure_ascii=False, indent=2))\n`;

test('the seconds of agent.yaml are capped by those of the user', async (t) => {
  const yaml = (timeout: string) =>
    `skills:\n  - name: build_analysis\n    entry: .claude/skills/build_analysis.py\n${timeout}`;
  const sleeps = 'import time\ntime.sleep(60)\n';
  const secondsWith = async (timeout: string) => {
    const project = makeProject(t, role(sleeps, yaml(timeout)));
    const open = await door(project);
    const work = await understand(
      { kind: 'call', skill: TARGET, action: 'x', params: {}, context: open.context },
      open,
    );
    return 'seconds' in work && work.seconds;
  };
  assert.equal(await secondsWith('    timeout: 600\n'), 600);
  assert.equal(await secondsWith('    timeout: 7200\n'), 3600);
});

test('a flood of progress is shown and not recorded', async (t) => {
  const noisy = answering('{}', 'for n in range(20000): print(f"{n % 100}% x", file=sys.stderr)\n');
  const open = await door(makeProject(t, role(noisy)));
  assert.equal((await call(open, TARGET, 'x')).state, 'success');
  const events = readFileSync(path.join(open.begin().folder, 'events.jsonl'), 'utf8');
  assert.ok((events.match(/"type":"progress"/g)?.length ?? 0) <= 11);
});

test('a role comes before an organisation of the same name, and its tool list binds', async (t) => {
  const org = { '.claude/skills/acme/tool/SKILL.md': '---\nname: tool\ndescription: x\nentry: main.py\n---\n' };
  const project = makeProject(t, {
    ...org,
    '.claude/skills/acme/tool/main.py': answering('"organisation"'),
    'agents/acme/agent.yaml': 'description: x\n',
    'agents/acme/.claude/skills/tool.py': answering('"role"'),
    'agents/reader/agent.yaml': 'allowed_tools: [Read]\n',
    'agents/reader/.claude/skills/tool.py': answering('"reader"'),
  });
  const open = await door(project);
  assert.equal(responseOf(await call(open, 'acme/tool', 'x')).data, 'role');
  assert.equal(responseOf(await call(open, 'acme/tool', 'x', {}, { source: 'project' })).data, 'organisation');
  assert.equal((await call(open, 'reader/tool', 'x')).data.code, 'PERMISSION_DENIED');
});

test('a grant for an action runs unattended until a file beside the script changes', async (t) => {
  const project = makeProject(t, role(answering('{}')));
  const open = await door(project, { yes: false });
  const { skill } = (await open.resolveRole(TARGET)) ?? {};
  assert.ok(skill);
  const { home } = await import('../../support/door-support.ts');
  openGrants(home, project).add({
    skill: TARGET,
    bound: { digest: boundDigest(skill, digestSkill(skill.folder).digest) },
    target: { kind: 'action', action: 'daily_briefing' },
    network: false,
    writes: false,
    tier: 'S0',
    created: Date.now(),
    expires: Date.now() + 60_000,
  });
  assert.equal((await call(open, TARGET, 'daily_briefing')).state, 'success');
  assert.equal((await call(open, TARGET, 'other')).state, 'interrupted');
  // Another script there would be a skill of its own, and no part of this one.
  writeFiles(project, { [`${ROLE}/.claude/skills/rates.json`]: '{}' });
  assert.equal((await call(open, TARGET, 'daily_briefing')).state, 'interrupted');
});

test('results of a protocol skill go to the output folder by its own name', async (t) => {
  const project = makeProject(
    t,
    role(
      answering(
        '{"report_path": str(out)}',
        'out = Path(os.environ["SKILL_OUTPUT_DIR"]) / "report.md"\nout.write_text("# report")\n',
      ),
    ),
  );
  const said = await call(await door(project), TARGET, 'report');
  assert.equal(said.state, 'success', said.summary);
  assert.equal(readFileSync(path.join(project, 'mybox/output/report.md'), 'utf8'), '# report');
});
