// What somebody wrote behind the name of a skill, as the placeholders of its texts take it: whole, by place, by name.
import type { Json } from '../base/json.ts';
import { splitWords } from '../base/text/split-words.ts';
import type { Manifest } from '../skill/skill.ts';

export interface SkillArguments {
  /** As `$ARGUMENTS` takes it. */
  readonly line: string;
  readonly entries: readonly SkillArgument[];
}

export interface SkillArgument {
  readonly value: string;
  /** From 0 on; none where it was given by name. */
  readonly place?: number;
  /** Declared by the skill for this place. */
  readonly name?: string;
}

type Declaring = Pick<Manifest, 'params'>;

/** Quotes keep words together. Declared names stand for the words in their order. */
export function argumentsOf(line: string, manifest: Declaring = {}): SkillArguments {
  return { line, entries: placeWords(wordsOf(line), declaredNames(manifest)) };
}

export interface GivenArguments {
  readonly input?: string;
  /** Words behind the input. */
  readonly more?: readonly string[];
  /** By name, or by place: `1` is the first. */
  readonly params: Readonly<Record<string, Json>>;
}

export function givenArguments({ input, more = [], params }: GivenArguments, manifest: Declaring): SkillArguments {
  const names = declaredNames(manifest);
  const typed = input === undefined ? [] : more.length > 0 ? [input, ...more] : wordsOf(input);
  const entries = new Map(placeWords(typed, names).map((entry) => [String(entry.place), entry]));
  for (const [key, given] of Object.entries(params)) {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    if (/^[1-9]$/.test(key)) entries.set(String(Number(key) - 1), placeWord(text, Number(key) - 1, names));
    else if (names.includes(key)) entries.set(String(names.indexOf(key)), placeWord(text, names.indexOf(key), names));
    else entries.set(`${key}=`, { value: `${key}=${text}` });
  }
  const all = [...entries.values()].sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity));
  const isAsTyped = input !== undefined && more.length === 0 && Object.keys(params).length === 0;
  return { line: isAsTyped ? input : all.map(({ value }) => value).join(' '), entries: all };
}

function declaredNames({ params = [] }: Declaring): string[] {
  return params.map(({ name }) => name);
}

function wordsOf(line: string): string[] {
  return splitWords(line) ?? line.split(/\s+/).filter((word) => word !== '');
}

function placeWords(words: readonly string[], names: readonly string[]): SkillArgument[] {
  return words.map((word, place) => placeWord(word, place, names));
}

function placeWord(value: string, place: number, names: readonly string[]): SkillArgument {
  const name = names[place];
  return { value, place, ...(name !== undefined && { name }) };
}
