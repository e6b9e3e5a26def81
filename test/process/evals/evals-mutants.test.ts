// The judge is judged: every change to its logic must be noticed by at least one check.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { CHECKS } from '../../support/evals/evals-check.ts';
import { MUTANTS, type Mutant } from '../../support/evals/evals-mutant.ts';
import { loadModules } from '../../support/evals/evals-support.ts';
import { count, repository, temporaryFolder } from '../../support/support.ts';

test('002-92 every changed judge, metric and instrument check is found out', async (t) => {
  const root = temporaryFolder(t);
  const survivors: string[] = [];
  // A short run takes every third of them.
  for (const [at, mutant] of MUTANTS.filter((_, index) => index % count(1, 3) === 0).entries()) {
    const killer = await findKiller(path.join(root, String(at)), mutant);
    t.diagnostic(
      `${killer === undefined ? 'SURVIVED' : 'killed'}: ${mutant.file}: ${mutant.what}${killer === undefined ? '' : ` (${killer})`}`,
    );
    if (killer === undefined) survivors.push(`${mutant.file}: ${mutant.what}`);
  }
  assert.deepEqual(survivors, []);
});

test('an unchanged copy passes every check', async (t: TestContext) => {
  const modules = await loadModules(copyTo(path.join(temporaryFolder(t), 'plain')));
  for (const { run } of CHECKS) await run(modules);
});

/** The first check that fails on the changed copy. */
async function findKiller(folder: string, { file, what, from, to }: Mutant): Promise<string | undefined> {
  const copy = copyTo(folder);
  const source = readFileSync(path.join(copy, file), 'utf8');
  assert.ok(source.includes(from), `${file} no longer has what "${what}" changes`);
  writeFileSync(
    path.join(copy, file),
    source.replace(from, () => to),
  );
  const modules = await loadModules(copy);
  for (const { name, run } of CHECKS) {
    try {
      await run(modules);
    } catch {
      return name;
    }
  }
  return undefined;
}

/** src/evals as files of their own; everything it imports stays where it is. */
function copyTo(folder: string): string {
  const source = path.join(repository, 'src');
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  for (const name of readdirSync(source)) {
    if (name !== 'evals') symlinkSync(path.join(source, name), path.join(folder, 'src', name));
  }
  cpSync(path.join(source, 'evals'), path.join(folder, 'src', 'evals'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  return path.join(folder, 'src', 'evals');
}
