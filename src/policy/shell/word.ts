// Words of a script: literal, or open with what is known of their beginning; nested scripts are handed on to be judged.
import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import type { UnjudgedReason } from './reason.ts';
import type { ShellWord } from './script.ts';

export interface WordReader {
  /** The text that positions count in. */
  readonly source: string;
  /** A plain POSIX shell reads it, which knows fewer constructs and takes the others for something else. */
  readonly posix: boolean;
  script(script: ParsedScript | undefined, text: string): void;
  report(text: string, why: UnjudgedReason): void;
}

/** What a piece of a word becomes. */
type Piece = { readonly literal: string } | { readonly open: 'one' | 'many' };

const ONE: Piece = { open: 'one' };
const MANY: Piece = { open: 'many' };

export function readWord(word: Word, reader: WordReader, quoted = false): ShellWord {
  if (!word.parts) checkText(word.text, quoted, reader);
  const pieces = word.parts ? word.parts.flatMap((part) => readPart(part, quoted, reader)) : [{ literal: word.value }];
  const tilde = tildeIn(word);
  if (tilde !== undefined) return { prefix: tilde, single: pieces.every(isOne), text: word.text };
  const open = pieces.findIndex((piece) => 'open' in piece);
  const known = open === -1 ? pieces : pieces.slice(0, open);
  const prefix = known.map((piece) => ('literal' in piece ? piece.literal : '')).join('');
  if (open === -1) return prefix;
  return { prefix, single: pieces.every(isOne), text: word.text };
}

/** Hands on what is nested in a word whose value does not matter. */
export function readNested(word: Word, reader: WordReader): void {
  readWord(word, reader, true);
}

/** Signs of the shell that stand in plain text were not understood by the parser. */
function checkText(text: string, quoted: boolean, reader: WordReader): void {
  const bare = text.replaceAll(/\\[\s\S]/g, '');
  if ((quoted ? /`|\$[({]/ : /[()<>|&;`\s]|\$\{/).test(bare)) reader.report(text, 'syntax');
}

/** The body of a here-document: its value is data, what is nested in it runs. */
export function readParts(parts: readonly WordPart[], reader: WordReader): void {
  for (const part of parts) readPart(part, true, reader);
}

function isOne(piece: Piece): boolean {
  return 'literal' in piece || piece.open === 'one';
}

/** Unquoted at the beginning, or behind the sign of an assignment, it becomes the path of a home. */
function tildeIn({ text }: Word): string | undefined {
  if (text.startsWith('~')) return '/';
  const assigned = /^([A-Za-z_]\w*\+?=)(?:[^'"\\$`]*:)?~/.exec(text);
  return assigned?.[1];
}

function readPart(part: WordPart, quoted: boolean, reader: WordReader): Piece[] {
  switch (part.type) {
    case 'Literal':
      checkText(part.text, quoted, reader);
      return [{ literal: part.value }];
    case 'SingleQuoted':
      return [{ literal: part.value }];
    case 'DoubleQuoted':
      return [{ literal: '' }, ...part.parts.flatMap((child) => readPart(child, true, reader))];
    case 'AnsiCQuoted':
      return readAnsi(part, reader);
    case 'SimpleExpansion':
      return [quoted && !/^\$[@*]$/.test(part.text) ? ONE : MANY];
    case 'ParameterExpansion':
      return [readParameter(part, quoted, reader)];
    case 'CommandExpansion':
      reader.script(part.script, part.text);
      return [quoted ? ONE : MANY];
    case 'ArithmeticExpansion':
      if (!/^\$\(\([\d\s+*/%()-]*\)\)$/.test(part.text)) reader.report(part.text, 'arithmetic');
      return [ONE];
    case 'ProcessSubstitution':
      if (reader.posix || !standsAlone(part, reader.source)) reader.report(part.text, 'construct');
      reader.script(part.script, part.text);
      return [{ literal: '/dev/fd/' }, ONE];
    case 'Glob':
      checkText(part.text, false, reader);
      for (const inner of part.parts ?? []) readPart(inner, false, reader);
      return [MANY];
    case 'BraceExpansion':
      return readBraces(part, reader);
    default:
      reader.report(part.text, 'construct');
      return [MANY];
  }
}

/** The shell joins what touches it to one word, the parser does not. */
function standsAlone({ pos, end }: WordPart, source: string): boolean {
  return /^\s?$/.test(source.charAt(pos - 1)) && /^[\s;&|)]?$/.test(source.charAt(end));
}

/** Escapes that depend on the locale, or end the word early, have no one meaning. */
function readAnsi(part: Extract<WordPart, { type: 'AnsiCQuoted' }>, reader: WordReader): Piece[] {
  const isPlain = /^[\t\n\u0020-\u007e]*$/.test(part.value);
  if (reader.posix || !isPlain) reader.report(part.text, reader.posix ? 'construct' : 'characters');
  return [{ literal: part.value }];
}

function readBraces(part: Extract<WordPart, { type: 'BraceExpansion' }>, reader: WordReader): Piece[] {
  // A plain shell leaves the braces as they are; nested expansions in them are rare and not worth the doubt.
  if (reader.posix || /[$`<>()]/.test(part.text)) reader.report(part.text, reader.posix ? 'construct' : 'expansion');
  return [MANY];
}

const PLAIN_INDEX = /^(?:[@*]|\d+)$/;

function readParameter(part: ParameterExpansionPart, quoted: boolean, reader: WordReader): Piece {
  const { parameter, prefix, index, operation, text } = part;
  if (prefix === '!') reader.report(text, 'expansion');
  if (index && !PLAIN_INDEX.test(index.text)) reader.report(text, 'expansion');
  if (reader.posix && (index || !isPosixOperation(operation?.type))) reader.report(text, 'construct');
  if (operation) readOperation(operation, text, reader);
  if (prefix === '#') return ONE;
  const isList = /^[@*]$/.test(parameter) || (index !== undefined && /^[@*]$/.test(index.text));
  return quoted && !isList ? ONE : MANY;
}

function isPosixOperation(type: string | undefined): boolean {
  return type === undefined || type === 'Default' || type === 'Remove';
}

function readOperation(
  operation: NonNullable<ParameterExpansionPart['operation']>,
  text: string,
  reader: WordReader,
): void {
  switch (operation.type) {
    case 'Default':
      if (operation.operator.endsWith('=')) reader.report(text, 'variable');
      readNested(operation.operand, reader);
      return;
    case 'Remove':
      readNested(operation.operand, reader);
      return;
    case 'Replace':
      readNested(operation.pattern, reader);
      readNested(operation.replacement, reader);
      return;
    case 'CaseModification':
      if (operation.operand) readNested(operation.operand, reader);
      return;
    case 'Slice':
      if (!isNumber(operation.offset) || (operation.length && !isNumber(operation.length)))
        reader.report(text, 'arithmetic');
      return;
    default:
      reader.report(text, 'expansion');
  }
}

function isNumber({ text }: Word): boolean {
  return /^\s*-?\d+\s*$/.test(text);
}
