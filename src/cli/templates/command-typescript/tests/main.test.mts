// Runs the script as a process, as its caller does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const script = path.join(import.meta.dirname, '..', 'scripts', 'main.mts');

function run(...args: string[]) {
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
}

test('writes the report', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skill-name-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'note.txt'), 'one two\nthree\n');
  const report = path.join(folder, 'out', 'note.md');
  const done = run(path.join(folder, 'note.txt'), '--output', report);
  assert.equal(done.status, 0, done.stderr);
  assert.match(readFileSync(report, 'utf8'), /\| words \| 3 \|/);
});

test('a missing file is named', () => {
  const done = run('absent.txt', '--output', path.join(tmpdir(), 'absent', 'report.md'));
  assert.equal(done.status, 1);
  assert.match(done.stderr, /absent\.txt/);
});
