import assert from 'node:assert/strict';
import test from 'node:test';
import { readConditions } from './condition.ts';

const TABLE: readonly (readonly [string, string | undefined])[] = [
  ['Which rows have an amount above 1000?', 'amount > 1000'],
  ['rows where the price is at least 2.5 and the stock below 10', 'price >= 2.5 and stock < 10'],
  ['Which rows are from the region West?', 'region = West'],
  ['rows with a city equal to "New York"', 'city = New York'],
  ['amount 大于 1000 的行', 'amount > 1000'],
  ['Show me the rows', undefined],
  ['more than enough', undefined],
];

for (const [prose, expected] of TABLE) {
  test(`${JSON.stringify(prose)} says ${expected ?? 'nothing to compare'}`, () => {
    assert.equal(readConditions(prose), expected);
  });
}
