// The placeholders of skill texts. A closed set, replaced in one pass, so that an inserted value is never expanded.
import path from 'node:path';
import type { SkillArgument, SkillArguments } from './argument.ts';

export interface PlaceholderValues {
  readonly skillFolder: string;
  readonly arguments?: SkillArguments;
}

const SIBLINGS = /\/skills$/;
const FOLDER =
  /\$\{(?:CLAUDE_PLUGIN_ROOT\}(?:\/skills(?=\/))?|(?:CLAUDE_)?SKILL_DIR\})|(?<!\$)\{baseDir\}|\$(?:CLAUDE_)?SKILL_DIR\b|\$CLAUDE_PLUGIN_ROOT\b(?:\/skills(?=\/))?/;
const PLACE = /\$ARGUMENTS\[(?<from0>\d)\]|\$(?<from1>[1-9])(?!\d)|\$\{(?<braced>[1-9])\}/;
const PLACEHOLDER = new RegExp(
  `(?<folder>${FOLDER.source})|${PLACE.source}|(?<whole>\\$ARGUMENTS\\b)|\\$(?<name>[\\p{L}_][\\p{L}\\p{N}_-]*)`,
  'gu',
);

/** A place for a word that nobody wrote stays as it is, so that its reader sees what is missing. */
export function fillPlaceholders(text: string, { skillFolder, arguments: given }: PlaceholderValues): string {
  let filled = '';
  let end = 0;
  for (const { written, index, kind, stands } of findPlaceholders(text)) {
    filled += text.slice(end, index);
    end = index + written.length;
    if (kind === 'folder') filled += SIBLINGS.test(written) ? path.dirname(skillFolder) : skillFolder;
    else if (kind === 'whole') filled += given?.line ?? '';
    else filled += given?.entries.find(stands)?.value ?? written;
  }
  return filled + text.slice(end);
}

/** What a text has no place for: its reader has to know it all the same. */
export function unplaced(text: string, { entries }: SkillArguments): string[] {
  const found = [...findPlaceholders(text)];
  if (found.some(({ kind }) => kind === 'whole')) return [];
  return entries.filter((entry) => !found.some(({ stands }) => stands(entry))).map(({ value }) => value);
}

interface Placeholder {
  readonly written: string;
  readonly index: number;
  readonly kind: 'folder' | 'whole' | 'word';
  /** Whether it stands for this argument. */
  stands(argument: SkillArgument): boolean;
}

function* findPlaceholders(text: string): Generator<Placeholder> {
  for (const { 0: written, index, groups = {} } of text.matchAll(PLACEHOLDER)) {
    const { folder, whole, from0, from1 = groups.braced, name } = groups;
    if (folder ?? whole) yield { written, index, kind: folder ? 'folder' : 'whole', stands: () => false };
    else if (name) yield { written, index, kind: 'word', stands: (argument) => argument.name === name };
    else if (from0 !== undefined || !isInProgram(text, index)) {
      const place = from0 === undefined ? Number(from1) - 1 : Number(from0);
      yield { written, index, kind: 'word', stands: (argument) => argument.place === place };
    }
  }
}

/** `{print $1}` of awk and the line of a shell function mean words of their own. */
function isInProgram(text: string, index: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return line.split('{').length > line.split('}').length;
}
