// One simple command of a script: its words, what it sets, what it writes, and what it starts through other programs.
import type { Assignment, Command, CommandArgument } from 'unbash';
import type { Finder } from '../command/started.ts';
import { unwrap } from '../command/wrapper.ts';
import { changesFolder, isBuiltin, whyBuiltinUnjudged } from './builtin.ts';
import type { UnjudgedReason } from './reason.ts';
import { readRedirects } from './redirect.ts';
import { isOpen, type ShellCommand, type ShellWord, spellWord } from './script.ts';
import { isHarmlessExport, isOwnVariable } from './variable.ts';
import type { Walk } from './walk-state.ts';
import { readWord } from './word.ts';

type Around = Pick<ShellCommand, 'assigned' | 'writes'>;

export function readCommand(node: Command, walk: Walk): void {
  const assignments = node.prefix.filter((part) => part.type === 'Assignment');
  const isKept = node.name === undefined;
  for (const assignment of assignments) readAssignment(assignment, isKept ? isOwnVariable : isHarmlessExport, walk);
  const writes = readRedirects(node.redirects, walk.source, walk);
  const around = { assigned: assignments.map(({ name }) => name), writes };
  if (!node.name) {
    walk.commands.push({ kind: 'builtin', words: [], ...around });
    return;
  }
  const words = [readWord(node.name, walk), ...node.args.map((argument) => readArgument(argument, walk))];
  judgeWords(words, 'shell', around, walk);
}

/** Notes the command that these words are, and those that it starts. */
export function judgeWords(words: readonly ShellWord[], finder: Finder, around: Around, walk: Walk): void {
  const [first, ...rest] = words;
  if (first === undefined || isOpen(first) || first === '') report(words, 'computed-program', walk);
  else if (finder === 'shell' && walk.functions.has(first)) note('function', words, around, walk);
  else if (finder !== 'program' && isBuiltin(first)) {
    const why = whyBuiltinUnjudged(first, rest);
    if (why === undefined) note('builtin', words, around, walk);
    else report(words, why, walk);
  } else judgeStarted(words, around, walk);
}

function judgeStarted(words: readonly ShellWord[], around: Around, walk: Walk): void {
  const started = unwrap(words);
  switch (started.kind) {
    case 'nothing':
      note('program', words, around, walk);
      break;
    case 'looks-up':
      note('builtin', words, around, walk);
      break;
    case 'input':
      note('program', words, around, walk);
      report(words, 'evaluates', walk);
      break;
    case 'unknown':
      report(words, started.why, walk);
      break;
    case 'script':
      note('wrapper', words, around, walk);
      walk.inner(started.script, started.posix);
      break;
    case 'commands':
      note(started.own ? 'program' : 'wrapper', started.own ?? words, around, walk);
      for (const inner of started.commands) judgeWords(inner, started.finder, NOTHING, walk);
  }
}

const NOTHING: Around = { assigned: [], writes: [] };

function note(kind: ShellCommand['kind'], words: readonly ShellWord[], around: Around, walk: Walk): void {
  walk.commands.push({ kind, words, ...around });
}

function report(words: readonly ShellWord[], why: UnjudgedReason, walk: Walk): void {
  walk.report(words.map(spellWord).join(' '), why);
}

function readAssignment(assignment: Assignment, isHarmless: (name: string) => boolean, walk: Walk): ShellWord {
  const { name, value, index, text } = assignment;
  if (!isHarmless(name)) walk.report(text, 'variable');
  // An index is an arithmetic expression.
  if (index) walk.report(text, 'arithmetic');
  if (value.type === 'Word') return joined(`${name}=`, readWord(value, walk), text);
  if (walk.posix || value.elements.some((element) => /^\[/.test(element.text))) walk.report(text, 'arithmetic');
  for (const element of value.elements) readWord(element, walk);
  return { prefix: `${name}=`, single: true, text };
}

/** In the words of a declaration nothing falls apart. */
function joined(start: string, value: ShellWord, text: string): ShellWord {
  return isOpen(value) ? { prefix: start + value.prefix, single: true, text } : start + value;
}

/** Whether the name may be set is for the builtin to say. */
function readArgument(argument: CommandArgument, walk: Walk): ShellWord {
  return argument.type === 'Word' ? readWord(argument, walk) : readAssignment(argument, () => true, walk);
}

export function movesIn(commands: readonly ShellCommand[]): boolean {
  return commands.some(
    ({ kind, words: [name] }) => kind === 'builtin' && name !== undefined && !isOpen(name) && changesFolder(name),
  );
}
