// The slowest test files are left out, as many as it takes; a list that names a file that is gone says so.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/support/support.ts';
import { chooseSlow, slowFiles } from './slow-files.ts';

test('the slowest files are chosen until the others stay within their share of the whole', () => {
  const of = (file: string, seconds: number) => ({
    file: `${file}.test.ts`,
    name: 'x',
    state: 'passed' as const,
    notRun: [],
    seconds,
  });
  const results = [of('a', 10), of('b', 30), of('b', 30), of('c', 20), of('d', 10)];
  const shared = { ...of('e', 900), file: 'support/shared.ts' };
  assert.deepEqual(chooseSlow([...results, shared], 0.4), ['b.test.ts']);
  assert.deepEqual(chooseSlow(results, 0.2), ['b.test.ts', 'c.test.ts']);
  assert.deepEqual(chooseSlow(results, 1), []);
});

test('a list that names a file that is gone is an error with its name', (t) => {
  const root = temporaryFolder(t);
  mkdirSync(path.join(root, 'test'));
  writeFileSync(path.join(root, 'test/here.test.ts'), '');
  const list = (...files: string[]) => writeFileSync(path.join(root, 'test/slow.json'), JSON.stringify(files));
  list('test/here.test.ts');
  assert.deepEqual(slowFiles(root), new Set(['test/here.test.ts']));
  list('test/here.test.ts', 'test/gone.test.ts');
  assert.throws(() => slowFiles(root), /test\/slow\.json names what is not there: test\/gone\.test\.ts/);
});
