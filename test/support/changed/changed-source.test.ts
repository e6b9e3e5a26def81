// The base of every control: a change reaches what it names and nothing else, and one that fits nothing is an error.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../../src/base/errors.ts';
import { checkName } from '../../../src/distribution/archive/name.ts';
import { repository, runCli, temporaryFolder } from '../support.ts';
import { type Change, changed, changedProcess } from './changed-source.ts';

const NAMES = 'src/distribution/archive/name.ts';
const RESERVED: Change = { file: NAMES, from: 'if (RESERVED.test(segment)) throw', to: 'if (false) throw' };
const BACKSLASH: Change = { file: NAMES, from: "if (name.includes('\\\\')) throw", to: 'if (false) throw' };
type Names = typeof import('../../../src/distribution/archive/name.ts');

test('a change takes one guard away, and only from the module that was asked for', async () => {
  const without = await changed<Names>(NAMES, RESERVED);
  assert.deepEqual(without.checkName('con'), ['con']);
  assert.throws(() => without.checkName('a\\b'), /backslash/);
  assert.throws(() => checkName('con'), /reserved/);
});

test('changes of one file are told apart, and several apply together', async () => {
  const other = await changed<Names>(NAMES, BACKSLASH);
  assert.deepEqual(other.checkName('a\\b'), ['a\\b']);
  assert.throws(() => other.checkName('con'), /reserved/);
  const both = await changed<Names>(NAMES, RESERVED, BACKSLASH);
  assert.deepEqual([both.checkName('con'), both.checkName('a\\b')], [['con'], ['a\\b']]);
});

test('a change is found through however many imports, dynamic ones too; what does not lead to it stays the same', async () => {
  const change: Change = { file: 'src/tools/json-edit.ts', from: "'__proto__', ", to: '' };
  const tool = await changed<typeof import('../../../src/tools/tool-call.ts')>('src/tools/tool-call.ts', change);
  assert.notEqual(tool, await import('../../../src/tools/tool-call.ts'));
  await changed('src/door/kind/tool.ts', change);
  const edit = await changed<typeof import('../../../src/tools/json-edit.ts')>('src/tools/json-edit.ts', change);
  assert.throws(() => edit.updateJson('{', 'a', '1'), Fault);
});

test('a change that no longer fits fails: text that is gone, text that stands twice, a file that is not imported', async () => {
  await assert.rejects(changed(NAMES, { from: 'no such text', to: '' }), /occurs 0 times in .*archive\/name/);
  await assert.rejects(changed(NAMES, { from: 'throw new Fault', to: '' }), /occurs \d+ times/);
  await assert.rejects(changed(NAMES, { from: 'RESERVED.test', to: 'RESERVED.test' }), /nothing is changed/);
  await assert.rejects(changed(NAMES), /no change is named/);
  await assert.rejects(changed('src/base/text.ts', RESERVED), /does not import/);
  assert.throws(() => changedProcess([{ file: NAMES, from: 'no such text', to: '' }]), /occurs 0 times/);
});

test('a process whose change does not fit fails when it loads the file', () => {
  const { nodeArgs, env } = changedProcess([RESERVED]);
  const stale = { ...env, CHANGED_SOURCE: JSON.stringify([{ ...RESERVED, from: 'no such text' }]) };
  assert.throws(() => runNode([...nodeArgs, '-e', `await import('./${NAMES}')`], stale), /occurs 0 times/);
});

test('the command line runs as a process with a line changed', async (t) => {
  const home = temporaryFolder(t);
  const from = 'const wishes = readGlobalOptions(args);';
  const change = { file: 'src/cli/frame/main.ts', from, to: `${from} process.stdout.write('changed in main\\n');` };
  assert.match((await runCli(['list'], { cwd: home, home, change })).stdout, /^changed in main/);
  assert.doesNotMatch((await runCli(['list'], { cwd: home, home })).stdout, /changed in main/);
});

test('a process that runs with a change starts others with it', () => {
  const { nodeArgs, env } = changedProcess([RESERVED]);
  const script = `
    import { changedProcess } from './test/support/changed/changed-source.ts';
    console.log(JSON.stringify(changedProcess()));`;
  assert.deepEqual(JSON.parse(runNode([...nodeArgs, '-e', script], env)), { nodeArgs, env });
});

test('compiled code of one text is never taken for another', (t) => {
  const cache = path.join(temporaryFolder(t), 'code');
  mkdirSync(cache);
  const script = `
    import { changed } from './test/support/changed/changed-source.ts';
    const of = async (names) => { try { return names.checkName('con').length } catch { return 'refused' } };
    console.log(await of(await import('./${NAMES}')), await of(await changed('${NAMES}', ${JSON.stringify(RESERVED)})),
      await of(await changed('${NAMES}', ${JSON.stringify(BACKSLASH)})));`;
  const { nodeArgs, env } = changedProcess([RESERVED]);
  const plain = `console.log(await import('./${NAMES}').then((m) => m.checkName('con').length).catch(() => 'refused'));`;
  for (let round = 0; round < 2; round++) {
    const cached = { NODE_COMPILE_CACHE: cache };
    assert.equal(runNode(['-e', script], cached), 'refused 1 refused\n');
    // Even where somebody forgot to switch the cache off.
    const forgot = { ...cached, CHANGED_SOURCE: env.CHANGED_SOURCE ?? '' };
    assert.equal(runNode([...nodeArgs, '-e', plain], forgot), '1\n');
    assert.equal(runNode(['-e', plain], cached), 'refused\n');
  }
});

function runNode(args: readonly string[], env: Record<string, string>): string {
  return execFileSync(process.execPath, ['--input-type=module', ...args], {
    cwd: repository,
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
