// Whatever a skill prints or however it ends: one outcome of the right type, and the host goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../src/base/json.ts';
import { call, door, makeProject, skillFiles } from '../support/door-support.ts';

/** The skill prints the file that its action names, or does what the action says. */
const MAIN = `import os, signal, sys, time
here = os.path.dirname(os.path.abspath(__file__))
action = __import__("json").load(sys.stdin)["action"]
out = sys.stdout.buffer
answers = {
  "nothing": b"",
  "text": b"all done\\n",
  "two": b'{"success":true,"data":1}{"success":false}',
  "nan": b'{"success":true,"data":NaN}',
  "infinity": b'{"success":true,"data":Infinity}',
  "brackets": b"[" * 100000,
  "objects": b'{"a":' * 100000,
  "bytes": b'{"success":true,"data":"\\xff\\xfe"}',
  "array": b"[1,2]",
  "null": b"null",
  "number": b"1",
  "shape": b'{"success":"yes","data":1}',
  "twice": b'{"success":true,"success":false,"data":1}',
  "no-error": b'{"success":false}',
  "bad-error": b'{"success":false,"error":{"code":5,"message":"x"}}',
  "other-action": b'{"success":true,"action":"another","data":1}',
  "half": b'{"success":true,"data":{"a":',
  "exit": b'{"success":true,"data":1}',
  "signal": b'{"success":true,"data":1}',
  "surrogates": b'{"success":true,"data":"\\\\ud800"}',
  "bom": b'\\xef\\xbb\\xbf{"success":true,"data":1}',
  "proto": b'{"success":true,"data":{"__proto__":{"polluted":true},"constructor":1}}',
  "escapes": b'{"success":true,"data":"\\\\u001b]52;c;eA==\\\\u0007\\\\u202e","message":"\\\\u001b[2Jdone\\\\u202e"}',
}
if action == "flood":
  for _ in range(2000): out.write(b"x" * 10000)
elif action == "loud":
  for _ in range(2000): sys.stderr.buffer.write(b"x" * 10000)
elif action == "raise":
  raise KeyError("gone")
elif action == "silent":
  time.sleep(60)
else:
  out.write(answers[action])
out.flush()
if action == "exit": sys.exit(1)
if action == "signal": os.kill(os.getpid(), signal.SIGSEGV)
`;

const TYPES: Record<string, string[]> = {
  INVALID_RESPONSE: [
    ...[
      'nothing',
      'text',
      'two',
      'nan',
      'infinity',
      'brackets',
      'objects',
      'bytes',
      'array',
      'null',
      'number',
      'shape',
    ],
    ...['twice', 'no-error', 'bad-error', 'other-action', 'half', 'exit', 'signal', 'raise', 'surrogates'],
  ],
  OUTPUT_LIMIT: ['flood', 'loud'],
  TIMEOUT: ['silent'],
};

test('threat 46 blocked: each wrong answer has its type, and the next call works', async (t) => {
  const project = makeProject(
    t,
    skillFiles('wrong', 'name: wrong\ndescription: x\nentry: main.py\ntimeout: 2', { 'main.py': MAIN }),
  );
  const open = await door(project);
  for (const [type, actions] of Object.entries(TYPES)) {
    for (const action of actions) {
      const outcome = await call(open, 'wrong', action);
      assert.equal(outcome.data.code, type, `${action}: ${outcome.summary}`);
      assert.equal(outcome.state, type === 'TIMEOUT' ? 'timeout' : 'error', action);
      JSON.parse(JSON.stringify(outcome));
    }
  }
  const raised = await call(open, 'wrong', 'raise');
  assert.match(raised.summary, /KeyError: 'gone'/);
  assert.match(JSON.stringify(raised.data.details), /Traceback/);
});

test('threat 46 control: without the limit of depth the same brackets run out of stack', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  assert.throws(() => parseJson(deep), SyntaxError);
  assert.throws(() => parseJson(deep, Number.POSITIVE_INFINITY), RangeError);
});

test('odd answers that are valid are taken as they are, and steer nothing', async (t) => {
  const project = makeProject(
    t,
    skillFiles('wrong', 'name: wrong\ndescription: x\nentry: main.py', { 'main.py': MAIN }),
  );
  const open = await door(project);
  for (const action of ['bom', 'proto', 'escapes']) {
    const outcome = await call(open, 'wrong', action);
    assert.equal(outcome.state, 'success', `${action}: ${outcome.summary}`);
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
