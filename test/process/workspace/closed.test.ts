// Scripts that close folders and files: what cannot be read is told, nothing else is held up, and nothing is lost silently.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { enterWorld, worldsHere } from '../../support/world/enter.ts';

const FILES = {
  ...skillFiles('does', 'name: does\ndescription: x', { 'scripts/do.sh': 'eval "$1"\n' }),
  'sub/a.txt': 'own\n',
  'sub/in/b.txt': 'own\n',
};

/** What is closed, and what is then told as something that cannot be applied; root reads it all the same. */
const CLOSINGS: readonly (readonly [code: string, told: string | undefined])[] = [
  ['chmod 000 sub', 'sub'],
  ['chmod 300 sub/in', 'sub/in'],
  ['mkdir new; echo x > new/f; chmod 000 new', 'new'],
  ['echo x > closed; chmod 000 closed', 'closed'],
  ['chmod 000 .', undefined],
  ['chmod 500 .', undefined],
  ['mkdir -p mybox/output; chmod 000 mybox', undefined],
];

for (const world of worldsHere().filter(({ tier }) => tier !== 'S1'))
  test(`${world.title}: what a script closes is told, and the rest is applied`, async (t) => {
    const isRoot = process.geteuid?.() === 0 && world.user === undefined;
    for (const [code, told] of CLOSINGS) {
      const entered = enterWorld(t, world, FILES);
      if (!entered) return;
      const words = ['exec', 'does', 'scripts/do.sh', '--yes', '--json', '--', `echo x > plain.txt; ${code}`];
      const { stdout, stderr } = await entered.run(words);
      assert.notEqual(stdout, '', stderr);
      const { state, data } = JSON.parse(stdout);
      assert.match(state, /^(?:success|interrupted)$/, `${code}: ${stdout}`);
      const read = (name: string) => readFileSync(path.join(entered.project, name), 'utf8');
      assert.deepEqual([read('plain.txt'), read('sub/a.txt'), read('sub/in/b.txt')], ['x\n', 'own\n', 'own\n'], code);
      if (told === undefined || isRoot) continue;
      const held = data.changes.waiting as { path: string; refused?: string }[];
      assert.ok(held.find((one) => one.path === told)?.refused, `${code}: ${stdout}`);
      assert.equal(existsSync(path.join(entered.project, 'new')), false);
    }
  });
