// What a program starts that is there to start others: `env`, `timeout`, `xargs`, `find -exec`, `sh -c`.
import { isOpen, type ShellWord } from '../shell/script.ts';
import { isHarmlessExport } from '../shell/variable.ts';
import { factsFor, programName } from './facts.ts';
import { unwrapFind } from './find.ts';
import { type Finder, type Unwrapped, unknown } from './started.ts';
import { tellsOnly } from './tells-only.ts';
import { unwrapXargs } from './xargs.ts';

/** How a wrapper's own words end. */
interface Wrapper {
  /** Options without a value, or with one attached. */
  readonly flags?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** Words before the command. */
  readonly operands?: number;
  /** Variables may stand before the command. */
  readonly variables?: true;
  readonly finder?: Finder;
  /** The shell does it itself. */
  readonly ofShell?: true;
}

const WRAPPERS = new Map<string, Wrapper>([
  ['command', { flags: /^-p$/, finder: 'command', ofShell: true }],
  ['exec', { ofShell: true }],
  ['nohup', {}],
  ['setsid', { flags: /^(?:-[cfw]+|--wait|--fork)$/ }],
  ['nice', { flags: /^(?:-n-?\d+|-\d+|--adjustment=-?\d+)$/, valued: ['-n'] }],
  ['ionice', { flags: /^(?:-[cn]\d|-t)$/, valued: ['-c', '-n'] }],
  [
    'timeout',
    {
      flags: /^(?:-v|--verbose|--foreground|--preserve-status|-[sk][\w.]+|--(?:signal|kill-after)=[\w.]+)$/,
      valued: ['-s', '-k', '--signal', '--kill-after'],
      operands: 1,
    },
  ],
  ['stdbuf', { flags: /^(?:-[ioe](?:L|\d+[KMG]?)|--(?:input|output|error)=(?:L|\d+[KMG]?))$/ }],
  ['time', { flags: /^(?:-[pv]|--portability|--verbose)$/ }],
  ['chronic', { flags: /^-[ev]$/ }],
  ['env', { flags: /^(?:-i|-|--ignore-environment)$/, variables: true }],
]);

const PRIVILEGE = new Set(
  'sudo doas su runuser pkexec gosu su-exec sg newgrp setpriv chroot unshare nsenter'.split(' '),
);
const SHELLS = new Map([
  ['sh', true],
  ['dash', true],
  ['bash', false],
]);

export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const name = programOf(words[0]);
  if (PRIVILEGE.has(name)) return unknown('privilege');
  if (name === 'command' && /^-[vV]+$/.test(literalOf(words[1]))) return { kind: 'looks-up' };
  if (name === 'xargs') return unwrapXargs(words);
  if (name === 'find') return unwrapFind(words);
  const posix = SHELLS.get(name);
  if (posix !== undefined && words.slice(1).some(isCodeOption)) return unwrapShell(words, posix);
  if (readsInput(words)) return { kind: 'input' };
  const wrapper = WRAPPERS.get(name);
  return wrapper ? unwrapPlain(words, wrapper) : { kind: 'nothing' };
}

/** An interpreter without a file to run. */
function readsInput([first, ...words]: readonly ShellWord[]): boolean {
  if (factsFor(programName(literalOf(first)))?.kind !== 'interpreter' || tellsOnly(words)) return false;
  return words.every((word) => !isOpen(word) && (word.startsWith('-') || /^\/(?:dev|proc)\//.test(word)));
}

/** Programs of the system are known by their bare names, too. */
function programOf(word: ShellWord | undefined): string {
  return literalOf(word).replace(/^\/(?:usr\/)?bin\//, '');
}

function literalOf(word: ShellWord | undefined): string {
  return word === undefined || isOpen(word) ? '' : word;
}

function unwrapPlain(words: readonly ShellWord[], wrapper: Wrapper): Unwrapped {
  const { flags, valued = [], operands = 0, variables, finder = 'program', ofShell } = wrapper;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (variables && isAssignment(word)) {
      if (!isHarmlessExport(nameOf(word))) return unknown('variable');
      continue;
    }
    if (isOpen(word)) return unknown();
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-')) break;
    if (valued.includes(word)) at++;
    else if (!flags?.test(word)) return unknown();
    if (isOpen(words[at] ?? '')) return unknown();
  }
  const taken = words.slice(at, at + operands);
  const inner = words.slice(at + operands);
  if (taken.some(isOpen)) return unknown();
  if (inner.length > 0) return { kind: 'commands', commands: [inner], finder };
  return { kind: ofShell ? 'looks-up' : 'nothing' };
}

function isAssignment(word: ShellWord): boolean {
  return /^[A-Za-z_]\w*=/.test(isOpen(word) ? word.prefix : word);
}

function nameOf(word: ShellWord): string {
  return ((isOpen(word) ? word.prefix : word).split('=', 1)[0] ?? '').trim();
}

function isCodeOption(word: ShellWord): boolean {
  return isOpen(word) || /^-[a-z]*c$/i.test(word);
}

/** `sh -c 'text' name words`: only options that say nothing about start files or the language. */
function unwrapShell(words: readonly ShellWord[], posix: boolean): Unwrapped {
  const [, option, script] = words;
  if (option === undefined || isOpen(option) || !/^-[eux]*c$/.test(option)) return unknown();
  if (script === undefined || isOpen(script) || script.startsWith('-')) return unknown();
  return { kind: 'script', script, posix };
}
