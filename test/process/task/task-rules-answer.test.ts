// The rules of the worker about what it answers: two lines, states and icons, each error with its words and advice.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { parseCompact, renderCompact } from '../../../src/index.ts';
import { openTaskCli } from '../../support/task-cli.ts';

const META = /^\{"agent":"worker_agent","time":\d+(?:\.\d+)?,"ts":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"\}$/;

test('001-22 001-23 001-34 two lines, which can be read back; who answered, how long it took and when in UTC', async (t) => {
  const { cli, ask, write } = openTaskCli(t);
  write('bin/x.py', 'import time\ntime.sleep(0.2)\nprint("{\\"count\\": 1}")\n');
  const { stdout } = await cli('task', 'one small task', '执行 python bin/x.py', '--yes', '--format', 'compact');
  const [heading, details, rest, ...more] = stdout.split('\n');
  assert.equal(heading, '✅ worker_agent ran bin/x.py');
  assert.match(
    details ?? '',
    /^ {2}state: success \| data: \{count: 1, .*\} \| meta: \{agent: worker_agent, time: [\d.]+, ts: "[^"]+Z"\}$/,
  );
  assert.deepEqual([rest, more], ['', []]);
  const read = await parseCompact(stdout);
  assert.deepEqual([read?.state, read?.agent, read?.data.count], ['success', 'worker_agent', 1]);
  const { meta } = await ask('执行 python bin/x.py');
  assert.match(JSON.stringify(meta), META);
  // In seconds: a script that sleeps for a fifth of one takes more than that, and not hundreds.
  assert.ok(meta.time >= 0.2 && meta.time < 150, String(meta.time));
  assert.ok(Math.abs(Date.parse(meta.ts) - Date.now()) < 600_000);
});

test('001-23 001-33 a script that prints the four lines of the seed is taken at its word, and they are written on two', async (t) => {
  const { ask, write } = openTaskCli(t);
  const text = [
    '❌ worker_agent RuntimeError: 脚本执行失败',
    '  state: error',
    '  data: {type: "FileNotFoundError", msg: "bin/script.py not found"}',
    '  meta: {agent: worker_agent, time: 0.1, ts: "2025-01-29T10:30:00Z"}',
  ].join('\n');
  write('bin/x.py', `import sys\nprint(${JSON.stringify(text)})\nsys.exit(1)\n`);
  const { code, state, summary, data } = await ask('执行 python bin/x.py');
  assert.deepEqual([code, state, summary], [1, 'error', 'RuntimeError: 脚本执行失败']);
  assert.deepEqual([data.type, data.msg], ['FileNotFoundError', 'bin/script.py not found']);
  assert.ok(!('recoverable' in data));
  const outcome = await parseCompact(text);
  assert.ok(outcome);
  assert.equal(
    renderCompact(outcome),
    '❌ worker_agent RuntimeError: 脚本执行失败\n  state: error | data: {type: "FileNotFoundError", msg: "bin/script.py not found"} | meta: {agent: worker_agent, time: 0.1, ts: "2025-01-29T10:30:00Z"}',
  );
});

test('001-26 001-32 some of several scripts fail: ⚠️ partial, exit code 6, and the names of both kinds', async (t) => {
  const { cli, ask, write } = openTaskCli(t);
  for (const name of ['a', 'b', 'c']) write(`bin/${name}.py`, `print("${name}")\n`);
  for (const name of ['d', 'e']) write(`bin/${name}.py`, 'raise SystemExit(1)\n');
  const prompt = ['a', 'b', 'c', 'd', 'e'].map((name) => `执行 python bin/${name}.py`).join('\n');
  const { code, state, summary, data } = await ask(prompt, '--lang', 'zh');
  assert.deepEqual([code, state, summary], [6, 'partial', '部分完成: 3/5 个脚本执行成功']);
  assert.deepEqual(data.succeeded, ['a.py', 'b.py', 'c.py']);
  assert.deepEqual(data.failed, ['d.py', 'e.py']);
  const compact = await cli('task', 'one small task', prompt, '--yes', '--format', 'compact');
  assert.match(compact.stdout, /^⚠️ worker_agent partly done: 3 of 5 scripts succeeded\n {2}state: partial \| /);
});

interface ErrorCase {
  readonly script: string;
  readonly content?: string;
  readonly mode?: number;
  readonly summary: RegExp;
  readonly recoverable: boolean | null;
  readonly advice: RegExp;
}

const ERRORS: readonly ErrorCase[] = [
  {
    script: 'nope.py',
    summary: /^ScriptNotFound: 脚本不存在: bin\/nope\.py$/,
    recoverable: false,
    advice: /worker scripts live in bin\//,
  },
  {
    script: 'usage.py',
    content: 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--n", required=True)\np.parse_args()\n',
    summary: /^InvalidArgs: 参数错误: the following arguments are required: --n$/,
    recoverable: true,
    advice: /usage: usage\.py \[-h\] --n N/,
  },
  {
    script: 'fails.py',
    content: 'import sys\nsys.exit("no such month")\n',
    summary: /^RuntimeError: 执行失败: no such month$/,
    recoverable: null,
    advice: /stderr/,
  },
  {
    // The last: whoever is not root cannot run anything beside it.
    script: 'closed.py',
    content: 'print(1)\n',
    mode: 0,
    summary: /^PermissionDenied: 权限不足: bin\/closed\.py$/,
    recoverable: false,
    advice: /Check the file permissions/,
  },
];

test('001-27 001-35 001-36 001-37 001-38 001-39 each error of the seed: ❌, its sentence, whether to try again, and advice', async (t) => {
  const { cli, ask, write } = openTaskCli(t);
  for (const { script, content, mode, summary, recoverable, advice } of ERRORS) {
    if (content !== undefined) chmodSync(write(`bin/${script}`, content), mode ?? 0o644);
    const prompt = `执行 python bin/${script}`;
    const outcome = await ask(prompt, '--lang', 'zh');
    assert.deepEqual([outcome.code, outcome.state], [1, 'error'], script);
    assert.match(outcome.summary, summary);
    assert.equal(outcome.data.type, outcome.summary.split(':')[0]);
    assert.equal(outcome.data.recoverable, recoverable, script);
    if (script === 'usage.py') assert.match((outcome.data.details as { help: string }).help, /^usage: usage\.py/);
    const { stdout, stderr } = await cli('task', 'one small task', prompt, '--yes');
    assert.match(stdout + stderr, /^❌ /m);
    const [, hint = ''] = (stdout + stderr).split('hint:');
    assert.match(hint, advice, script);
  }
});
