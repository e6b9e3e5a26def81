// Real SKILL.md files, as people published them: they load, or say in one line what to mend.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Diagnostic } from '../../../src/base/diagnostic.ts';
import { fixSkill } from '../../../src/skill/lint/fix.ts';
import { lintSkill } from '../../../src/skill/lint/lint.ts';
import { parseSkill } from '../../../src/skill/manifest.ts';
import { dataFolder } from '../../support/support.ts';

interface Row {
  readonly repo: string;
  readonly path: string;
  readonly text: string;
}

function readRows(t: TestContext): Row[] | undefined {
  const folder = dataFolder(t);
  if (folder === undefined) return undefined;
  const lines = readFileSync(path.join(folder, 'skill-files', 'skills.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

function whereOf(row: Row) {
  return { path: row.path, folderName: path.basename(path.dirname(row.path)) };
}

function countCodes(diagnostics: readonly Diagnostic[]): string {
  const counts = new Map<string, number>();
  for (const { code } of diagnostics) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ');
}

test('at least 98.5 % of the real files load; the others each say one thing to do', (t) => {
  const rows = readRows(t);
  if (rows === undefined) return;
  const parsed = rows.map((row) => ({ row, ...parseSkill(row.text, whereOf(row)) }));
  const refused = parsed.filter(({ manifest }) => manifest === undefined);
  t.diagnostic(`${rows.length - refused.length} of ${rows.length} load`);
  t.diagnostic(countCodes(parsed.flatMap(({ diagnostics }) => diagnostics)));
  for (const { row, diagnostics } of refused) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    assert.equal(errors.length, 1, row.path);
    assert.match(errors[0]?.message ?? '', /^[A-Z][^\n]+\.$/);
    t.diagnostic(`${row.path}: ${errors[0]?.message}`);
  }
  assert.ok(refused.length <= rows.length * 0.015, `${refused.length} do not load`);
});

test('only what a person can choose is taken from a file without frontmatter', (t) => {
  for (const row of readRows(t) ?? []) {
    const { manifest, diagnostics } = parseSkill(row.text, whereOf(row));
    if (manifest && diagnostics.some(({ code }) => code === 'frontmatter-missing')) {
      assert.equal(manifest.disableModelInvocation, true, row.path);
    }
  }
});

test('every real file can be judged under every profile', (t) => {
  const rows = readRows(t);
  if (rows === undefined) return;
  for (const profile of ['lenient', 'spec', 'strict'] as const) {
    const results = rows.map((row) => lintSkill(row.text, { ...whereOf(row), profile, maxBodyLines: 500 }));
    const passed = results.filter((found) => found.every(({ severity }) => severity !== 'error')).length;
    t.diagnostic(`${profile}: ${passed} of ${rows.length} pass`);
    if (profile === 'lenient') assert.ok(passed >= rows.length * 0.985);
  }
});

test('a fix of a real file changes nothing that was read, and is complete', (t) => {
  const rows = readRows(t);
  if (rows === undefined) return;
  let changed = 0;
  for (const row of rows) {
    const where = whereOf(row);
    const fixed = fixSkill(row.text, where);
    if (fixed.text !== row.text) changed++;
    const after = parseSkill(fixed.text, where);
    assert.equal(after.manifest?.description, parseSkill(row.text, where).manifest?.description, row.path);
    const codes = new Set(fixed.applied.map(({ code }) => code));
    assert.deepEqual(
      after.diagnostics.filter(({ code }) => codes.has(code)),
      [],
      row.path,
    );
  }
  t.diagnostic(`${changed} files were fixed`);
});
