// Which changes git would leave out, by the .gitignore files of the project itself: those of the layer are the run's.
import path from 'node:path';
import { readTextIfThere } from '../../base/read-file.ts';
import { matchesSequence } from '../../policy/wildcard.ts';
import { type FileChange, foldersAbove } from '../../workspace/change.ts';

interface IgnoreRule {
  /** Names from the folder of the file on; `**` stands for any number of them. */
  readonly names: readonly string[];
  readonly foldersOnly: boolean;
  /** `!`: what an earlier rule left out is in again. */
  readonly takesBack: boolean;
}

interface RuleFile {
  /** Below the project; empty for the project itself. */
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

export function ignoredBy(project: string): (change: FileChange) => boolean {
  const known = new Map<string, RuleFile>();
  const fileIn = (folder: string): RuleFile => {
    const found = known.get(folder) ?? { folder, rules: readRules(path.join(project, folder, '.gitignore')) };
    known.set(folder, found);
    return found;
  };
  const excluded = { folder: '', rules: readRules(path.join(project, '.git/info/exclude')) };
  const isLeftOut = (below: string, isFolder: boolean) =>
    [excluded, fileIn(''), ...foldersAbove(below).map(fileIn)].reduce(
      (before, file) => lastWord(file, below, isFolder) ?? before,
      false,
    );
  // Nothing in a folder that is left out can be taken back.
  return ({ path: below, before, after }) =>
    foldersAbove(below).some((folder) => isLeftOut(folder, true)) ||
    isLeftOut(below, (after ?? before)?.kind === 'folder');
}

/** Undefined where no rule of the file speaks of the path. */
function lastWord({ folder, rules }: RuleFile, below: string, isFolder: boolean): boolean | undefined {
  const names = below.slice(folder === '' ? 0 : folder.length + 1).split('/');
  const rule = rules.findLast(
    (one) => (isFolder || !one.foldersOnly) && matchesSequence(one.names, names, '**', matchesName),
  );
  return rule && !rule.takesBack;
}

const MOST_BYTES = 256 * 1024;

/** What cannot be read, or was never written by a person, leaves nothing out. */
function readRules(file: string): IgnoreRule[] {
  try {
    const text = readTextIfThere(file) ?? '';
    return text.length > MOST_BYTES ? [] : text.split('\n').flatMap(readRule);
  } catch {
    return [];
  }
}

function readRule(line: string): IgnoreRule[] {
  // Blanks at the end count only behind a backslash.
  const written = line.replace(/\r$/, '').replace(/(?<!\\)[ \t]+$/, '');
  if (written === '' || written.startsWith('#')) return [];
  const takesBack = written.startsWith('!');
  const pattern = takesBack ? written.slice(1) : written;
  const foldersOnly = pattern.endsWith('/');
  const inner = pattern.replace(/\/$/, '');
  const names = inner.replace(/^\//, '').split('/');
  return [{ names: inner.includes('/') ? names : ['**', ...names], foldersOnly, takesBack }];
}

function matchesName(pattern: string, name: string): boolean {
  // A set such as [cod], an escaped character, or one character.
  const parts = pattern.match(/\[[!^]?\]?[^\]]*\]|\\.|./gu) ?? [];
  return matchesSequence(parts, [...name], '*', matchesCharacter);
}

function matchesCharacter(part: string, character: string): boolean {
  if (part === '?') return true;
  if (part.length === 1 || !part.startsWith('[')) return part.replace(/^\\(?=.)/u, '') === character;
  const isNegated = /^\[[!^]/.test(part);
  return isInSet([...part.slice(isNegated ? 2 : 1, -1)], character) !== isNegated;
}

function isInSet(members: readonly string[], character: string): boolean {
  return members.some((member, at) => {
    const isRange = members[at + 1] === '-' && members[at + 2] !== undefined;
    return isRange ? member <= character && character <= (members[at + 2] ?? '') : member === character;
  });
}
