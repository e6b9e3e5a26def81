// An apply or an undo that is killed at any instant: after the next command the project is before or after, never between.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { commandLine, compiledCode, count, runCli } from '../../support/support.ts';

const FILES = 60;
const SCRIPT = `import os
for n in range(${FILES}):
    name = 'data/%d.txt' % n
    if n % 3 == 0: os.remove(name)
    else: open(name, 'w').write('after')
`;

const before = (n: number): [string, string] => [`data/${n}.txt`, 'before'];

/** `before`, `after`, or what is between the two. */
function stateOf(cwd: string): string {
  const found = new Map(
    readdirSync(path.join(cwd, 'data')).map((name) => [name, readFileSync(path.join(cwd, 'data', name), 'utf8')]),
  );
  const is = (text: string, removed: boolean) =>
    Array.from(
      { length: FILES },
      (_, n) => found.get(`${n}.txt`) === (removed && n % 3 === 0 ? undefined : text),
    ).every(Boolean);
  if (is('before', false)) return 'before';
  return is('after', true) ? 'after' : JSON.stringify([...found]);
}

test('a killed apply or undo leaves the project before or after, and nothing else behind', async (t) => {
  const files = skillFiles('many', 'name: many\ndescription: Changes many files.', { 'scripts/m.py': SCRIPT });
  const cwd = makeProject(t, { ...files, ...Object.fromEntries(Array.from({ length: FILES }, (_, n) => before(n))) });
  const sw = (...args: string[]) => runCli(args, { cwd, home });
  const seen = new Set<string>();
  for (let round = 0; round < count(150, 2); round++) {
    assert.equal((await sw('exec', 'many', 'scripts/m.py', '--yes', '--apply', 'never')).code, 0);
    for (const command of ['apply', 'undo']) {
      const was = stateOf(cwd);
      await killed(['runs', command, 'latest'], cwd);
      assert.equal((await sw('runs', 'list', '--json')).code, 0);
      const now = stateOf(cwd);
      assert.ok(now === 'before' || now === 'after', now);
      seen.add(`${command}: ${was} → ${now}`);
      assert.deepEqual(
        readdirSync(cwd).filter((name) => name.startsWith('.skillwright')),
        [],
      );
      if (command === 'apply' && now === 'before') assert.equal((await sw('runs', 'apply', 'latest')).code, 0);
    }
    if (stateOf(cwd) === 'after') assert.equal((await sw('runs', 'undo', 'latest')).code, 0);
    await sw('runs', 'discard', 'latest');
  }
  t.diagnostic([...seen].sort().join(', '));
});

/** Ends it with SIGKILL soon after it has begun to stage its files; it may have ended before. */
async function killed(args: readonly string[], cwd: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() };
  const child = spawn(process.execPath, [commandLine(), ...args], { cwd, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && !readdirSync(cwd).some((name) => name.startsWith('.skillwright'))) await sleep(1);
  await sleep(Math.random() * STAGING_MS);
  child.kill('SIGKILL');
  await ended;
}

/** About as long as staging and commit take together. */
const STAGING_MS = 250;
