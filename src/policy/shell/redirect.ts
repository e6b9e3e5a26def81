// Redirections: which files they write, and which of them cannot be told.
import type { Redirection } from 'unbash';
import { isOpen, isOperand, type ShellWord } from './script.ts';
import { readParts, readWord, type WordReader } from './word.ts';

const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr|tty|zero|fd\/\d+)$/;
// The shell itself connects to a host for these.
const SOCKET = /^\/+dev\/+(?:tcp|udp)(?:\/|$)/;

/** The files that are written. */
export function readRedirects(redirects: readonly Redirection[], source: string, reader: WordReader): ShellWord[] {
  return redirects.flatMap((redirect) => readRedirect(redirect, source, reader));
}

function readRedirect(redirect: Redirection, source: string, reader: WordReader): ShellWord[] {
  const text = source.slice(redirect.pos, redirect.end);
  if (redirect.descriptor?.type === 'FileDescriptorVariable') reader.report(text, 'redirection');
  if (redirect.type === 'HereDoc') {
    readParts(redirect.body.parts ?? [], reader);
    if (
      !redirect.closing ||
      !redirect.delimiter ||
      (redirect.body.parts === undefined && !redirect.delimiter.quoted && /[$`]/.test(redirect.body.text))
    )
      reader.report(text, 'redirection');
    return [];
  }
  if (!redirect.target) {
    reader.report(text, 'redirection');
    return [];
  }
  const target = readWord(redirect.target, reader);
  if (redirect.type === 'HereString') {
    if (reader.posix) reader.report(text, 'construct');
    return [];
  }
  return readFile(redirect.operator, target, text, reader);
}

function readFile(operator: string, target: ShellWord, text: string, reader: WordReader): ShellWord[] {
  const isCopy = operator === '>&' || operator === '<&';
  if (isCopy && !isOpen(target) && /^(?:\d+-?|-)$/.test(target)) return [];
  if (reader.posix && (isCopy || operator.startsWith('&'))) reader.report(text, 'construct');
  if (isOpen(target) ? !isKnownFile(target) : SOCKET.test(target) || target === '') {
    reader.report(text, 'redirection');
    return [];
  }
  if (operator === '<' || (!isOpen(target) && NO_FILE.test(target))) return [];
  if (operator === '<&') reader.report(text, 'redirection');
  return [target];
}

/** One file, and none that the shell takes for a host. */
function isKnownFile(target: Exclude<ShellWord, string>): boolean {
  return target.single && isOperand(target) && !/^\/+(?:d|$)/.test(target.prefix);
}
