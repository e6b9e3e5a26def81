import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableOfRules, tableOfThreats } from './test-tables.ts';

const rowOf = (table: string, id: string) => table.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';

test('a threat is shown where both of its tests passed, wherever in the name it stands', () => {
  const table = tableOfThreats([
    { name: '002-08 threat 2 blocked: absolute paths', passed: true },
    { name: 'threat 2 control: without the check', passed: true },
    { name: 'threat 24 blocked, threat 47 blocked: hidden characters', passed: false },
  ]);
  assert.match(rowOf(table, '2'), /^2 +shown +shown +absolute paths$/);
  assert.match(rowOf(table, '24'), /^24 +FAILED +open/);
  assert.match(rowOf(table, '47'), /^47 +FAILED +open/);
  assert.match(rowOf(table, '4'), /^4 +open +open$/);
  assert.match(table, /\n1 shown, 2 failed, 62 open, 65 in all\n$/);
});

test('a rule is open until a test carries its id, and failed when any of them fails', () => {
  const table = tableOfRules([
    { name: '000-01 000-02 both', passed: true },
    { name: '000-02 more', passed: false },
  ]);
  assert.match(rowOf(table, '000-01'), /shown/);
  assert.match(rowOf(table, '000-02'), /FAILED/);
  assert.match(rowOf(table, '000-03'), /open/);
});
