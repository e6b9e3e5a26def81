// Seed 000, output and template: what a skill prints, and what its caller reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { answering, callSkill, PRINTS, ROLE, roleFiles } from '../../support/protocol-support.ts';
import { runCli } from '../../support/support.ts';

const TARGET = `${ROLE}/build_analysis`;
type Printing = (answer: unknown, exit?: number) => ReturnType<typeof callSkill>;

/** A role whose skill prints what it is told to, as the answer to `go`. */
function printing(t: Parameters<typeof makeProject>[0]): Printing {
  const project = makeProject(t, roleFiles({ build_analysis: PRINTS }));
  return (answer, exit = 0) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return callSkill(project, [TARGET, 'go', '--params', JSON.stringify({ text, exit })]);
  };
}

test('000-02 000-03 000-17 an answer that is not one JSON object about this action is InvalidResponse, and the host goes on', async (t) => {
  const prints = printing(t);
  const answers = await Promise.all([
    prints('all done\n'),
    prints('Working...\n{"success": true, "action": "go", "data": {}}\n'),
    prints('{"success": true, "action": "go", "data": {}}', 3),
    prints('', 139),
    prints({ success: true, action: 'other', data: {} }),
  ]);
  for (const said of answers) {
    assert.deepEqual([said.code, said.state, said.data.type], [1, 'error', 'INVALID_RESPONSE'], said.summary);
  }
  assert.match(answers[4].summary, /answered the action "other", asked was "go"/);
});

test('000-13 000-14 000-15 000-33 data, message and metadata of an indented answer in Chinese reach the caller as they are', async (t) => {
  const prints = printing(t);
  const full = { success: true, action: 'go', data: { 名: '技能' }, message: '完成', metadata: { items_count: 10 } };
  const timed = { success: true, action: 'go', data: {}, metadata: { execution_time_ms: 1234, items_count: 0 } };
  const [said, kept] = await Promise.all([prints(JSON.stringify(full, null, 4)), prints(timed)]);
  assert.deepEqual([said.code, said.state, said.summary], [0, 'success', '完成']);
  const { data, message, metadata } = said.reply;
  assert.deepEqual([data, message, metadata.items_count], [{ 名: '技能' }, '完成', 10]);
  assert.ok(Number.isInteger(metadata.execution_time_ms), 'the host measures where the skill does not');
  assert.deepEqual(kept.reply.metadata, timed.metadata);
});

test('000-16 000-29 000-31 000-32 000-56 000-57 a failure keeps its code, message and details, with exit 0 or 1, with or without its action', async (t) => {
  const prints = printing(t);
  const failure = (code: string) => ({
    success: false,
    action: 'go',
    error: { code, message: 'why', details: { tried: 1 } },
  });
  const codes = ['DATA_NOT_FOUND', 'QUOTA_EXCEEDED', 'TIMEOUT', 'PERMISSION_DENIED'];
  const handled = await Promise.all(codes.map((code) => prints(failure(code))));
  for (const [at, said] of handled.entries()) {
    const { code, msg, details, recoverable } = said.data;
    assert.deepEqual([said.code, said.state, said.summary], [1, 'error', `${codes[at]}: why`]);
    assert.deepEqual([code, msg, details], [codes[at], 'why', { tried: 1 }]);
    assert.ok(recoverable !== undefined);
  }
  const unexpected = { success: false, error: { code: 'INTERNAL_ERROR', message: 'out of luck' } };
  const said = await prints(unexpected, 1);
  assert.deepEqual([said.code, said.summary], [1, 'INTERNAL_ERROR: out of luck']);
  assert.deepEqual([said.data.code, said.data.action_filled, said.reply.action], ['INTERNAL_ERROR', true, 'go']);
});

const TEMPLATE = `#!/usr/bin/env python3
"""Two actions, as the format lays them out. Input and output are JSON."""
import json
import sys
from pathlib import Path
from typing import Any, Dict

SKILL_DIR = Path(__file__).parent
AGENT_DIR = SKILL_DIR.parent.parent
TIMEOUT = 300

def handle_action_1(params: Dict[str, Any]) -> Dict[str, Any]:
    return {"success": True, "data": {"agent": AGENT_DIR.name, "params": params}}

def handle_action_2(params: Dict[str, Any]) -> Dict[str, Any]:
    return {"success": True, "data": {...}}

def main():
    try:
        input_data = json.loads(sys.stdin.read())
        action = input_data.get("action")
        params = input_data.get("params", {})
        if action == "action_1":
            result = handle_action_1(params)
        elif action == "action_2":
            result = handle_action_2(params)
        else:
            result = {"success": False, "error": {"code": "UNKNOWN_ACTION", "message": f"Unknown action: {action}", "supported_actions": ["action_1", "action_2"]}}
        result["action"] = action
        print(json.dumps(result, ensure_ascii=False, indent=2))
    except json.JSONDecodeError as e:
        print(json.dumps({"success": False, "error": {"code": "INVALID_JSON", "message": f"Failed to parse input JSON: {str(e)}"}}, ensure_ascii=False))
        sys.exit(1)
    except Exception as e:
        print(json.dumps({"success": False, "error": {"code": "INTERNAL_ERROR", "message": str(e)}}, ensure_ascii=False))
        sys.exit(1)

if __name__ == "__main__":
    main()
`;

test('000-26 000-27 000-28 000-31 000-32 000-48 the template of the seed: its action works, another is named with those there are, an exception is an answer', async (t) => {
  const head = 'name: declared\ndescription: x\nentry: main.py\nactions: [analyze, report]';
  const project = makeProject(t, {
    ...roleFiles({ build_analysis: TEMPLATE }),
    ...skillFiles('declared', head, { 'main.py': answering('"ran"') }),
  });
  const [done, unknown, raised, undeclared, human] = await Promise.all([
    callSkill(project, [TARGET, 'action_1', 'n=1']),
    callSkill(project, [TARGET, 'nope']),
    callSkill(project, [TARGET, 'action_2']),
    callSkill(project, ['declared', 'nope']),
    runCli(['call', TARGET, 'nope', '--yes'], { cwd: project, home }),
  ]);
  assert.deepEqual([done.code, done.reply?.data], [0, { agent: ROLE, params: { n: 1 } }], done.summary);
  for (const [said, supported] of [
    [unknown, ['action_1', 'action_2']],
    [undeclared, ['analyze', 'report']],
  ] as const) {
    assert.deepEqual([said.code, said.data.code, said.data.msg], [1, 'UNKNOWN_ACTION', 'Unknown action: nope']);
    assert.deepEqual((said.data.details as { supported_actions: string[] }).supported_actions, supported);
    assert.match(String(said.data.hint), new RegExp(supported.join(', ')));
  }
  // The placeholder of the template is no JSON, and it says so itself, without an action and with exit 1.
  assert.deepEqual([raised.code, raised.data.code, raised.data.action_filled], [1, 'INTERNAL_ERROR', true]);
  assert.match(String(raised.data.msg), /not JSON serializable/);
  assert.match(human.stderr, /: Unknown action: nope\n.*action_1, action_2/);
});

const EXAMPLE = `#!/usr/bin/env python3
import json
import sys

def analyze(params):
    days = params.get("days", 7)
    return {"success": True, "data": {"average": 85.3, "trend": "improving", "days_analyzed": days}}

def main():
    try:
        input_data = json.loads(sys.stdin.read())
        action = input_data.get("action")
        if action == "analyze":
            result = analyze(input_data.get("params", {}))
        else:
            result = {"success": False, "error": {"code": "UNKNOWN_ACTION", "message": f"Unknown action: {action}"}}
        print(json.dumps(result, ensure_ascii=False))
    except Exception as e:
        print(json.dumps({"success": False, "error": {"code": "INTERNAL_ERROR", "message": str(e)}}))

if __name__ == "__main__":
    main()
`;

test('000-74 000-75 the example of the seed, with and without days, though it never names the action', async (t) => {
  const project = makeProject(t, roleFiles({ build_analysis: EXAMPLE }));
  const [plain, given, unknown] = await Promise.all([
    callSkill(project, [TARGET, 'analyze']),
    callSkill(project, [TARGET, 'analyze', 'days=30']),
    callSkill(project, [TARGET, 'other']),
  ]);
  const data = { average: 85.3, trend: 'improving', days_analyzed: 7 };
  assert.deepEqual([plain.code, plain.reply?.data], [0, data], plain.summary);
  assert.deepEqual(given.reply?.data, { ...data, days_analyzed: 30 });
  assert.deepEqual([plain.data.action_filled, plain.reply.action], [true, 'analyze']);
  assert.deepEqual([unknown.code, unknown.data.code, unknown.data.action_filled], [1, 'UNKNOWN_ACTION', true]);
});

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly ok: boolean;
}

test('000-05 000-76 conform tries each action twice: what the example leaves out is advice, a result that changes too, unless it is declared', async (t) => {
  // No file here is called random: Python would import that one.
  const guesses = EXAMPLE.replace('85.3', '__import__("random").random()');
  const yaml = `skills:
  - build_analysis
  - guesses
  - {name: crawler, entry: .claude/skills/guesses.py, deterministic: false}
`;
  const project = makeProject(t, roleFiles({ build_analysis: EXAMPLE, guesses }, yaml));
  const conform = async (skill: string) => {
    const words = ['conform', `${ROLE}/${skill}`, '--yes', '--json'];
    const { code, stdout, stderr } = await runCli(words, { cwd: project, home });
    assert.equal(code, 0, stdout + stderr);
    const findings = JSON.parse(stdout).data.results as Finding[];
    const failing = (level: string) => findings.filter((one) => one.level === level && !one.ok).map((one) => one.check);
    assert.deepEqual(failing('must'), []);
    return { checks: findings.map((one) => one.check), advice: failing('advice') };
  };
  const SAME = 'analyze: the same request gives the same result';
  const [example, changing, crawler] = await Promise.all(['build_analysis', 'guesses', 'crawler'].map(conform));
  // Broken JSON is INTERNAL_ERROR there, with exit 0.
  assert.ok(example?.advice.includes('a broken request has the code INVALID_JSON'), example?.advice.join());
  assert.ok(example?.advice.includes('analyze: the response names the action'));
  assert.ok(example?.checks.includes(SAME) && !example.advice.includes(SAME));
  assert.ok(changing?.advice.includes(SAME));
  assert.ok(crawler && !crawler.checks.includes(SAME));
});
