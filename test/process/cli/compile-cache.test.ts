// Where Node keeps compiled code of the command line: never in the working folder, nor in a folder of somebody else.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeWorld } from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/change.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

// Tests have a place for compiled code of their own, which would come first.
const AS_USERS_HAVE_IT = ['env', '-u', 'NODE_COMPILE_CACHE', '-u', 'NODE_DISABLE_COMPILE_CACHE'];

/** Whether code was put there, and whether into the user's own cache. */
async function compiledIn(t: TestContext, cache: string, change: readonly Change[] = []) {
  const { project, home } = makeWorld(t);
  const env = { XDG_CACHE_HOME: cache };
  const ran = await runCli(['list'], { cwd: project, home, env, through: AS_USERS_HAVE_IT, change });
  assert.equal(ran.code, 0, ran.stderr);
  const holdsCode = (folder: string) => existsSync(path.join(folder, 'skillwright', 'code'));
  return { there: holdsCode(path.resolve(project, cache)), own: holdsCode(path.join(home, '.cache')) };
}

const RELATIVE_TAKEN = { file: 'src/bin.ts', from: 'find((folder) => isAbsolute(folder))', to: 'find(Boolean)' };

test('compile cache blocked: a relative XDG_CACHE_HOME puts no code into the working folder', async (t) => {
  assert.deepEqual(await compiledIn(t, 'cache'), { there: false, own: true });
  assert.deepEqual(await compiledIn(t, temporaryFolder(t)), { there: true, own: false }, 'an absolute one is obeyed');
});

test('compile cache control: without the check the code lies in the working folder', async (t) => {
  assert.deepEqual(await compiledIn(t, 'cache', [RELATIVE_TAKEN]), { there: true, own: false });
});

/** A folder that another user made and everybody may write into. */
function othersFolder(t: TestContext): string {
  const folder = path.join(temporaryFolder(t), 'cache');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  chownSync(folder, 65_534, 65_534);
  return folder;
}

const skip = process.getuid?.() === 0 ? false : 'only root can give a folder to another user';

test('compile cache blocked: a folder of another user gets no code, and none of it is run', { skip }, async (t) => {
  assert.deepEqual(await compiledIn(t, othersFolder(t)), { there: false, own: false });
});

test('compile cache control: without the check the code lies in the folder of another user', { skip }, async (t) => {
  const any = { file: 'src/bin.ts', from: 'folders.every(isOwnOrNew)', to: 'folders.every(Boolean)' };
  assert.deepEqual(await compiledIn(t, othersFolder(t), [any]), { there: true, own: false });
});
