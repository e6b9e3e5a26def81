// Requirements files of pip: requirements, files they name, constraints, and options that say where packages come from.
import {
  MOST_MENTIONS,
  type PackageMention,
  type PackageUse,
  type Requirement,
  type UnreadPackages,
  unread,
} from './mention.ts';
import { normalName, parseRequirement } from './requirement.ts';

export interface ReadRequirements {
  readonly mentions: readonly PackageMention[];
  /** What a version has to be where the package is needed anyway. */
  readonly constraints: readonly (Requirement & { readonly file: string; readonly line: number })[];
  readonly unread: readonly UnreadPackages[];
}

interface Reading {
  readonly texts: ReadonlyMap<string, string>;
  /** Files that others name are read as part of them. */
  readonly included: Set<string>;
  readonly mentions: PackageMention[];
  readonly constraints: (Requirement & { file: string; line: number })[];
  readonly unread: UnreadPackages[];
}

const DEVELOPMENT = /(?:^|[-_./])(?:dev|test|tests|testing|lint|docs|doc|ci)(?:[-_.]|$)/;

/** `texts`: by path, all files of that kind. */
export function readRequirementFiles(texts: ReadonlyMap<string, string>): ReadRequirements {
  const reading: Reading = { texts, included: new Set(), mentions: [], constraints: [], unread: [] };
  const paths = [...texts.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const file of paths)
    if (!reading.included.has(file) && !isConstraints(file)) readFile(file, useOf(file), reading);
  const { mentions, constraints, unread: left } = reading;
  return { mentions, constraints, unread: left };
}

/** What is needed is read before what only its author needs, and may include it. */
function rank(file: string): number {
  return useOf(file) === 'needed' ? 0 : 1;
}

function useOf(file: string): PackageUse {
  return DEVELOPMENT.test(file.slice(file.lastIndexOf('/') + 1)) ? 'development' : 'needed';
}

function isConstraints(file: string): boolean {
  return /(?:^|\/)constraints[^/]*$/.test(file);
}

interface LogicalLine {
  readonly text: string;
  readonly line: number;
}

function readFile(file: string, use: PackageUse, reading: Reading): void {
  reading.included.add(file);
  for (const one of logicalLines(reading.texts.get(file) ?? '')) {
    const [, option, value = ''] = /^(--?[a-z][a-z-]*)(?:[\s=]+(.*))?$/.exec(one.text) ?? [];
    if (option !== undefined) readOption(option, value.trim(), { file, use, line: one.line }, reading);
    else readRequirement(one, file, use, reading);
  }
}

function readRequirement({ text, line }: LogicalLine, file: string, use: PackageUse, reading: Reading): void {
  // Hashes and options of one requirement stand behind it.
  const [said = ''] = text.split(/\s--[a-z]/);
  const requirement = parseRequirement(said);
  if (requirement)
    reading.mentions.push({ ...requirement, ecosystem: 'python', certainty: 'declared', use, file, line });
  else reading.unread.push(unread(file, line, isElsewhere(said) ? 'not-from-index' : 'not-understood', shown(said)));
}

function isElsewhere(said: string): boolean {
  return /^(?:\.|\/|[a-z+]+:|\S*\/)/.test(said) || /\.(?:whl|zip|tar\.gz)$/.test(said);
}

const INDEX = /^(?:-i|--index-url|--extra-index-url|--no-index|-f|--find-links|--trusted-host|--pypi-url)$/;
const SHORT = /^-([rcief])(\S.*)$/;

interface Place {
  readonly file: string;
  readonly use: PackageUse;
  readonly line: number;
}

function readOption(option: string, value: string, { file, use, line }: Place, reading: Reading): void {
  if (INDEX.test(option)) reading.unread.push(unread(file, line, 'index-option', option));
  else if (option === '-e' || option === '--editable')
    reading.unread.push(unread(file, line, 'not-from-index', shown(`${option} ${value}`)));
  else if (option === '-r' || option === '--requirement' || option === '-c' || option === '--constraint')
    readNamed(option, value, { file, use, line }, reading);
}

function readNamed(option: string, value: string, { file, use, line }: Place, reading: Reading): void {
  const named = beside(file, value.replace(/\s#.*$/, '').trim());
  if (!reading.texts.has(named)) reading.unread.push(unread(file, line, 'missing-file', shown(`${option} ${value}`)));
  else if (/^(?:-c|--c)/.test(option)) readConstraints(named, reading);
  else if (!reading.included.has(named)) readFile(named, use, reading);
}

function readConstraints(file: string, reading: Reading): void {
  if (reading.included.has(file)) return;
  reading.included.add(file);
  for (const { text, line } of logicalLines(reading.texts.get(file) ?? '')) {
    const requirement = parseRequirement(text.split(/\s--[a-z]/)[0] ?? '');
    if (requirement) reading.constraints.push({ ...requirement, name: normalName(requirement.name), file, line });
  }
}

/** Without comments and blank lines; a line that ends in a backslash goes on in the next. */
function logicalLines(text: string): LogicalLine[] {
  const found: LogicalLine[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const isComment = /^\s*#/.test(raw);
    const line = isComment ? '' : raw.replace(/\s#.*$/, '').trimEnd();
    const isOpen = !isComment && line.endsWith('\\');
    const said = `${open?.text ?? ''}${isOpen ? line.slice(0, -1) : line}`;
    const start = open?.line ?? at + 1;
    open = isOpen ? { text: said, line: start } : undefined;
    if (!isOpen && said.trim() !== '') found.push({ text: said.trim().replace(SHORT, '-$1 $2'), line: start });
  }
  const all = open && open.text.trim() !== '' ? [...found, { ...open, text: open.text.trim() }] : found;
  return all.slice(0, MOST_MENTIONS);
}

/** A path that a file names, from the folder of that file; what leads out of the skill is no file of it. */
export function beside(file: string, named: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** An address may hold a password in front of its host. */
function shown(said: string): string {
  return said.replace(/\/\/[^/@\s]*@/, '//').slice(0, 120);
}
