// The spec profile beside the reference validator, rule by rule, on real files that both can read.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { lintSkill } from '../../../src/skill/lint/lint.ts';
import { dataFolder, isLong, repository, temporaryFolder } from '../../support/support.ts';

type Validate = (folder: string) => Promise<string[]>;

/** What each of its sentences is called here. */
const SENTENCES: readonly (readonly [sentence: RegExp, code: string])[] = [
  [/^Unexpected fields/, 'spec-field'],
  [/must be lowercase$|hyphen|invalid characters/, 'name-shape'],
  [/^Skill name .* exceeds/, 'name-long'],
  [/^Directory name/, 'name-folder'],
  [/frontmatter: name$|'name' must be/, 'name-missing'],
  [/frontmatter: description$|'description' must be/, 'description-missing'],
  [/^Description exceeds/, 'spec-description'],
  [/compatibility/i, 'spec-compatibility'],
];
const UNREADABLE = /^SKILL\.md |^Invalid YAML|^TypeError/;

/** Where the two differ on purpose; anything else is a mistake of ours. */
const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'spec-metadata':
    'skills-ref turns every value of metadata into text before it looks; the specification asks for text',
  'spec-allowed-tools': 'skills-ref does not look at allowed-tools; the specification asks for one text',
};

async function findValidator(t: TestContext): Promise<Validate | undefined> {
  const file = path.join(repository, 'bench', 'node_modules', 'skills-ref', 'dist', 'index.js');
  if (existsSync(file)) return ((await import(pathToFileURL(file).href)) as { validate: Validate }).validate;
  if (isLong()) throw new Error('bench/node_modules has no skills-ref; install the packages of bench/ for test:long');
  t.diagnostic('not run: bench/node_modules has no skills-ref');
  return undefined;
}

function readRows(folder: string): { path: string; text: string }[] {
  const lines = readFileSync(path.join(folder, 'skill-files', 'skills.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

function judgeHere(text: string, folderName: string): string[] {
  const options = { path: 'SKILL.md', folderName, profile: 'spec', maxBodyLines: 500 } as const;
  const errors = lintSkill(text, options).filter(({ severity }) => severity === 'error');
  return [...new Set(errors.map(({ code }) => code))].filter((code) => !code.startsWith('body-'));
}

function translate(sentences: readonly string[]): string[] {
  return [...new Set(sentences.map((sentence) => SENTENCES.find(([shape]) => shape.test(sentence))?.[1] ?? sentence))];
}

function isReadHere(codes: readonly string[]): boolean {
  return !codes.some((code) => /^(?:yaml-|fence-|frontmatter-|bom$|file-)/.test(code));
}

type Totals = Record<'same' | 'explained' | 'only here' | 'only there' | 'neither', number>;

test('the spec profile and skills-ref find the same in every file both can read', async (t) => {
  const validate = await findValidator(t);
  const data = dataFolder(t);
  if (validate === undefined || data === undefined) return;
  const root = temporaryFolder(t);
  const differences = new Map<string, number>();
  const totals: Totals = { same: 0, explained: 0, 'only here': 0, 'only there': 0, neither: 0 };
  for (const [index, row] of readRows(data).entries()) {
    const folder = path.join(root, String(index), path.basename(path.dirname(row.path)));
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'SKILL.md'), row.text);
    const there: string[] = await validate(folder);
    const here = judgeHere(row.text, path.basename(folder));
    const known = compare(row.path, here, there, totals);
    for (const code of known) differences.set(code, (differences.get(code) ?? 0) + 1);
  }
  t.diagnostic(JSON.stringify(totals));
  for (const [code, count] of differences) t.diagnostic(`${count} files differ by ${code}: ${KNOWN_DIFFERENCES[code]}`);
  assert.ok(totals.same > 0);
});

/** The known differences in one file; an unknown one fails. */
function compare(file: string, here: readonly string[], there: readonly string[], totals: Totals): string[] {
  const isReadThere = !there.some((sentence) => UNREADABLE.test(sentence));
  if (!isReadHere(here) || !isReadThere) {
    totals[isReadHere(here) ? 'only here' : isReadThere ? 'only there' : 'neither']++;
    return [];
  }
  const found = new Set(translate(there));
  const extra = here.filter((code) => !found.has(code));
  const unknown = [
    ...extra.filter((code) => !(code in KNOWN_DIFFERENCES)),
    ...[...found].filter((code) => !here.includes(code)),
  ];
  assert.deepEqual({ file, unknown }, { file, unknown: [] });
  totals[extra.length === 0 ? 'same' : 'explained']++;
  return extra;
}
