// Environments where nothing can be written, or no file locked: calls use what is there, and what cannot be done is said.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type EnvironmentDesk, openEnvironmentDesk, storedIn, toldBy } from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';
import { commandLine, compiledCode, temporaryFolder } from '../../support/support.ts';

const FILES = { 'requirements.txt': 'plain\n', 'scripts/use.py': 'import plain\nprint("plain", plain.VERSION)\n' };
const EXEC = ['exec', 'uses', 'scripts/use.py', '--yes'];

async function prepared(t: TestContext): Promise<EnvironmentDesk> {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [wheel({ name: 'plain' })] });
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  return desk;
}

/** The command line, started through another program. */
function startBy(before: readonly string[], words: readonly string[], { project, home }: EnvironmentDesk, more = {}) {
  const [program = '', ...first] = [...before, process.execPath, commandLine(), ...words];
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode(), ...more };
  const { status, stdout, stderr } = spawnSync(program, first, { cwd: project, env, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

/** A view of the disk in which one folder is read-only. For root alone: others get one only inside a user namespace, in which no sandbox may be left. */
function readOnly(folder: string): string[] | undefined {
  const code = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  if (process.getuid?.() !== 0) return undefined;
  const words = ['unshare', '-m', 'sh', '-c', code, folder];
  return spawnSync('unshare', [...words.slice(1), 'true']).status === 0 ? words : undefined;
}

test('a call uses an environment that lies where nothing can be written, and where nobody used it before', async (t) => {
  const desk = await prepared(t);
  const store = path.join(desk.home, '.agent/environments');
  const closed = readOnly(store);
  if (!closed) return t.skip('not root, or no mounts of its own');
  const used = startBy(closed, EXEC, desk);
  assert.deepEqual([used.code, used.stdout], [0, 'plain 1.0\n'], used.stderr);
  const pruned = toldBy(startBy(closed, ['environments', 'prune', '--days', '0', '--json'], desk));
  assert.deepEqual([pruned.code, pruned.data.type], [1, 'PermissionDenied'], JSON.stringify(pruned));
  assert.match(pruned.summary, /read-only file system/);
});

const REFUSES_LOCKS = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int pass(int file, int what, void *with) {
  static int (*real)(int, int, ...);
  if (what == F_SETLK || what == F_SETLKW || what == F_GETLK) { errno = ENOLCK; return -1; }
  if (!real) real = dlsym(RTLD_NEXT, "fcntl64");
  return real(file, what, with);
}
int fcntl64(int file, int what, ...) { va_list list; va_start(list, what); void *with = va_arg(list, void *); va_end(list); return pass(file, what, with); }
int fcntl(int file, int what, ...) { va_list list; va_start(list, what); void *with = va_arg(list, void *); va_end(list); return pass(file, what, with); }
`;

/** Loaded before the program, as a disk without locks answers it; undefined where nothing can be compiled. */
function withoutLocks(t: TestContext): Readonly<Record<string, string>> | undefined {
  const folder = temporaryFolder(t);
  const [source, library] = [path.join(folder, 'refuse.c'), path.join(folder, 'refuse.so')];
  writeFileSync(source, REFUSES_LOCKS);
  const made = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  return made.status === 0 ? { LD_PRELOAD: library } : undefined;
}

test('where the file system knows no locks, a call uses its environment; what needs to be alone is refused, and says why', async (t) => {
  const unlocked = withoutLocks(t);
  if (!unlocked) return t.skip('no C compiler');
  const desk = await prepared(t);
  const used = startBy(['env'], EXEC, desk, unlocked);
  assert.deepEqual([used.code, used.stdout], [0, 'plain 1.0\n'], used.stderr);
  for (const words of [
    ['environments', 'prune', '--days', '0'],
    ['prepare', 'uses', '--yes'],
  ]) {
    if (words[0] === 'prepare') rmSync(path.join(desk.home, '.agent/prepared'), { recursive: true });
    const told = toldBy(startBy(['env'], [...words, '--json'], desk, unlocked));
    assert.deepEqual([told.code, told.data.type], [1, 'StateUnusable'], JSON.stringify(told));
    assert.match(told.summary, /the file system of .* knows no file locks/);
  }
  assert.equal(storedIn(desk.home).length, 1);
});
