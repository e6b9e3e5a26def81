// Mutants of a small product, judged: what each verdict takes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Mutant } from '../../test/mutants/mutant.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { readClaims } from '../rule/claim.ts';
import { judgeMutants } from './judge.ts';

const SUM = 'src/sum.ts';
const FILES = {
  'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b;\nexport const spare = 5;\n',
  'src/bin.ts': "import { sum } from './sum.ts';\nconsole.log(sum(1, 2));\n",
  'docs/page.md': 'One and two is three.\n',
  'test/rules.test.ts': `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { spare } from '../src/sum.ts';
const start = () => spawnSync(process.execPath, ['src/bin.ts'], { encoding: 'utf8' }).stdout;
test('000-01 a process prints the sum', () => assert.equal(start(), '3\\n'));
test('000-01 000-02 what only an inner module shows', () => assert.equal(spare, 5));
test('000-03 fails as it is', () => assert.equal(start(), '4\\n'));
test('000-04 a page says so', () => assert.match(readFileSync('docs/page.md', 'utf8'), /three/));
`,
};

function open(t: TestContext): string {
  const root = temporaryFolder(t);
  for (const folder of ['src', 'docs', 'test', 'node_modules']) mkdirSync(path.join(root, folder));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(root, name), text);
  return root;
}

test('a mutant is killed by a failing test, survives passing ones, and is broken where nothing is shown', async (t) => {
  const root = open(t);
  const change = (rule: string, from: string, to: string, file = SUM): Mutant => ({ rule, file, from, to, shows: to });
  const mutants = [
    change('000-01', 'a + b', 'a - b'),
    change('000-04', 'three', 'four', 'docs/page.md'),
    change('000-02', 'spare = 5', 'spare = 6'),
    // An inner test would notice; the rule has one through the command line, and that one must.
    change('000-01', 'spare = 5', 'spare = 6'),
    change('000-01', 'a + b', 'a +'),
    change('000-01', 'a + b', '{ setInterval(() => {}, 1000); return a + b; }'),
    change('000-03', 'a + b', 'a - b'),
    change('000-05', 'a + b', 'a - b'),
  ];
  const verdicts = await judgeMutants({ root, mutants, claims: readClaims(root), width: 2, limitMs: 3_000 });
  assert.deepEqual(
    verdicts.map(({ result, by }) => [result, by]),
    [
      ['killed', '000-01 a process prints the sum'],
      ['killed', '000-04 a page says so'],
      ['killed', '000-01 000-02 what only an inner module shows'],
      ['survived', 'test/rules.test.ts'],
      ['broken', verdicts[4]?.by],
      ['broken', 'the tests did not end'],
      ['broken', 'fails unchanged: 000-03 fails as it is'],
      ['broken', 'no test carries its id'],
    ],
  );
  assert.match(verdicts[4]?.by ?? '', /SyntaxError/);
  for (const [name, text] of Object.entries(FILES)) assert.equal(readFileSync(path.join(root, name), 'utf8'), text);
  assert.ok(!existsSync(path.join(root, 'src/swm')));
});
