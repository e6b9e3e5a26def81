// Protocol skills through the door: requests on stdin, one response on stdout, roles and their single files.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { understand } from '../../../src/door/understand.ts';
import { openGrants } from '../../../src/policy/grant/store.ts';
import type { Progress } from '../../../src/process/progress.ts';
import { boundDigest } from '../../../src/registry/role/skill.ts';
import { digestSkill } from '../../../src/skill/digest.ts';
import { call, door, makeProject, responseOf, skillFiles, writeFiles } from '../../support/door-support.ts';

const ROLE = 'agents/dev_efficiency_analyst';
const TARGET = 'dev_efficiency_analyst/build_analysis';

/** A role's single file that answers with this Python expression. */
const role = (body: string, yaml = 'name: analyst\n') => ({
  [`${ROLE}/agent.yaml`]: yaml,
  [`${ROLE}/.claude/skills/build_analysis.py`]: body,
});
const answering = (data: string, more = '') =>
  `#!/usr/bin/env python3\nimport json, os, sys\nfrom pathlib import Path\nraw = sys.stdin.read()\nrequest = json.loads(raw)\n${more}\nprint(json.dumps({"success": True, "action": request["action"], "data": ${data}}, ensure_ascii=False, indent=2))\n`;

test('000-01 000-07 000-08 000-20 000-22 000-38 one JSON object on stdin, no words, ids in the context, the working folder of the role', async (t) => {
  const project = makeProject(t, role(answering('{"raw": raw, "argv": sys.argv[1:], "cwd": os.getcwd()}')));
  const open = await door(project, { context: { request_id: 'r-1', user_id: 'u-1' } });
  const said = await call(open, TARGET, 'daily_briefing');
  assert.equal(said.state, 'success', said.summary);
  const data = responseOf(said).data as { raw: string; argv: string[]; cwd: string };
  assert.deepEqual(JSON.parse(data.raw), {
    action: 'daily_briefing',
    params: {},
    context: { request_id: 'r-1', user_id: 'u-1' },
  });
  assert.deepEqual([data.argv, data.cwd], [[], path.join(project, ROLE)]);
});

test('000-09 000-10 the ids are in every event, and the decision names the role', async (t) => {
  const project = makeProject(t, role(answering('{}')));
  const open = await door(project, { context: { request_id: 'r-2' } });
  await call(open, TARGET, 'x');
  const events = readFileSync(path.join(open.begin().folder, 'events.jsonl'), 'utf8').trim().split('\n');
  const parsed = events.map((line) => JSON.parse(line));
  assert.ok(parsed.every((event) => event.request_id === 'r-2'));
  assert.equal(parsed.find((event) => event.type === 'decision').role, 'dev_efficiency_analyst');
});

test('000-13 000-14 000-15 000-33 data, message and metadata reach the outcome; the host fills in the time', async (t) => {
  const full = `import json\nprint(json.dumps({"success": True, "action": "a", "data": {"名": "技能"}, "message": "完成", "metadata": {"items_count": 3}}, ensure_ascii=False, indent=4))\n`;
  const project = makeProject(t, role(full));
  const said = await call(await door(project), TARGET, 'a');
  assert.equal(said.summary, '完成');
  assert.equal(JSON.stringify(responseOf(said).data), '{"名":"技能"}');
  const { metadata = {} } = responseOf(said);
  assert.equal(metadata.items_count, 3);
  assert.ok(Number.isInteger(metadata.execution_time_ms));
});

test('000-16 000-29 000-52 000-53 000-54 000-56 000-57 a failure keeps its code, message and details, whatever the exit code', async (t) => {
  const fails =
    'import json, sys\nr = json.load(sys.stdin)\nprint(json.dumps({"success": False, "action": r["action"], "error": {"code": r["action"], "message": "why", "details": {"q": 1}}}))\nsys.exit(r["params"].get("exit", 0))\n';
  const project = makeProject(t, role(fails));
  const open = await door(project);
  const codes = ['DATA_NOT_FOUND', 'QUOTA_EXCEEDED', 'PERMISSION_DENIED', 'EXTERNAL_SERVICE_ERROR', 'TIMEOUT'];
  for (const code of codes) {
    for (const exit of [0, 1]) {
      const failed = await call(open, TARGET, code, { exit });
      assert.equal(failed.state, 'error', code);
      assert.deepEqual([failed.data.code, failed.data.msg], [code, 'why']);
      assert.deepEqual({ ...(failed.data.details as object) }, { q: 1 });
      assert.equal(failed.summary, `${code}: why`);
    }
  }
});

test('000-21 000-25 AGENT_DIR is there to be read and not to be written; README.md is no skill', async (t) => {
  const reads = answering(
    '{"role": (AGENT_DIR / "agent.yaml").read_text(), "rows": (AGENT_DIR / "data.csv").read_text(), "wrote": wrote}',
    'SKILL_DIR = Path(__file__).parent\nAGENT_DIR = SKILL_DIR.parent.parent\ntry:\n    (AGENT_DIR / "new.txt").write_text("x")\n    wrote = True\nexcept OSError:\n    wrote = False\n',
  );
  const project = makeProject(t, {
    ...role(reads),
    [`${ROLE}/data.csv`]: 'a,b\n',
    [`${ROLE}/.claude/skills/README.md`]: '# Skills\n',
  });
  const open = await door(project);
  const said = await call(open, TARGET, 'x');
  assert.deepEqual({ ...(responseOf(said).data as object) }, { role: 'name: analyst\n', rows: 'a,b\n', wrote: false });
  assert.equal((await call(open, 'dev_efficiency_analyst/README', 'x')).data.code, 'SKILL_NOT_FOUND');
});

test('000-23 a script needs no exec bit and imports what lies beside it', async (t) => {
  const project = makeProject(t, {
    ...role(answering('helper.answer()', 'import helper')),
    [`${ROLE}/.claude/skills/helper.py`]: 'def answer():\n    return {"from": "helper"}\n',
  });
  chmodSync(path.join(project, ROLE, '.claude/skills/build_analysis.py'), 0o644);
  const said = await call(await door(project), TARGET, 'x');
  assert.equal(said.state, 'success', said.summary);
});

const TEMPLATE = `#!/usr/bin/env python3
"""Two actions, as the format lays them out. Input and output are JSON."""
import json
import sys
from pathlib import Path

SKILL_DIR = Path(__file__).parent
AGENT_DIR = SKILL_DIR.parent.parent
TIMEOUT = 300

def first(params):
    return {"success": True, "data": {"agent": AGENT_DIR.name, "params": params}}

def main():
    try:
        request = json.loads(sys.stdin.read())
        action = request.get("action")
        if action == "action_1":
            result = first(request.get("params", {}))
        elif action == "action_2":
            raise RuntimeError("out of luck")
        else:
            result = {"success": False, "error": {"code": "UNKNOWN_ACTION", "message": f"Unknown action: {action}", "supported_actions": ["action_1", "action_2"]}}
        result["action"] = action
        print(json.dumps(result, ensure_ascii=False, indent=2))
    except json.JSONDecodeError as error:
        print(json.dumps({"success": False, "error": {"code": "INVALID_JSON", "message": f"Failed to parse input JSON: {error}"}}, ensure_ascii=False))
        sys.exit(1)
    except Exception as error:
        print(json.dumps({"success": False, "error": {"code": "INTERNAL_ERROR", "message": str(error)}}, ensure_ascii=False))
        sys.exit(1)

main()
`;

test("000-26 000-27 000-28 000-31 000-32 000-48 the seed's template works as it is laid out", async (t) => {
  const project = makeProject(t, role(TEMPLATE));
  const open = await door(project);
  const said = await call(open, TARGET, 'action_1', { n: 1 });
  assert.equal(JSON.stringify(responseOf(said).data), '{"agent":"dev_efficiency_analyst","params":{"n":1}}');
  const unknown = await call(open, TARGET, 'nope');
  assert.deepEqual([unknown.data.code, unknown.data.msg], ['UNKNOWN_ACTION', 'Unknown action: nope']);
  assert.deepEqual((unknown.data.details as { supported_actions: string[] }).supported_actions, [
    'action_1',
    'action_2',
  ]);
  assert.match(String(unknown.data.hint), /action_1, action_2/);
  const raised = await call(open, TARGET, 'action_2');
  assert.deepEqual(
    [raised.data.code, raised.data.msg, raised.data.action_filled],
    ['INTERNAL_ERROR', 'out of luck', true],
  );
  const broken = await call(open, TARGET, 'action_1', {}, { stdin: '{' });
  assert.equal(broken.data.code, 'INVALID_JSON');
});

const EXAMPLE = `#!/usr/bin/env python3
import json, sys
def analyze(params):
    return {"success": True, "data": {"average": 85.3, "trend": "improving", "days_analyzed": params.get("days", 7)}}
try:
    request = json.loads(sys.stdin.read())
    if request.get("action") == "analyze":
        result = analyze(request.get("params", {}))
    else:
        result = {"success": False, "error": {"code": "UNKNOWN_ACTION", "message": f"Unknown action: {request.get('action')}"}}
    print(json.dumps(result, ensure_ascii=False))
except Exception as error:
    print(json.dumps({"success": False, "error": {"code": "INTERNAL_ERROR", "message": str(error)}}))
`;

test("000-74 000-75 the seed's example skill works with and without days, though it never names the action", async (t) => {
  const project = makeProject(t, role(EXAMPLE));
  const open = await door(project);
  const plain = await call(open, TARGET, 'analyze');
  assert.equal(JSON.stringify(responseOf(plain).data), '{"average":85.3,"trend":"improving","days_analyzed":7}');
  assert.equal(
    (responseOf(await call(open, TARGET, 'analyze', { days: 30 })).data as { days_analyzed: number }).days_analyzed,
    30,
  );
  assert.equal((await call(open, TARGET, 'other')).data.code, 'UNKNOWN_ACTION');
});

test('000-04 000-51 000-58 000-63 300 seconds unless agent.yaml says otherwise, capped by the user, then the whole tree is ended', async (t) => {
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
  assert.equal(await secondsWith(''), 300);
  assert.equal(await secondsWith('    timeout: 600\n'), 600);
  assert.equal(await secondsWith('    timeout: 7200\n'), 3600);
  const project = makeProject(t, role(sleeps, yaml('    timeout: 1\n')));
  const late = await call(await door(project), TARGET, 'x');
  assert.equal(late.state, 'timeout');
  const { skill, limit, recoverable, type } = late.data;
  assert.deepEqual([skill, limit, recoverable, type], [TARGET, 1, true, 'TIMEOUT']);
});

test('000-64 000-73 logs on stderr disturb nothing, progress is told and recorded', async (t) => {
  const noisy = answering(
    '{}',
    'for line in ["Processing...", "50% complete", "100% complete"]:\n    print(line, file=sys.stderr, flush=True)\n',
  );
  const project = makeProject(t, role(noisy));
  const seen: Progress[] = [];
  const open = await door(project, { onProgress: (progress) => seen.push(progress) });
  const said = await call(open, TARGET, 'x');
  assert.equal(said.state, 'success', said.summary);
  assert.deepEqual(
    seen.map(({ fraction }) => fraction),
    [0.5, 1],
  );
  const events = readFileSync(path.join(open.begin().folder, 'events.jsonl'), 'utf8');
  assert.equal(events.match(/"type":"progress"/g)?.length, 2);
});

test('a flood of progress is shown and not recorded', async (t) => {
  const noisy = answering('{}', 'for n in range(20000): print(f"{n % 100}% x", file=sys.stderr)\n');
  const open = await door(makeProject(t, role(noisy)));
  assert.equal((await call(open, TARGET, 'x')).state, 'success');
  const events = readFileSync(path.join(open.begin().folder, 'events.jsonl'), 'utf8');
  assert.ok((events.match(/"type":"progress"/g)?.length ?? 0) <= 11);
});

test('000-65 000-66 SKILL_DEBUG=1 reaches the skill from --debug and from the environment, and not otherwise', async (t) => {
  const project = makeProject(t, role(answering('os.environ.get("SKILL_DEBUG")')));
  const debugOf = async (...given: [Parameters<typeof door>[1]?, Parameters<typeof door>[2]?]) =>
    responseOf(await call(await door(project, ...given), TARGET, 'x')).data;
  assert.equal(await debugOf({ debug: true }), '1');
  assert.equal(await debugOf({}, { SKILL_DEBUG: '1' }), '1');
  assert.equal(await debugOf(), null);
});

test('000-59 ten MiB of output are too much, a little less is not', async (t) => {
  const prints = (size: string) => answering(`"x" * (${size})`);
  const small = makeProject(t, role(prints('9 * 1024 * 1024')));
  assert.equal((await call(await door(small), TARGET, 'x')).state, 'success');
  const large = makeProject(t, role(prints('11 * 1024 * 1024')));
  assert.equal((await call(await door(large), TARGET, 'x')).data.code, 'OUTPUT_LIMIT');
});

test('000-61 000-62 memory and processor time have generous limits instead of none', async (t) => {
  const uses = answering('len(b)', 'b = bytearray(700 * 1024 * 1024)\n');
  const said = await call(await door(makeProject(t, role(uses))), TARGET, 'x');
  assert.equal(said.state, 'success', said.summary);
});

test('000-12 000-49 000-70 required parameters of a declared action are checked before anything runs, all at once', async (t) => {
  const project = makeProject(
    t,
    skillFiles(
      'declared',
      'name: declared\ndescription: x\nentry: scripts/main.py\nactions:\n  analyze:\n    params:\n      target: {required: true}\n      days: {type: integer, required: true}\n  report: {}',
      { 'scripts/main.py': answering('{}') },
    ),
  );
  const open = await door(project, { yes: false });
  const missing = await call(open, 'declared', 'analyze');
  assert.equal(missing.data.type, 'MISSING_PARAM');
  assert.deepEqual((missing.data.details as { missing: string[] }).missing, ['target', 'days']);
  assert.equal((await call(open, 'declared', 'report')).state, 'interrupted');
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
