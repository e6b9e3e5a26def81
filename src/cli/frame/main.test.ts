import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../commands.ts';
import { main, type Process } from './main.ts';

async function run(args: string[], env: Process['env']): Promise<{ code: number; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  const code = await main(
    args,
    {
      env,
      stdin: () => ({}),
      stdout: { write: (text: string) => (stdout += text) },
      stderr: () => ({ write: (text: string) => (stderr += text) }),
    },
    '1.2.3',
    COMMANDS,
  );
  return { code, stdout, stderr };
}

const broken = {
  get HOME(): string {
    throw new TypeError('cannot happen');
  },
};

test('what nobody expected is an internal error without a stack trace', async () => {
  const human = await run(['list'], broken);
  assert.equal(human.code, 1);
  assert.equal(human.stderr.split('\n')[0], '❌ Internal: internal error: cannot happen');
  assert.doesNotMatch(human.stderr, /at .*\.ts/);
  const json = await run(['list', '--json'], broken);
  assert.deepEqual(JSON.parse(json.stdout).data, {
    type: 'Internal',
    msg: 'internal error: cannot happen',
    recoverable: null,
    code: 'INTERNAL_ERROR',
    hint: 'Run again with --debug and report what it prints.',
  });
  assert.equal(json.stderr, '');
});

test('--debug shows the stack on stderr, stdout stays one document', async () => {
  const { stdout, stderr } = await run(['list', '--json', '--debug'], broken);
  assert.match(stderr, /TypeError: cannot happen\n +at /);
  assert.equal(JSON.parse(stdout).state, 'error');
});

test('what the file system forbids is said as such', async () => {
  const forbidden = {
    get HOME(): string {
      throw Object.assign(new Error("EACCES: permission denied, mkdir '/x\u001b'"), { code: 'EACCES' });
    },
  };
  const { stderr } = await run(['list'], forbidden);
  assert.match(stderr, /^❌ PermissionDenied: not permitted: EACCES: .*\\u\{1b\}/);
});

test('no command at all shows the help', async () => {
  const { code, stdout } = await run([], {});
  assert.equal(code, 0);
  assert.match(stdout, /^Start here$/m);
});
