// The walks of AGENTS.md as they are taken: how deep a command goes before something happens, and that no file is passed twice.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { takeWalk, WALKS } from '../../../scripts/walk.ts';
import { withProbes } from '../../../scripts/walk-probe.ts';
import { repository } from '../../support/support.ts';

const MOST_FRAMES: Readonly<Record<string, number>> = { run: 18, call: 12 };

for (const name of WALKS)
  test(`${name} leaves no file and enters it again on the way to its effect`, async () => {
    const { frames, files, again } = await takeWalk(name);
    assert.ok(files.length > 5, frames.join('\n'));
    assert.equal(files[0], 'src/bin.ts');
    assert.deepEqual(again, [], frames.join('\n'));
    assert.ok(frames.length <= (MOST_FRAMES[name] ?? Number.POSITIVE_INFINITY), frames.join('\n'));
    const stations = stationsOf(name);
    const passed = files.filter((file) => stations.includes(file));
    assert.ok(passed.length > 3, `AGENTS.md names ${stations.join(' ')}, and it went ${files.join(' ')}`);
    assert.deepEqual(
      stations.filter((file) => passed.includes(file)),
      passed,
    );
  });

test('a probe sees functions of every form, and leaves what they return', () => {
  const text = `
    const plain = (x: number) => x + 1;
    const object = () => ({ a: [1].map((one) => one) });
    async function later(x: number): Promise<number> { return await Promise.resolve(plain(x)); }
    class Counter { #n = 0; constructor() { this.#n = 1; } get n() { return this.#n; } add() { return ++this.#n; } }
    function* some() { yield 1; }
    const made = { act() { return [...some()]; } };`;
  const probed = withProbes('src/a.ts', text);
  const names = [...probed.matchAll(/walkProbe\("src\/a\.ts ([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, ['plain', 'object', '(closure)', 'later', 'n', 'add', 'act']);
});

/** As AGENTS.md names them: `- \`run "…"\`: \`src/a.ts\` → \`src/b.ts\``. */
function stationsOf(name: string): string[] {
  const map = readFileSync(path.join(repository, 'AGENTS.md'), 'utf8');
  const heading = name === 'start' ? '- a scheduled job:' : `- \`${name}`;
  const line = map.split('\n').find((one) => one.startsWith(heading)) ?? '';
  return [...line.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file = '']) => file);
}
