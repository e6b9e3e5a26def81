import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const WRAPPER = `
  import { handOver } from ${JSON.stringify(new URL('./hand-over.ts', import.meta.url).href)};
  process.exitCode = await handOver(process.execPath, process.argv.slice(1));
`;

test('words, output and exit code are those of the program that took over', async () => {
  const child = handedOver('process.stdout.write(process.argv[1]); process.exit(7)', 'two words');
  const [output] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
  assert.deepEqual([output.join(''), child.exitCode], ['two words', 7]);
});

test('a signal reaches the program that took over, and its answer comes back', async () => {
  const child = handedOver(
    'process.on("SIGTERM", () => process.exit(3)); setInterval(() => {}, 1e6); console.log("up")',
  );
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.equal(child.exitCode, 3);
});

test('an end by a signal is told as a shell tells it', async () => {
  const child = handedOver('process.kill(process.pid, "SIGTERM")');
  await once(child, 'exit');
  assert.equal(child.exitCode, 143);
});

function handedOver(code: string, ...words: string[]) {
  return spawn(process.execPath, ['--input-type=module', '-e', WRAPPER, '--', '-e', code, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
