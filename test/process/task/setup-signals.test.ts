// Ctrl-C through scripts/setup.mjs: the command it runs sees it once, at a terminal and without one, and its end is what counts.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { repository, temporaryFolder } from '../../support/support.ts';

/** A copy in a folder where everything is installed already. */
function placeSetup(t: TestContext): string {
  const folder = temporaryFolder(t);
  for (const name of ['scripts', 'node_modules']) mkdirSync(path.join(folder, name));
  const lock = '{}';
  writeFileSync(path.join(folder, 'package-lock.json'), lock);
  const stamp = createHash('sha512').update(lock).digest('base64');
  writeFileSync(path.join(folder, 'node_modules', '.skillwright-setup'), stamp);
  const setup = path.join(folder, 'scripts', 'setup.mjs');
  copyFileSync(path.join(repository, 'scripts', 'setup.mjs'), setup);
  return setup;
}

/** Takes its time to end, so that a second signal would be seen. */
const COUNTING = `
let seen = 0;
process.on('SIGINT', () => {
  if (seen++ === 0) setTimeout(() => { console.log('seen ' + seen); process.exit(7); }, 300);
});
setInterval(() => {}, 1000);
console.log('ready');`;

/** Runs a command at a terminal of its own, types Ctrl-C when it is ready, and says how it ended. */
const AT_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
text, typed = b'', False
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
    if b'ready' in text and not typed:
        os.write(terminal, b'\\x03')
        typed = True
_, status = os.waitpid(pid, 0)
print(text.decode().replace('^C', '').split(), os.waitstatus_to_exitcode(status))`;

test('Ctrl-C at a terminal reaches the command once', (t) => {
  const command = [process.execPath, placeSetup(t), 'node', '-e', COUNTING];
  const { stdout, stderr, error } = spawnSync('python3', ['-c', AT_TERMINAL, ...command], { encoding: 'utf8' });
  if (error) return t.diagnostic('not run: python3 is not installed');
  assert.equal(stdout, "['ready', 'seen', '1'] 7\n", stderr);
});

test('without a terminal an interrupt is handed on, once', async (t) => {
  assert.deepEqual(await signalled(placeSetup(t), COUNTING, 'SIGINT'), ['ready\nseen 1\n', 7]);
});

test('a command that a signal ends is reported as shells do', async (t) => {
  const setup = placeSetup(t);
  const waiting = `setInterval(() => {}, 1000); console.log('ready');`;
  assert.deepEqual(await signalled(setup, waiting, 'SIGINT'), ['ready\n', 130]);
  assert.deepEqual(await signalled(setup, waiting, 'SIGTERM'), ['ready\n', 143]);
});

function signalled(setup: string, program: string, signal: NodeJS.Signals): Promise<[string, number | null]> {
  const { promise, resolve } = Promise.withResolvers<[string, number | null]>();
  // A session of its own has no terminal, wherever the tests run.
  const child = spawn(process.execPath, [setup, 'node', '-e', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    if (text === '') child.kill(signal);
    text += piece;
  });
  child.on('close', (code) => resolve([text, code]));
  return promise;
}
