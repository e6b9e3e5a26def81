// Example prompts of a skill in `evals/`: what people write when they need it.
import { lstatSync, readdirSync } from 'node:fs';
import { isRecord, type Json, parseJson } from '../../base/json.ts';

const FOLDER = 'evals';
const FILES = 20;

/** The files that may hold prompts, in the order of their names. */
export function exampleFiles(skillFolder: string): string[] {
  const folder = `${skillFolder}/${FOLDER}`;
  try {
    // A linked folder is skipped: it may be anywhere.
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names
      .sort()
      .slice(0, FILES)
      .map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/**
 * Prompts of `{"evals": [{"prompt"}]}` in any spelling of its lists, and of `[{"query", "should_trigger"}]`; negative
 * examples are left out.
 */
export function readExamples(text: string): string[] {
  const document = tryParse(text);
  const lists = Array.isArray(document) ? [document] : isRecord(document) ? Object.values(document) : [];
  return lists.filter(Array.isArray).flat().flatMap(promptOf);
}

function promptOf(item: unknown): string[] {
  if (!isRecord(item)) return [];
  const { prompt, input, query, should_trigger: should } = item;
  // A query declares whether it should trigger the skill; a prompt does, unless it says no.
  const asked = should === true ? (query ?? prompt ?? input) : should === undefined ? (prompt ?? input) : undefined;
  return typeof asked === 'string' && asked.trim() !== '' ? [asked.trim()] : [];
}

function tryParse(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
