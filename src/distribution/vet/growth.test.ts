import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count } from '../../../test/support/support.ts';
import { worstTexts } from '../../../test/support/vet/worst-texts.ts';
import { inspectText } from './text.ts';

const SMALL = 2 ** 16;
const TIMES = 8;

test('eight times as much of the worst text takes nowhere near 64 times as long', () => {
  // Every third text in a short run; processor time, which other work on the machine does not lengthen much.
  const texts = [...worstTexts()].filter((_, index) => index % count(1, 3) === 0);
  for (const [name, text] of texts) {
    const [small, large] = [filled(text, SMALL), filled(text, SMALL * TIMES)];
    inspectText('a.md', 'prose', small);
    const before = least(() => inspectText('a.md', 'prose', small));
    const after = least(() => inspectText('a.md', 'prose', large));
    assert.ok(after <= before * TIMES * 3 + 60, `${name}: ${before.toFixed(1)} ms, then ${after.toFixed(1)} ms`);
  }
});

function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function least(run: () => void): number {
  return Math.min(...Array.from({ length: 3 }, () => timed(run)));
}

function timed(run: () => void): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}
