// Says why a prefix rule must not stretch over the rest of a command: words that would run something else.
import { findHidden } from '../../base/text.ts';
import { isOpen, type ShellWord } from '../shell/script.ts';
import { isAbbreviation } from './abbreviation.ts';
import { isAwkName, refuseAwk } from './awk.ts';
import { factsFor, type ProgramFacts, programName } from './facts.ts';
import { refuseGit } from './git.ts';
import { refuseOpen } from './open-word.ts';
import { refuseSed } from './sed.ts';
import { tellsOnly } from './tells-only.ts';

/** The reason why words beyond the first `fixed` ones may not be left open, or undefined. */
export type Guard = (words: readonly ShellWord[], fixed: number, scriptFixed?: boolean) => string | undefined;

/** With `scriptFixed`, an interpreter's script must be among the words that were spelled out. */
export const refuseStretch: Guard = (words, fixed, scriptFixed = false) => {
  const facts = factsFor(nameOf(words));
  const open = words.findIndex(isOpen);
  const isInterpreter = facts?.kind === 'interpreter' && open !== -1;
  // Behind its script an interpreter looks at nothing.
  if (isInterpreter) return refuseLiteral(words.slice(0, open).map(standIn), fixed, scriptFixed);
  return (
    (isAwk(words) ? refuseAwk(words) : refuseOpen(words, facts)) ??
    refuseLiteral(words.map(standIn), fixed, scriptFixed)
  );
};

/** Whatever follows: its arguments are a program, or name one. */
export function neverStretches(words: readonly ShellWord[]): boolean {
  return factsFor(nameOf(words))?.kind === 'launcher' && !isAwk(words);
}

function nameOf([first]: readonly ShellWord[]): string {
  return first === undefined || isOpen(first) ? '' : programName(first);
}

function isAwk(words: readonly ShellWord[]): boolean {
  return isAwkName(nameOf(words));
}

/** In the place of an open word: what is known of it. */
function standIn(word: ShellWord): string {
  return isOpen(word) ? `${word.prefix}_` : word;
}

function refuseLiteral(argv: readonly string[], fixed: number, scriptFixed: boolean): string | undefined {
  const program = programName(argv[0] ?? '');
  const facts = factsFor(program);
  return (
    refuseText(argv, program) ??
    (program === 'git' ? refuseGit(argv) : undefined) ??
    (program === 'sed' || program === 'gsed' ? refuseSed(argv) : undefined) ??
    (facts ? refuseKnown(argv, fixed, facts, scriptFixed) : refuseUnknown(argv))
  );
}

function refuseKnown(argv: readonly string[], fixed: number, facts: ProgramFacts, scriptFixed: boolean) {
  return (
    refuseKind(argv, fixed, facts, scriptFixed) ??
    refuseOptions(argv, fixed, facts) ??
    refuseCarried(argv, fixed, facts, scriptFixed)
  );
}

// What such options mean to most programs that have them: code, or another program.
const EXECUTES =
  /^(?:-c|-e|-[a-z]{0,2}c|--?(?:eval|exec|command|cmd|run|shell|pager|editor|plugin|preload|require|import|hook|rsh|script|program|launcher|wrapper|interpreter)(?:[-=].*)?|--(?:pre|post)-(?:hook|command|cmd|exec).*)$/;

/** Of a program nobody knows, words that most programs take for code; a file with a path knows its own options. */
function refuseUnknown([program = '', ...words]: readonly string[]): string | undefined {
  if (program.includes('/')) return undefined;
  const word = words.find((one) => EXECUTES.test(one));
  return word && `${program} ${word} may run code from its arguments`;
}

/** Behind `uv run` stands a command, perhaps behind options with values of their own. */
function refuseCarried(argv: readonly string[], fixed: number, facts: ProgramFacts, scriptFixed: boolean) {
  if (!facts.carries?.includes(argv[1] ?? '')) return undefined;
  for (let at = 2; at < argv.length; at++) {
    if (argv[at]?.startsWith('-')) continue;
    const why = refuseLiteral(argv.slice(at), Math.max(fixed - at, 0), scriptFixed);
    if (why !== undefined) return why;
    if (!argv[at - 1]?.startsWith('-')) return undefined;
  }
  return undefined;
}

const SHELL_SYNTAX = /[;&|<>`\n\r]|\$[({]/;
const PLAIN_URL = /^https?:\/\/[^\s`$<>|;()]+$/;
// These only read their arguments as text, where such characters are everyday.
const TEXT_PROGRAMS = new Set(
  'grep egrep fgrep rg jq yq echo printf expr tr cut awk gawk mawk nawk sed gsed'.split(' '),
);
// Formats and searches of git are text as well.
const PLAIN_TEXT = /^--(?:format|pretty|grep|author|committer|message|since|until|after|before|date)=/;
const TEXT_OPTIONS = new Map([
  ['git', new Set(['-m', '--message', '-S', '-G'])],
  ['gh', new Set(['-b', '--body', '-t', '--title'])],
]);

function refuseText(argv: readonly string[], program: string): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (findHidden(word).length > 0 || word.includes('\0')) return `word ${index + 1} has hidden characters`;
    if (index > 0 && TEXT_PROGRAMS.has(program)) continue;
    if (index > 0 && TEXT_OPTIONS.get(program)?.has(argv[index - 1] ?? '')) continue;
    if (program === 'git' && PLAIN_TEXT.test(word)) continue;
    if (SHELL_SYNTAX.test(word) && !PLAIN_URL.test(word)) return `word ${index + 1} has shell syntax`;
  }
  return undefined;
}

function refuseKind(
  argv: readonly string[],
  fixed: number,
  facts: ProgramFacts,
  scriptFixed: boolean,
): string | undefined {
  switch (facts.kind) {
    case 'launcher':
      if (isAwk(argv)) return undefined;
      return `${argv[0]} runs what its arguments say`;
    case 'runner':
      return firstOperand(argv) < fixed ? undefined : `${argv[0]} fetches what its arguments say`;
    case 'interpreter':
      return refuseInterpreter(argv, fixed, scriptFixed);
    default:
      return undefined;
  }
}

// Flags that take no value and load no code; everything else before the script is refused.
export const HARMLESS_FLAG = /^(-[uBEsIOSbq]+|--no-warnings|--enable-source-maps)$/;

function refuseInterpreter(argv: readonly string[], fixed: number, scriptFixed: boolean): string | undefined {
  if (tellsOnly(argv.slice(1))) return undefined;
  const program = argv[0] ?? '';
  for (const [index, word] of argv.entries()) {
    if (index === 0) continue;
    const isModule = word === '-m' && programName(program).startsWith('py') && index + 1 < fixed;
    if (isModule) return undefined;
    if (word.startsWith('-') || word.startsWith('+')) {
      if (HARMLESS_FLAG.test(word) && programName(program).startsWith(word.startsWith('--') ? 'node' : 'py')) continue;
      return `${program} ${word} can run code from its arguments`;
    }
    if (/^\/(dev|proc)\//.test(word) || /^[a-z][a-z+.-]+:/i.test(word)) return `${program} would run ${word}`;
    return scriptFixed && index >= fixed ? `${program} could run any script` : undefined;
  }
  return `${program} alone runs what it is sent`;
}

function refuseOptions(argv: readonly string[], fixed: number, facts: ProgramFacts): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (index === 0) continue;
    if (isRefusedOption(word, facts, index)) return `${argv[0]} ${word} can run another program`;
    if (index >= fixed && facts.words?.includes(word)) return `${argv[0]} ${word} can run another program`;
    if (isMake(argv) && /^[\w.]+[:+?!]?=/.test(word)) return `${argv[0]} ${word} sets a variable`;
  }
  return undefined;
}

function isRefusedOption(word: string, facts: ProgramFacts, index: number): boolean {
  const name = word.split('=', 1)[0] ?? word;
  if (facts.starts?.some((start) => word.startsWith(start))) return true;
  if (facts.fileSign !== undefined && word.includes(facts.fileSign) && !isPlainAddress(word)) return true;
  if (facts.long?.some((option) => isAbbreviation(name, option))) return true;
  const isCluster = /^-[^-]/.test(word) || (facts.bundled === true && index === 1 && !word.startsWith('-'));
  return isCluster && [...(facts.short ?? '')].some((letter) => name.includes(letter));
}

/** A web address without a user name; a sign in its path or query sends nothing. */
function isPlainAddress(word: string): boolean {
  const url = /^https?:\/\//i.test(word) ? URL.parse(word) : null;
  return url !== null && url.username === '' && url.password === '';
}

function firstOperand(argv: readonly string[]): number {
  const index = argv.findIndex((word, at) => at > 0 && !word.startsWith('-'));
  // An option before it may take the operand as its value, or name another source.
  return index === 1 ? 1 : Number.POSITIVE_INFINITY;
}

function isMake(argv: readonly string[]): boolean {
  return /^g?make$/.test(programName(argv[0] ?? ''));
}
