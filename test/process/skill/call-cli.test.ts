// `call` as a person or a program types it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli } from '../../support/support.ts';

const ECHO =
  'import json, os, sys\nr = json.load(sys.stdin)\nif r["action"] == "raise": raise ValueError("oops")\nif r["action"] == "exit": os._exit(139)\nif r["action"] == "claims": print(json.dumps({"success": False, "error": {"code": "APPROVAL_DENIED", "message": "x", "details": {"signal": "SIGINT", "aborted": True}}})); sys.exit(1)\nprint(json.dumps({"success": True, "data": {"params": r["params"], "context": r["context"], "debug": os.environ.get("SKILL_DEBUG"), "字": "中文"}}))\n';

const FILES = {
  'agents/r/agent.yaml': 'name: r\n',
  'agents/r/.claude/skills/echo.py': ECHO,
  ...skillFiles(
    'typed',
    'name: typed\ndescription: x\nentry: a.py\nactions:\n  go:\n    params:\n      text: string\n      days: integer\n      flag: boolean',
    { 'a.py': ECHO },
  ),
};

test('000-03 000-06 000-33 000-37 000-66 call on the command line', async (t) => {
  const cwd = makeProject(t, FILES);
  const run = (args: string[], more: { input?: string; env?: Record<string, string> } = {}) =>
    runCli(['call', ...args, '--yes'], { cwd, home, ...more });
  const [human, raised, exited, claims, noAction, piped, debug] = await Promise.all([
    run(['r/echo', 'x', 'n=1']),
    run(['r/echo', 'raise', '--json']),
    run(['r/echo', 'exit', '--json']),
    run(['r/echo', 'claims', '--json']),
    run(['r/echo', '--json']),
    run(['r/echo', '-', '--json'], {
      input: '{"action":"analyze","params":{"days":7},"context":{"request_id":"abc","agent_id":"me"}}',
    }),
    run(['r/echo', 'x', '--json'], { env: { SKILL_DEBUG: '1' } }),
  ]);
  assert.match(human.stdout, /"字": "中文"/);
  for (const failed of [raised, exited]) {
    assert.equal(failed.code, 1);
    assert.equal(JSON.parse(failed.stdout).data.type, 'INVALID_RESPONSE');
  }
  // A skill cannot say that a person stopped it: 130 is for Ctrl-C.
  assert.deepEqual([claims.code, JSON.parse(claims.stdout).data.code], [1, 'APPROVAL_DENIED']);
  assert.equal(noAction.code, 2);
  const { data } = JSON.parse(piped.stdout).data.response;
  assert.deepEqual([data.params, data.context], [{ days: 7 }, { request_id: 'abc', agent_id: 'me' }]);
  assert.equal(JSON.parse(debug.stdout).data.response.data.debug, '1');
  const broken = await run(['r/echo', '-', '--json'], { input: '{"action"' });
  assert.deepEqual([broken.code, JSON.parse(broken.stdout).data.type], [1, 'INVALID_JSON']);
});

test('a call without an action is told which there are', async (t) => {
  const cwd = makeProject(t, FILES);
  const { code, stderr } = await runCli(['call', 'csv-insights'], { cwd, home });
  assert.equal(code, 2);
  assert.match(stderr, /missing argument: <action>\n.*csv-insights can do: fetch, analyze, report, full/);
  const command = await runCli(['call', 'markdown-converter'], { cwd, home });
  assert.match(command.stderr, /is a command skill without actions: skillwright invoke @markdown-converter/);
});

test('key=value takes the declared type, else what it looks like; --params is one object', async (t) => {
  const cwd = makeProject(t, FILES);
  const paramsOf = async (...args: string[]) => {
    const { stdout } = await runCli(['call', ...args, '--yes', '--json'], { cwd, home });
    const { data } = JSON.parse(stdout);
    return data.response?.data.params ?? data.code;
  };
  const [typed, guessed, merged, wrong] = await Promise.all([
    paramsOf('typed', 'go', 'text=7', 'days=7', 'flag=true'),
    paramsOf('r/echo', 'go', 'n=-1', 't=true', 'o={"a":[1]}', 's="7"', 'w=hello there', 'e='),
    paramsOf('r/echo', 'go', '--params', '{"a":1,"b":2}', 'b=3'),
    paramsOf('typed', 'go', 'days=soon'),
  ]);
  assert.deepEqual(typed, { text: '7', days: 7, flag: true });
  assert.deepEqual(guessed, { n: -1, t: true, o: { a: [1] }, s: '7', w: 'hello there', e: '' });
  assert.deepEqual(merged, { a: 1, b: 3 });
  assert.equal(wrong, 'INVALID_PARAM');
});

test('--private keeps no text of the call', async (t) => {
  const cwd = makeProject(t, FILES);
  await runCli(['call', 'r/echo', 'x', 'word=verysecret', '--yes', '--private'], { cwd, home });
  const listed = await runCli(['runs', 'list', '--json'], { cwd, home });
  const [run] = JSON.parse(listed.stdout).data.runs;
  const record = readFileSync(path.join(cwd, '.agent/runs', run.run_id ?? run.id, 'events.jsonl'), 'utf8');
  assert.doesNotMatch(record, /verysecret/);
});
