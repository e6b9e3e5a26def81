// Says why a prefix rule must not stretch over the rest of a command: words that would run something else.
import { findHidden } from '../../base/text.ts';
import { isAbbreviation } from './abbreviation.ts';
import { type Caution, cautionFor, programName } from './caution.ts';
import { refuseGit } from './git.ts';
import { refuseSed } from './sed.ts';

/** The reason why words beyond the first `fixed` ones may not be left open, or undefined. */
export type Guard = (argv: readonly string[], fixed: number, scriptFixed?: boolean) => string | undefined;

/** With `scriptFixed`, an interpreter's script must be among the words that were spelled out. */
export const refuseStretch: Guard = (argv, fixed, scriptFixed = false) => {
  const program = programName(argv[0] ?? '');
  const caution = cautionFor(program);
  return (
    refuseText(argv, program) ??
    (program === 'git' ? refuseGit(argv) : undefined) ??
    (program === 'sed' || program === 'gsed' ? refuseSed(argv) : undefined) ??
    (caution && (refuseKind(argv, fixed, caution, scriptFixed) ?? refuseOptions(argv, fixed, caution)))
  );
};

const SHELL_SYNTAX = /[;&|<>`\n\r]|\$[({]/;
const PLAIN_URL = /^https?:\/\/[^\s`$<>|;()]+$/;
// These only read their arguments as text, where such characters are everyday.
const TEXT_PROGRAMS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'jq', 'yq', 'echo', 'printf']);
const TEXT_OPTIONS = new Map([
  ['git', new Set(['-m', '--message'])],
  ['gh', new Set(['-b', '--body', '-t', '--title'])],
]);

function refuseText(argv: readonly string[], program: string): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (findHidden(word).length > 0 || word.includes('\0')) return `word ${index + 1} has hidden characters`;
    if (index > 0 && TEXT_PROGRAMS.has(program)) continue;
    if (index > 0 && TEXT_OPTIONS.get(program)?.has(argv[index - 1] ?? '')) continue;
    if (SHELL_SYNTAX.test(word) && !PLAIN_URL.test(word)) return `word ${index + 1} has shell syntax`;
  }
  return undefined;
}

function refuseKind(
  argv: readonly string[],
  fixed: number,
  caution: Caution,
  scriptFixed: boolean,
): string | undefined {
  switch (caution.kind) {
    case 'launcher':
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

function refuseOptions(argv: readonly string[], fixed: number, caution: Caution): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (index === 0) continue;
    if (isRefusedOption(word, caution, index)) return `${argv[0]} ${word} can run another program`;
    if (index >= fixed && caution.words?.includes(word)) return `${argv[0]} ${word} can run another program`;
    if (isMake(argv) && /^[\w.]+[:+?!]?=/.test(word)) return `${argv[0]} ${word} sets a variable`;
  }
  return undefined;
}

function isRefusedOption(word: string, caution: Caution, index: number): boolean {
  const name = word.split('=', 1)[0] ?? word;
  if (caution.starts?.some((start) => word.startsWith(start))) return true;
  if (caution.fileSign !== undefined && word.includes(caution.fileSign) && !isPlainAddress(word)) return true;
  if (caution.long?.some((option) => isAbbreviation(name, option))) return true;
  const isCluster = /^-[^-]/.test(word) || (caution.bundled === true && index === 1 && !word.startsWith('-'));
  return isCluster && [...(caution.short ?? '')].some((letter) => name.includes(letter));
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
