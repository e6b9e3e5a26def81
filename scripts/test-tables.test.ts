import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { repository, temporaryFolder } from '../test/support/support.ts';
import { RULES } from './rule/list.ts';
import { tableOfRules, tableOfThreats } from './test-tables.ts';

const rowOf = (table: string, id: string) => table.split('\n').find((line) => line.startsWith(`${id} `)) ?? '';

test('a threat is shown where both of its tests passed, wherever in the name it stands', () => {
  const { text: table, lacking } = tableOfThreats([
    { name: '002-08 threat 2 blocked: absolute paths', passed: true },
    { name: 'threat 2 control: without the check', passed: true },
    { name: 'threat 24 blocked, threat 47 blocked: hidden characters', passed: false },
  ]);
  assert.match(rowOf(table, '2'), /^2 +shown +shown +absolute paths$/);
  assert.match(rowOf(table, '24'), /^24 +FAILED +open/);
  assert.match(rowOf(table, '47'), /^47 +FAILED +open/);
  assert.match(rowOf(table, '4'), /^4 +open +open$/);
  assert.match(table, /\n1 shown, 2 failed, 97 open, 100 in all\n$/);
  assert.equal(lacking, 97);
});

test('a rule is open until a test carries its id, and failed when any of them fails', () => {
  const shown = [
    { name: '000-01 000-02 both', passed: true },
    { name: '000-02 more', passed: false },
  ];
  const { text: table, lacking } = tableOfRules(shown, { surfaces: new Map(), withMutant: new Set(['000-01']) });
  assert.match(rowOf(table, '000-01'), /shown +none +present/);
  assert.match(rowOf(table, '000-02'), /FAILED +none +missing/);
  assert.match(rowOf(table, '000-03'), /open/);
  assert.equal(lacking, 286);
});

test('a rule that only inner tests show is lacking', () => {
  const shown = RULES.map((name) => ({ name, passed: true }));
  const surfaces = new Map([
    ['000-01', 'inner' as const],
    ['000-02', 'cli' as const],
  ]);
  const { text: table, lacking } = tableOfRules(shown, { surfaces, withMutant: new Set() });
  assert.match(rowOf(table, '000-01'), /shown +inner/);
  assert.match(table, /\nsurface: 1 inner, 1 cli, 285 none; mutant: 287 missing\n$/);
  assert.equal(lacking, 1);
});

test('a rule without a test, or with inner tests only, fails the table of rules, run or read', (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['scripts', 'test/mutants'])
    cpSync(path.join(repository, name), path.join(folder, name), {
      recursive: true,
      filter: (file) => !/\.test\.ts$/.test(file),
    });
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  const run = (shown: readonly string[], last: string, ...words: readonly string[]) => {
    const tests = shown.map((id) => `test('${id}', () => ${id === '003-52' ? last : 'void start'});`);
    const head = `import { test } from 'node:test';\nimport { spawnSync } from 'node:child_process';\n`;
    const start = `const start = () => spawnSync('node', ['src/bin.ts']);\n`;
    writeFileSync(path.join(folder, 'test/all.test.ts'), `${head}${start}${tests.join('\n')}`);
    const { NODE_TEST_CONTEXT: _, SKILLWRIGHT_SEED: __, ...env } = process.env;
    const args = [path.join(folder, 'scripts/test.ts'), '--table', 'rules', ...words];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    return [status, stdout.split('\n').find((line) => line.endsWith(' in all'))];
  };
  assert.deepEqual(run(RULES, 'void start'), [0, '287 shown, 0 failed, 0 open, 287 in all']);
  assert.deepEqual(run(RULES, '{}', '--surface'), [1, '0 shown, 287 claimed, 0 failed, 0 open, 287 in all']);
  assert.deepEqual(run(RULES.slice(1), 'void start'), [1, '286 shown, 0 failed, 1 open, 287 in all']);
});
