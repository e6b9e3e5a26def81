// What came out of a run, compared with what was expected: text, structure, files; each matcher can be turned around.
// The whole module for globSync: where an older Node lacks that name, nothing could be loaded to say so.
import fs, { statSync } from 'node:fs';
import path from 'node:path';
import { canonicalJson, type Json, parseJson } from '../base/json.ts';
import { isInside, realPath } from '../base/paths.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { compilePattern, isTooMuchWork } from '../tools/pattern.ts';
import type { Matcher } from './case/case.ts';
import { selectJson } from './json-path.ts';

/** What a matcher looks at. */
export interface Produced {
  readonly text: string;
  readonly folder?: string;
}

export interface Matched {
  readonly ok: boolean;
  readonly message: string;
}

/** Rubrics and functions of the caller are not decided here. */
export type PlainMatcher = Exclude<Matcher, { kind: 'rubric' | 'custom' | 'not' }>;

export async function match(matcher: PlainMatcher, produced: Produced): Promise<Matched> {
  const { text } = produced;
  switch (matcher.kind) {
    case 'equals':
      return { ok: equals(matcher.value, text), message: `is not ${JSON.stringify(matcher.value)}` };
    case 'contains_all': {
      const missing = matcher.words.filter((word) => !contains(text, word, matcher.ignoreCase));
      return { ok: missing.length === 0, message: `does not contain ${quoted(missing)}` };
    }
    case 'contains_any': {
      const ok = matcher.words.some((word) => contains(text, word, matcher.ignoreCase));
      return { ok, message: `contains none of ${quoted(matcher.words)}` };
    }
    case 'regex':
      return { ok: await finds(matcher.pattern, text), message: `does not match ${matcher.pattern}` };
    case 'json_schema':
      return await matchSchema(matcher.schema, text);
    case 'json_path':
      return matchPath(matcher, text);
    case 'file_exists': {
      const ok = findFiles(matcher.path, produced.folder).length > 0;
      return { ok, message: `no file ${matcher.path}` };
    }
    case 'file_matches':
      return await matchFile(matcher, produced);
  }
}

/** A text as it is, surrounding space aside; any other value as the JSON it stands for. */
function equals(value: Json, text: string): boolean {
  if (typeof value === 'string') return text.trim() === value.trim();
  const read = readJson(text);
  return read !== undefined && canonicalJson(read) === canonicalJson(value);
}

function contains(text: string, word: string, ignoreCase: boolean): boolean {
  return ignoreCase ? text.toLowerCase().includes(word.toLowerCase()) : text.includes(word);
}

async function finds(pattern: string, text: string): Promise<boolean> {
  const compiled = await compilePattern(pattern);
  return !isTooMuchWork(compiled, text) && compiled.matcher(text).find();
}

async function matchSchema(schema: Json, text: string): Promise<Matched> {
  const value = readJson(text);
  if (value === undefined) return { ok: false, message: 'is not JSON' };
  const { fromJSONSchema } = await import('zod');
  const checked = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]).safeParse(value);
  if (checked.success) return { ok: true, message: 'fits the schema' };
  const [issue] = checked.error.issues;
  return { ok: false, message: `does not fit the schema: ${issue?.path.join('.') || 'value'}: ${issue?.message}` };
}

function matchPath({ path: written, equals: wanted }: Matcher & { kind: 'json_path' }, text: string): Matched {
  const value = readJson(text);
  if (value === undefined) return { ok: false, message: 'is not JSON' };
  const found = selectJson(value, written);
  const fits = found.filter((one) => wanted === undefined || canonicalJson(one) === canonicalJson(wanted));
  const message =
    wanted === undefined
      ? `has nothing at ${written}`
      : `${written} is ${JSON.stringify(found[0])}, not ${JSON.stringify(wanted)}`;
  return { ok: fits.length > 0, message };
}

async function matchFile(
  { path: name, of }: Matcher & { kind: 'file_matches' },
  { folder }: Produced,
): Promise<Matched> {
  const files = findFiles(name, folder);
  if (files.length === 0) return { ok: false, message: `no file ${name}` };
  let last = '';
  for (const file of files) {
    const matched = await matchText(of, readTextIfThere(file) ?? '');
    if (matched.ok) return matched;
    last = matched.message;
  }
  return { ok: false, message: `${name} ${last}` };
}

async function matchText(matcher: Matcher, text: string): Promise<Matched> {
  if (matcher.kind === 'not') {
    const { ok, message } = await matchText(matcher.of, text);
    return { ok: !ok, message: ok ? `fits what it must not: ${describeMatcher(matcher.of)}` : message };
  }
  if (matcher.kind === 'rubric' || matcher.kind === 'custom') return { ok: false, message: 'cannot look into a file' };
  return await match(matcher, { text });
}

/** A name or a pattern with `*`; nothing outside the folder of the run is looked at. */
function findFiles(name: string, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const root = realPath(folder) ?? folder;
  const names = name.includes('*') ? fs.globSync(name, { cwd: root }) : [name];
  return names
    .map((one) => realPath(path.join(root, one)))
    .filter((file) => file !== undefined && isInside(root, file) && statSync(file).isFile())
    .map(String)
    .sort();
}

export function describeMatcher(matcher: Matcher): string {
  switch (matcher.kind) {
    case 'not':
      return `not ${describeMatcher(matcher.of)}`;
    case 'equals':
      return `equals ${JSON.stringify(matcher.value)}`;
    case 'contains_all':
    case 'contains_any':
      return `${matcher.kind} ${quoted(matcher.words)}`;
    case 'regex':
      return `regex ${matcher.pattern}`;
    case 'json_schema':
      return 'json_schema';
    case 'json_path':
    case 'file_exists':
      return `${matcher.kind} ${matcher.path}`;
    case 'file_matches':
      return `file_matches ${matcher.path}: ${describeMatcher(matcher.of)}`;
    case 'rubric':
      return `rubric: ${matcher.text}`;
    case 'custom':
      return `custom ${matcher.name}`;
  }
}

function readJson(text: string): Json | undefined {
  // Models like to wrap JSON in a fence.
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1];
  try {
    return parseJson(fenced ?? text);
  } catch {
    return undefined;
  }
}

function quoted(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ');
}
