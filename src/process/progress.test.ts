import assert from 'node:assert/strict';
import test from 'node:test';
import { type Progress, ProgressReader, parseProgress } from './progress.ts';

test('percent lines and JSON lines are progress, log lines are not', () => {
  assert.deepEqual(parseProgress('50% complete'), { fraction: 0.5, message: 'complete' });
  assert.deepEqual(parseProgress(' [ 7%] building\r'), { fraction: 0.07, message: 'building' });
  assert.deepEqual(parseProgress('100%'), { fraction: 1, message: '' });
  assert.deepEqual(parseProgress('{"progress":0.5,"message":"half"}'), { fraction: 0.5, message: 'half' });
  for (const line of [
    'Processing...',
    '101% of it',
    '50 percent',
    '{"progress":2}',
    '{"progress":"x"}',
    '{"progress":',
    '{}',
    '',
    'up 50%',
  ]) {
    assert.equal(parseProgress(line), undefined, line);
  }
});

test('lines are put together from any pieces, and an endless one is skipped', () => {
  const seen: Progress[] = [];
  const reader = new ProgressReader((progress) => seen.push(progress));
  for (const letter of '10% 一\n') reader.read(Buffer.from(letter));
  for (let part = 0; part < 100; part++) reader.read(Buffer.alloc(1000, 'x'));
  reader.read(Buffer.from(' 20%\n30%\n40%'));
  assert.deepEqual(seen, [
    { fraction: 0.1, message: '一' },
    { fraction: 0.3, message: '' },
  ]);
});
