// Reads the needs of a whole skill from the texts of its files; the one place that knows all the readers.
import type { Manifest } from '../skill.ts';
import type { CodeFacts } from './code-facts.ts';
import { connectsIn, type FoundNeed, hostsInCode } from './code-host.ts';
import { devicesInCode, homesInCode, programsInCode } from './code-program.ts';
import { variablesInCode } from './code-variable.ts';
import { declaredNeeds } from './declared.ts';
import type { CodeLanguage } from './lex.ts';
import type { Need } from './need.ts';
import { readOtherCode } from './other-code.ts';
import { isBaseProgram } from './program.ts';
import { runnerOf, type ScriptKind } from './script-kind.ts';
import { sdkOf } from './sdk.ts';
import { sdkNeeds } from './sdk-need.ts';
import { readShell, type ShellNeeds, type ShellParser } from './shell.ts';
import { isMeant, readInstructions, readVariableList } from './text.ts';
import { tokenFacts } from './token-facts.ts';
import { isOwnVariable } from './variable.ts';

/** A file that is worth reading. */
export interface SourceText {
  readonly path: string;
  readonly kind: ScriptKind;
  readonly text: string;
  /** From the parser of the language itself, where there is one here. */
  readonly facts?: CodeFacts | undefined;
}

export interface ReadNeeds {
  readonly needs: readonly Need[];
  /** Files that are nested too deep to be read whole. */
  readonly deep: readonly string[];
}

export async function readNeeds(manifest: Manifest, sources: readonly SourceText[]): Promise<ReadNeeds> {
  const parser = sources.some(needsShell) ? await import('unbash') : undefined;
  const drafts = sources.map((source) => draft(source, parser));
  const skill: SkillFacts = {
    connects: drafts.some((one) => one.connects),
    sets: new Set(drafts.flatMap((one) => [...one.sets])),
  };
  const instructions = sources.find(({ kind }) => kind === 'instructions');
  const needs = [
    ...declaredNeeds(manifest, instructions?.path ?? 'SKILL.md', instructions?.text ?? ''),
    ...drafts.flatMap((one) => one.finish(skill).map((need) => ({ ...need, file: one.path }))),
  ];
  const own = needs.filter(({ kind, name }) => kind !== 'variable' || isOwnVariable(name));
  return { needs: unique(own), deep: drafts.filter((one) => one.isDeep).map((one) => one.path) };
}

/** Code can hold command lines as well. */
function needsShell({ kind }: SourceText): boolean {
  return kind !== 'variables' && kind !== 'other' && kind !== 'reference' && kind !== 'packages';
}

/** What one file has to know about the others. */
interface SkillFacts {
  /** Whether anything in the skill connects to a host. */
  readonly connects: boolean;
  /** Variables that its shell scripts set. */
  readonly sets: ReadonlySet<string>;
}

interface Draft extends SkillFacts {
  readonly path: string;
  readonly isDeep: boolean;
  finish(skill: SkillFacts): readonly FoundNeed[];
}

const NOTHING: ReadonlySet<string> = new Set();

function draft({ path, kind, text, facts }: SourceText, parser: ShellParser | undefined): Draft {
  const runner = kind === 'instructions' || kind === 'variables' ? undefined : runnerOf(path, kind, text);
  const run: FoundNeed[] =
    runner === undefined || isBaseProgram(runner)
      ? []
      : [{ kind: 'program', name: runner, line: 1, sure: 'implied', how: 'interpreter' }];
  const found = draftOf(kind, text, facts, parser);
  return { ...found, path, finish: (skill) => [...run, ...found.finish(skill)] };
}

type Unplaced = Omit<Draft, 'path'>;

function draftOf(
  kind: ScriptKind,
  text: string,
  facts: CodeFacts | undefined,
  parser: ShellParser | undefined,
): Unplaced {
  switch (kind) {
    case 'python':
    case 'javascript':
      return ofCode(facts ?? tokenFacts(text, kind), kind, parser);
    case 'shell':
      return parser ? ofShell(readShell(text, parser), parser) : fixed([]);
    case 'other':
      return fixed(readOtherCode(text));
    case 'instructions':
      return ofInstructions(text, parser);
    case 'variables':
      return fixed(readVariableList(text));
    case 'reference':
    case 'packages':
      return fixed([]);
  }
}

function fixed(needs: readonly FoundNeed[]): Unplaced {
  return { connects: needs.some(({ kind }) => kind === 'host'), sets: NOTHING, isDeep: false, finish: () => needs };
}

function ofCode(facts: CodeFacts, language: CodeLanguage, parser: ShellParser | undefined): Unplaced {
  const { needs, shell } = programsInCode(facts);
  const inShell = parser
    ? shell.map(({ text, line }) => moved(ofShell(readShell(text, parser), parser), line - 1))
    : [];
  const rest = [
    ...needs,
    ...variablesInCode(facts),
    ...homesInCode(facts),
    ...devicesInCode(facts),
    ...sdkNeeds(facts, language),
  ];
  return {
    connects:
      connectsIn(facts) ||
      facts.imports.some(({ name }) => sdkOf(name, language)) ||
      inShell.some(({ connects }) => connects),
    isDeep: inShell.some((one) => one.isDeep),
    sets: NOTHING,
    finish: (skill) => [
      ...rest,
      ...hostsInCode(facts, skill.connects),
      ...inShell.flatMap((one) => one.finish(skill).filter(isNotVariable)),
    ],
  };
}

/** A variable in a command line that code makes is that code's own. */
function isNotVariable({ kind }: FoundNeed): boolean {
  return kind !== 'variable';
}

function ofShell({ needs, embedded, connects, sets, sources, isDeep }: ShellNeeds, parser: ShellParser): Unplaced {
  const inside = embedded.map(({ language, text, line }) =>
    moved(ofCode(tokenFacts(text, language), language, parser), line - 1),
  );
  return {
    connects: connects || inside.some((one) => one.connects),
    isDeep: isDeep || inside.some((one) => one.isDeep),
    sets,
    finish: (skill) => [
      // A name that it sets itself where it is missing is asked of whoever starts it all the same.
      ...(sources ? needs.filter((need) => isSet(need, sets) || !isSet(need, skill.sets)) : needs),
      // What the script sets, it hands on to the code inside of it.
      ...inside.flatMap((one) => one.finish(skill)).filter((need) => !isSet(need, sets)),
    ],
  };
}

function isSet({ kind, name }: FoundNeed, sets: ReadonlySet<string>): boolean {
  return kind === 'variable' && sets.has(name);
}

function moved({ finish, ...facts }: Unplaced, lines: number): Unplaced {
  return { ...facts, finish: (skill) => finish(skill).map((need) => ({ ...need, line: need.line + lines })) };
}

/** What a model may do because the instructions show it: probable, never sure. */
function ofInstructions(text: string, parser: ShellParser | undefined): Unplaced {
  const { blocks, needs } = readInstructions(text);
  const inside = blocks.map(({ language, text: code, line }) => {
    const read = language === 'shell' ? parser && ofShell(readShell(code, parser), parser) : undefined;
    return moved(
      read ?? (language === 'shell' ? fixed([]) : ofCode(tokenFacts(code, language), language, parser)),
      line - 1,
    );
  });
  return {
    connects: inside.some((one) => one.connects),
    isDeep: inside.some((one) => one.isDeep),
    sets: NOTHING,
    finish: (skill) => [
      ...needs,
      ...inside
        .flatMap((one) => one.finish(skill))
        .filter(({ kind, name }) => kind !== 'variable' || isMeant(name))
        .map((need): FoundNeed => ({ ...need, sure: 'likely' })),
    ],
  };
}

/** The first place of each file. */
function unique(needs: readonly Need[]): Need[] {
  const seen = new Map<string, Need>();
  for (const need of needs) {
    const key = JSON.stringify([need.kind, need.name, need.port, need.file]);
    const known = seen.get(key);
    if (!known || (known.sure === 'likely' && need.sure !== 'likely')) seen.set(key, need);
  }
  return [...seen.values()].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
