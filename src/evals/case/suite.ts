// Suites on disk: which files contain cases, and the cases in them. One bad file is reported and breaks nothing.
// The whole module for globSync: where an older Node lacks that name, a named import would fail to load.
import fs, { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose, NOT_A_FILE, readerFailed } from '../../base/diagnostic.ts';
import { sha256 } from '../../base/ids.ts';
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { isNotFound, readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { importSet } from '../import/import.ts';
import type { ImportedCase, ImportPlace } from '../import/imported.ts';
import type { Case } from './case.ts';
import { readSuiteText, type SuiteText } from './suite-text.ts';

/** One file of cases. */
export interface SuiteFile {
  readonly file: string;
  /** The skill whose folder contains it. */
  readonly skill?: string;
}

export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly diagnostics: readonly Diagnostic[];
}

const SIZE_LIMIT = 8 * 1024 * 1024;
const OWN = 'skillwright';
const SUITE_FILE = /\.(?:json|ya?ml)$/;

/**
 * Files of cases in a folder of suites, and one level below it.
 * @example
 * const files = findSuiteFiles('.agent/evals');
 */
export function findSuiteFiles(folder: string, skill?: string): SuiteFile[] {
  const entries = readFolder(folder);
  const here = entries.filter((name) => SUITE_FILE.test(name)).map((name) => path.join(folder, name));
  const below = entries
    .map((name) => path.join(folder, name))
    .filter((one) => statSync(one, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((one) =>
      readFolder(one)
        .filter(isSet)
        .map((name) => path.join(one, name)),
    );
  return [...here, ...below].map((file) => ({ file, ...(skill !== undefined && { skill }) }));
}

// Below the first level there are tasks, fixtures and reports too; only files named as sets count.
function isSet(name: string): boolean {
  return /^(?:evals?|trigger_tests|triggers|cases)\.(?:json|ya?ml)$/.test(name);
}

/**
 * Several files as one suite; a case whose id is taken gets the name of its skill or file before it.
 * @example
 * const { cases, diagnostics } = await readSuites(findSuiteFiles('.agent/evals'), 'all');
 */
export async function readSuites(files: readonly SuiteFile[], name: string): Promise<Suite> {
  const read = [];
  for (const file of files) read.push(await readGuarded(file));
  const diagnostics = read.flatMap((suite) => suite.diagnostics);
  return { name, cases: withoutTwins(read.flatMap(({ cases }) => cases)), diagnostics };
}

/** A failure in one file does not affect the others. */
async function readGuarded(file: SuiteFile): Promise<{ cases: Case[]; diagnostics: Diagnostic[] }> {
  try {
    return await readSuite(file);
  } catch (error) {
    return { cases: [], diagnostics: [readerFailed(file.file, error)] };
  }
}

/**
 * The cases of one file; what is wrong with it is among the findings, and the other cases are there.
 * @example
 * const { cases, diagnostics } = await readSuite({ file: '.agent/evals/mine.yaml' });
 */
export async function readSuite({ file, skill }: SuiteFile): Promise<{ cases: Case[]; diagnostics: Diagnostic[] }> {
  const text = readText(file);
  if (typeof text !== 'string') return { cases: [], diagnostics: [mistake(file, text.problem)] };
  const read = await readSuiteText(text, file.endsWith('.json') ? 'json' : 'yaml');
  if ('problem' in read) return { cases: [], diagnostics: [mistake(file, unreadable(read.problem), read.line)] };
  const place = await placeOf(file, skill);
  const found = importSet(read.value, place) ?? ownForm(read.value);
  const refused = found.refused.map((one) => mistake(file, one.reason, read.lineOf(one.path)));
  const owner = found.skill ?? skill;
  // Sets of single skills all name their cases 1, 2, 3.
  const prefix = found.format === OWN || owner === undefined ? '' : `${owner}/`;
  const checked = await checkCases(found.cases, { file, skill: owner, prefix }, read);
  return { cases: checked.cases, diagnostics: [...refused, ...checked.diagnostics] };
}

const AROUND_CASES = ['cases', 'defaults', 'name', 'description'];

/** A case, a list of cases, or `{cases}`. */
function ownForm(value: unknown): ReturnType<typeof importSet> & object {
  const items = Array.isArray(value) ? value : isRecord(value) && Array.isArray(value.cases) ? value.cases : [value];
  const around = isRecord(value) && Array.isArray(value.cases) ? Object.keys(value) : [];
  const above = around.length > 0 ? ['cases'] : [];
  const strange = around.filter((key) => !AROUND_CASES.includes(key));
  const defaults = isRecord(value) && isRecord(value.defaults) ? value.defaults : {};
  const pathOf = (at: number): PropertyKey[] => (items[0] === value ? [] : [...above, at]);
  return {
    format: OWN,
    cases: items.flatMap((item, at) =>
      isRecord(item) ? [{ written: { ...defaults, ...item }, path: pathOf(at) }] : [],
    ),
    refused: [
      ...strange.map((key) => ({
        path: [key],
        reason: unknownBeside(key),
      })),
      ...items.flatMap((item, at) => (isRecord(item) ? [] : [{ path: pathOf(at), reason: NOT_A_CASE }])),
    ],
  };
}

const NOT_A_CASE: Text = { en: 'is not a case', zh: '不是用例' };

function unknownBeside(key: string): Text {
  const known = AROUND_CASES.slice(1).join(', ');
  return { en: `unknown key ${key}; beside cases stand ${known}`, zh: `未知的键 ${key}；cases 之外可写 ${known}` };
}

function unreadable(problem: string): Text {
  return { en: `cannot be read: ${problem}`, zh: `无法读取: ${problem}` };
}

async function checkCases(
  found: readonly ImportedCase[],
  { file, skill, prefix }: { file: string; skill: string | undefined; prefix: string },
  read: Extract<SuiteText, { value: unknown }>,
): Promise<{ cases: Case[]; diagnostics: Diagnostic[] }> {
  const [{ checkCase }, { toCase }] = await Promise.all([import('./schema.ts'), import('./plain.ts')]);
  const cases: Case[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { written, path: at } of found) {
    const checked = checkCase(written);
    const line = read.lineOf(at);
    if ('written' in checked) {
      const said = toCase(checked.written);
      const id = said.id === undefined ? nameFor(said.turns, skill) : `${prefix}${said.id}`;
      cases.push({ ...said, id, file, ...(line !== undefined && { line }), ...(skill !== undefined && { skill }) });
    } else {
      for (const { path: inner, message, fix } of checked.issues)
        diagnostics.push(mistake(file, message, read.lineOf([...at, ...inner]), fix));
    }
  }
  return { cases, diagnostics };
}

/** A case without a name is identified by its request, so that a baseline finds it again. */
function nameFor(turns: readonly string[], skill: string | undefined): string {
  const words = (turns[0] ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const start = words.slice(0, 5).join('-').slice(0, 40);
  return `${skill === undefined ? '' : `${skill}/`}${start}-${sha256(turns.join('\n')).slice(0, 6)}`;
}

/** Two cases of one name are distinguished by their files, then by a number. */
function withoutTwins(cases: readonly Case[]): Case[] {
  const seen = new Map<string, number>();
  const first = new Set(cases.filter(({ id }, at) => cases.findIndex((one) => one.id === id) === at));
  return cases.map((test) => {
    if (first.has(test)) return test;
    const id = `${test.skill ?? path.basename(test.file).replace(SUITE_FILE, '')}/${test.id}`;
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return { ...test, id: times === 1 && !cases.some((one) => one.id === id) ? id : `${id}#${times}` };
  });
}

/** Files named by a set are in its folder or in that of its skill, never elsewhere. */
async function placeOf(file: string, skill: string | undefined): Promise<ImportPlace> {
  const folder = path.dirname(file);
  const roots = [folder, ...(path.basename(folder) === 'evals' ? [path.dirname(folder)] : [])];
  const inside = (root: string, name: string): string | undefined => {
    const real = realPath(path.join(root, name));
    return real !== undefined && isInside(realPath(root) ?? root, real) && statSync(real).isFile() ? real : undefined;
  };
  const tasks = new Map<string, { name: string; value: unknown }[]>();
  const text = readTextIfThere(file) ?? '';
  // Patterns are few and literal in the file; their files are read before the importer asks.
  for (const [pattern] of text.matchAll(/[\w./*-]+\.ya?ml\b/g)) {
    const names = fs.globSync(pattern, { cwd: folder }).sort();
    const read = [];
    for (const name of names) {
      const real = inside(folder, name);
      if (real === undefined || real === realPath(file)) continue;
      const parsed = await readSuiteText(readTextIfThere(real) ?? '', 'yaml');
      read.push({ name, value: 'value' in parsed ? parsed.value : undefined });
    }
    tasks.set(pattern, read);
  }
  return {
    ...(skill !== undefined && { skill }),
    read: (name) => {
      const found = roots.map((root) => inside(root, name)).find((one) => one !== undefined);
      return found === undefined ? undefined : readTextIfThere(found);
    },
    readAll: (pattern) => tasks.get(pattern) ?? [],
  };
}

function readText(file: string): string | { problem: Text } {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return { problem: NOT_A_FILE };
  if (found.size > SIZE_LIMIT)
    return { problem: { en: `is larger than ${SIZE_LIMIT} bytes`, zh: `超过 ${SIZE_LIMIT} 字节` } };
  return readTextIfThere(file) ?? '';
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

function mistake(file: string, { en, zh }: Text, line?: number, fix?: Text): Diagnostic {
  const place = { path: file, ...(line !== undefined && { line }) };
  return diagnose({
    code: 'eval-invalid',
    severity: 'error',
    ...place,
    message: { en: visible(en), zh: visible(zh) },
    fix,
  });
}
