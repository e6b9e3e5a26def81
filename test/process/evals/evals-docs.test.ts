// The page on evals, followed to the letter: its suites are written, its commands typed, its output compared.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isRecord } from '../../../src/base/json.ts';
import { suiteJsonSchema } from '../../../src/evals/case/suite-schema.ts';
import { repository, runCli, temporaryFolder } from '../../support/support.ts';

const page = readFileSync(path.join(repository, 'docs', 'evals.md'), 'utf8');

test('each suite of evals.md can be written and each command prints what the page shows', async (t) => {
  const [cwd, home] = [temporaryFolder(t), temporaryFolder(t)];
  for (const text of blocksOf('yaml')) writeSuite(text, cwd);
  let last = 0;
  for (const { line, shown } of commands()) {
    const ran = line.startsWith('skillwright ')
      ? await runCli(wordsOf(line).slice(1), { cwd, home })
      : runShell(line.replace('$?', String(last)), cwd);
    assert.match(ran.stdout + ran.stderr, patternOf(shown), line);
    last = ran.code ?? -1;
  }
});

test('evals.md names every key, rule and matcher there is', () => {
  const words = new Set(page.match(/[a-z_]+/g));
  for (const key of keysIn(suiteJsonSchema())) assert.ok(words.has(key), key);
});

function writeSuite(text: string, project: string): void {
  const [, name] = /^# (\.agent\/evals\/\S+)\n/.exec(text) ?? [];
  if (name === undefined) return;
  mkdirSync(path.join(project, path.dirname(name)), { recursive: true });
  writeFileSync(path.join(project, name), text);
}

function runShell(line: string, cwd: string): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

function blocksOf(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return Array.from(page.matchAll(pattern), ([, text = '']) => text);
}

function commands(): { line: string; shown: string }[] {
  const parts = blocksOf('console').flatMap((block) => block.split(/^\$ /m).slice(1));
  return parts.map((part) => ({ line: part.slice(0, part.indexOf('\n')), shown: part.slice(part.indexOf('\n') + 1) }));
}

/** `…` stands for anything, a line of its own for any number of lines. */
function patternOf(shown: string): RegExp {
  const escaped = shown.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/^…$/gm, '[\\s\\S]*').replaceAll('…', '.*')}\\s*$`);
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/"((?:\\"|[^"])*)"|\S+/g), ([word, quoted]) =>
    (quoted ?? word).replaceAll('\\"', '"'),
  );
}

function keysIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysIn);
  if (!isRecord(schema)) return [];
  const own = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(keysIn)];
}
