import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultLimits, formatSize, limitReached, parseSize, withOwnLimits } from './limits.ts';
import type { Ended } from './order.ts';

function ended(part: Partial<Omit<Ended, 'stderr'>> & { stderr?: string }): Ended {
  const stderr = Buffer.from(part.stderr ?? '');
  return { exit: 1, signal: null, stdout: new Uint8Array(), durationMs: 1, why: 'exit', ...part, stderr };
}

test('the limits are the promised ones, and processor time is the time limit', () => {
  assert.deepEqual(defaultLimits(1500), {
    memoryBytes: 2 ** 31,
    processes: 512,
    fileBytes: 2 ** 28,
    openFiles: 1024,
    cpuSeconds: 2,
  });
});

test('the user can set each of them; nonsense changes nothing', () => {
  const limits = withOwnLimits(defaultLimits(1000), { processes: 500, openFiles: -1, fileBytes: Number.NaN });
  assert.deepEqual(limits, { ...defaultLimits(1000), processes: 500 });
});

test('sizes are read and written as people do', () => {
  assert.deepEqual(['2 GiB', '256MiB', '10m', '512', '1 KB', '7B'].map(parseSize), [
    2 ** 31,
    2 ** 28,
    10 * 2 ** 20,
    512,
    1024,
    7,
  ]);
  assert.deepEqual(['', '0', '-1', '1.5G', '9999999T', 'x'].map(parseSize), Array(6).fill(undefined));
  assert.deepEqual([512, 1024, 2 ** 28, 1.5 * 2 ** 30].map(formatSize), ['512 B', '1 KiB', '256 MiB', '1.5 GiB']);
});

test('a reached limit is named; an ordinary failure and a success are not', () => {
  assert.equal(limitReached(ended({ exit: null, signal: 'SIGXCPU' })), 'LIMIT_CPU');
  assert.equal(limitReached(ended({ exit: 153 })), 'LIMIT_FILE_SIZE');
  assert.equal(limitReached(ended({ stderr: 'Traceback\nMemoryError\n' })), 'LIMIT_MEMORY');
  assert.equal(limitReached(ended({ stderr: 'OSError: [Errno 27] File too large' })), 'LIMIT_FILE_SIZE');
  assert.equal(limitReached(ended({ stderr: "[Errno 24] Too many open files: 'x'" })), 'LIMIT_OPEN_FILES');
  assert.equal(limitReached(ended({ stderr: 'OSError: [Errno 28] No space left on device' })), 'LIMIT_DISK');
  assert.equal(
    limitReached(ended({ stderr: 'bash: fork: retry: Resource temporarily unavailable' })),
    'LIMIT_PROCESSES',
  );
  assert.equal(limitReached(ended({ stderr: 'ValueError: no' })), undefined);
  assert.equal(limitReached(ended({ exit: 0, stderr: 'MemoryError' })), undefined);
  assert.equal(limitReached(ended({ why: 'timeout', exit: null, signal: 'SIGXCPU' })), undefined);
});
