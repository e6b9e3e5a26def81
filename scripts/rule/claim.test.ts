// The surface of a test is found in its code, through helpers in its file and in others.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { claimsOf, readClaims, surfacesOf } from './claim.ts';

const FILES = {
  'test/support/support.ts': `import { spawn } from 'node:child_process';
import { add } from '../../src/add.ts';
const program = () => process.env.BUNDLE ?? 'src/bin.ts';
export const runCli = (args) => spawn(process.execPath, [program(), ...args]);
export const openPlace = () => ({ ask: (...words) => runCli(words) });
export const inner = () => add(1, 2);
export const fork = () => spawn(process.execPath, ['child.ts']);`,
  'test/contract/shared.ts': `export function contract(name, act) { test(name, act); }
contract('000-05 of every engine', () => {});`,
  'test/one.test.ts': `import { before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { inner, openPlace, runCli, fork } from './support/support.ts';
import { contract } from './contract/shared.ts';
import type { Runtime } from '../src/runtime.ts';
const ask = (...words) => openPlace().ask(...words);
let answer;
before(async () => { answer = await runCli(['list']); });
test('000-01 by a helper', () => ask('list'));
test(\`000-02 \${1} by a hook\`, () => assert.equal(answer.code, 0));
test('000-03 inside only', (t) => inner().runCli);
test('000-03 another process', () => fork());
test('000-04 a page', () => readFileSync('docs/page.md'));
contract('000-05 here', inner);
test('000-06 000-07 by code', async () => (await import('../src/index.ts')).task());
const CASES = [{ name: '000-08 as data', run: inner }];`,
};

test('command line, library, shipped pages or inner modules: whatever a test leads to', (t) => {
  const root = temporaryFolder(t);
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const claims = readClaims(root);
  assert.deepEqual(Object.fromEntries([...surfacesOf(claims)].sort()), {
    '000-01': 'cli',
    '000-02': 'cli',
    '000-03': 'inner',
    '000-04': 'package',
    '000-05': 'inner',
    '000-06': 'library',
    '000-07': 'library',
    '000-08': 'inner',
  });
  const [hook] = claimsOf('000-02', claims);
  assert.deepEqual(
    [hook?.pattern, hook?.name, hook?.files],
    ['000-02 .* by a hook', '000-02 … by a hook', ['test/one.test.ts']],
  );
  assert.deepEqual(
    claimsOf('000-05', claims).map(({ name, files }) => [name, files]),
    [
      ['000-05 here', ['test/one.test.ts']],
      ['000-05 of every engine', ['test/one.test.ts']],
    ],
  );
});
