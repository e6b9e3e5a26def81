// Scripts of public skills do the same by hand and through `exec`: exit code, both outputs, and the files they leave.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RealCase } from '../support/real/case.ts';
import { helpCases } from '../support/real/help.ts';
import { type Measured, measure, table } from '../support/real/measure.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { temporaryFolder } from '../support/support.ts';
import { CASES } from './cases/all.ts';
import { BLIND } from './cases/blind.ts';
import { HELD_OUT } from './cases/held-out.ts';

test('scripts of public skills with realistic input do what they do by hand', async (t) => {
  const root = realFolder(t);
  if (root) await compare(t, root, { cases: CASES, atLeast: 0.97 });
});

test('scripts of public skills that nobody looked at before do what they do by hand', async (t) => {
  const root = realFolder(t);
  if (root) await compare(t, root, { cases: HELD_OUT, atLeast: 0.97 });
});

test('scripts of public skills that were chosen blindly do what they do by hand', async (t) => {
  const root = realFolder(t);
  if (root) await compare(t, root, { cases: BLIND, atLeast: 0.97 });
});

test('--help of every script of public skills says what it says by hand', async (t) => {
  const root = realFolder(t);
  if (!root) return;
  const measured = await measureAll(t, root, helpCases(root));
  const looked = table(measured.filter(({ name }) => LOOKED_AT.some((one) => name.startsWith(`${one}/`))));
  t.diagnostic(`of the repositories that were looked at: ${looked.sum}`);
  assert.ok(looked.share >= 0.99, looked.text);
  judge(t, measured, 0.99);
});

/** The repositories that were at hand while the workspace was built; the others were fetched afterwards. */
const LOOKED_AT = [
  'anthropics+skills',
  'openai+skills',
  'trailofbits+skills',
  'getsentry+skills',
  'JimLiu+baoyu-skills',
  'coreyhaines31+marketingskills',
];

async function compare(t: TestContext, root: string, { cases, atLeast }: { cases: RealCase[]; atLeast: number }) {
  judge(t, await measureAll(t, root, cases), atLeast);
}

/** One after the other: some open a port. */
async function measureAll(t: TestContext, root: string, cases: readonly RealCase[]): Promise<Measured[]> {
  const folder = temporaryFolder(t);
  const measured: Measured[] = [];
  for (const one of cases) measured.push(await measure(one, root, folder));
  return measured;
}

function judge(t: TestContext, measured: readonly Measured[], atLeast: number): void {
  const { text, share } = table(measured);
  t.diagnostic(text);
  assert.ok(share >= atLeast, text);
}
