import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/support/support.ts';
import { tableOfRules, tableOfThreats } from './test-tables.ts';

const rowOf = (table: string, id: string) => table.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';

test('a threat is shown where both of its tests passed, wherever in the name it stands', () => {
  const { text: table, open } = tableOfThreats([
    { name: '002-08 threat 2 blocked: absolute paths', passed: true },
    { name: 'threat 2 control: without the check', passed: true },
    { name: 'threat 24 blocked, threat 47 blocked: hidden characters', passed: false },
  ]);
  assert.match(rowOf(table, '2'), /^2 +shown +shown +absolute paths$/);
  assert.match(rowOf(table, '24'), /^24 +FAILED +open/);
  assert.match(rowOf(table, '47'), /^47 +FAILED +open/);
  assert.match(rowOf(table, '4'), /^4 +open +open$/);
  assert.match(table, /\n1 shown, 2 failed, 62 open, 65 in all\n$/);
  assert.equal(open, 62);
});

test('a rule is open until a test carries its id, and failed when any of them fails', () => {
  const { text: table } = tableOfRules([
    { name: '000-01 000-02 both', passed: true },
    { name: '000-02 more', passed: false },
  ]);
  assert.match(rowOf(table, '000-01'), /shown/);
  assert.match(rowOf(table, '000-02'), /FAILED/);
  assert.match(rowOf(table, '000-03'), /open/);
});

test('a rule without a test fails the table of rules, and with one it passes', (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['scripts', 'test']) mkdirSync(path.join(folder, name));
  for (const name of globSync('test*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] }))
    cpSync(path.join(import.meta.dirname, name), path.join(folder, 'scripts', name));
  const ids = rulesIn(tableOfRules([]).text);
  const run = (shown: readonly string[]) => {
    const tests = shown.map((id) => `test('${id}', () => {});`);
    writeFileSync(path.join(folder, 'test/all.test.ts'), `import { test } from 'node:test';\n${tests.join('\n')}`);
    const { NODE_TEST_CONTEXT: _, SKILLWRIGHT_SEED: __, ...env } = process.env;
    const args = [path.join(folder, 'scripts/test.ts'), '--table', 'rules'];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    return [status, stdout.split('\n').find((line) => line.endsWith(' in all'))];
  };
  assert.deepEqual(run(ids), [0, '287 shown, 0 failed, 0 open, 287 in all']);
  assert.deepEqual(run(ids.slice(1)), [1, '286 shown, 0 failed, 1 open, 287 in all']);
});

function rulesIn(table: string): string[] {
  return [...table.matchAll(/^\d{3}-\d+/gm)].map(([id]) => id);
}
