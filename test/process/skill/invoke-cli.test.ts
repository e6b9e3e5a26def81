// `invoke` and `resume` as a person types them, and what a person is shown while they run.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { makeDigest } from '../../../src/base/value/digest.ts';
import { promptPerson } from '../../../src/cli/frame/question/prompt-person.ts';
import { openProgressLine, renderProgress } from '../../../src/cli/view/show-progress.ts';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli } from '../../support/support.ts';

const FILES = {
  ...skillFiles('say', 'name: say\ndescription: Says it.\ncommand: sh say.sh {input} [{more}]', {
    'say.sh': 'printf "%s\\n" "$@"; printf "\\033[2J" \n',
  }),
  'README.md': '# Hi\n',
};

test('003-01 003-25 003-51 invoke @name input on the command line, in every format', async (t) => {
  const cwd = makeProject(t, FILES);
  const run = (...args: string[]) => runCli(['invoke', ...args], { cwd, home });
  const [human, json, compact, pending, refused, missing, usage] = await Promise.all([
    run('@say', 'two words', 'more=x', '--yes'),
    run('@say', 'a', '--yes', '--json'),
    run('@say', 'a', '--yes', '--format', 'compact', '--lang', 'zh'),
    run('@say', '--json'),
    run('@say', '--non-interactive', '--json'),
    run('@sai'),
    run('@say', 'a', 'b'),
  ]);
  assert.equal(human.stdout, '✅ done: say\ntwo words\nx\n\\u{1b}[2J\n');
  assert.equal(JSON.parse(json.stdout).data.operation, 'say');
  assert.match(compact.stdout, /^✅ skills 执行成功: say\n {2}state: success \| data: \{.*\} \| meta: \{.*\}\n$/);
  assert.deepEqual([pending.code, JSON.parse(pending.stdout).state], [3, 'pending']);
  assert.deepEqual([refused.code, JSON.parse(refused.stdout).data.type], [1, 'ParamMissing']);
  assert.deepEqual([missing.code, /Did you mean say/.test(missing.stderr)], [1, true]);
  assert.equal(usage.code, 2);
  const zh = { LANG: 'zh_CN.UTF-8' };
  const converted = await runCli(['invoke', '@markdown-converter', 'README.md'], { cwd, home, env: zh });
  assert.match(
    converted.stdout,
    /^✅ 执行成功: convert → mybox\/output\/markdown-converter-README\.html\n✅ 转换完成: /,
  );
  assert.ok(existsSync(path.join(cwd, 'mybox/output/markdown-converter-README.html')));
});

test('a question nobody answers is saved, and answered later in any of three spellings, once', async (t) => {
  const cwd = makeProject(t, FILES);
  const run = (...args: string[]) => runCli([...args, '--json'], { cwd, home });
  const ask = async () => {
    const { code, stdout } = await run('invoke', '@say', 'hello');
    assert.equal(code, 4, stdout);
    return String(JSON.parse(stdout).data.id);
  };
  for (const words of [['approve'], ['run_script=approve'], ['{"run_script":"approve"}']]) {
    const id = await ask();
    const resumed = await run('resume', id, '--decide', ...words);
    assert.equal(JSON.parse(resumed.stdout).data.stdout?.slice(0, 6), 'hello\n', resumed.stdout);
    assert.equal((await run('resume', id, '--decide', ...words)).code, 1);
  }
  const id = await ask();
  assert.equal(JSON.parse((await run('resume', id, '--decide', 'maybe')).stdout).data.code, 'INVALID_ARGS');
  assert.match(
    JSON.parse((await run('resume', id, '--decide', 'yes')).stdout).data.hint,
    /choices are approve, deny\./,
  );
  const denied = JSON.parse((await run('resume', id, '--decide', 'deny')).stdout).data;
  assert.deepEqual([denied.code, /^The answer was no/.test(denied.hint)], ['APPROVAL_DENIED', true], denied.hint);
  assert.equal((await run('resume', id)).code, 2);
});

async function answer(typed: string, end = false) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ask = promptPerson('en', () => ({ input, output }));
  const subject = { digest: makeDigest('x'), tool: 'run_script', network: false, writes: false } as const;
  const answered = ask({ subject, risk: 'medium', words: ['scripts/a.py', '\u001b[2Jx'] });
  if (end) input.end(typed);
  else input.write(typed);
  const scope = await answered;
  return { scope, shown: String(output.read() ?? '') };
}

test('threat 47 blocked: a person sees the real words and nothing that steers; everything but a clear yes is no', async () => {
  const { scope, shown } = await answer('\n');
  assert.equal(scope, 'no');
  assert.match(shown, /scripts\/a\.py/);
  assert.match(shown, /\\u\{1b\}\[2Jx/);
  assert.ok(!shown.includes('\u001b'));
  assert.equal((await answer('y\n')).scope, 'once');
  assert.equal((await answer('r\n')).scope, 'run');
  assert.equal((await answer('a\n')).scope, 'no', 'always is not offered here');
  assert.equal((await answer('yeah\n')).scope, 'no');
  assert.equal((await answer('', true)).scope, 'no');
});

test('progress is one line that is taken away again, whatever the script writes into it', () => {
  assert.equal(renderProgress(0.5, 'half\u001b[2J', 80), '██████████░░░░░░░░░░  50% half\\u{1b}[2J');
  const written: string[] = [];
  const line = openProgressLine({ write: (text) => written.push(text) }, 80);
  line.show({ fraction: 0.5, message: 'x' });
  line.show({ fraction: 0.5, message: 'x' });
  line.clear();
  assert.equal(written.length, 2);
});
