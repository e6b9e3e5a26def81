// What one SKILL.md says at level 1: as it was read earlier where it is unchanged, else from its head.
import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync } from 'node:fs';
import { diagnose, NOT_A_FILE, NOT_UTF8 } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import { parseSkill } from '../skill/manifest.ts';
import type { ParsedSkill } from '../skill/skill.ts';
import type { IndexCache } from './index-cache.ts';
import { folderBehind, type PlainSkill } from './plain-skill.ts';
import { head, type OnRead, readHead } from './read-head.ts';
import type { SkillFile, WalkedFolder } from './walk.ts';

/** How the files of one root are read. */
export interface Reading {
  readonly cache: IndexCache | undefined;
  /** Files on it can be told unchanged without being opened. */
  readonly device: number | undefined;
  readonly onRead: OnRead | undefined;
  readonly blockAngleBrackets: boolean;
}

/** Undefined where the file has to be read. */
export function recallSkill(
  { cache, device }: Reading,
  place: WalkedFolder,
  { fileName }: SkillFile,
): ParsedSkill | PlainSkill | undefined {
  return device === undefined ? undefined : cache?.recall({ place, fileName, device });
}

/** Reads only the frontmatter of this file, and parses only what no earlier scan has parsed. */
export function readOpened(
  { cache, device, onRead, blockAngleBrackets }: Reading,
  place: WalkedFolder,
  { fileName }: SkillFile,
  descriptor: number,
): ParsedSkill | PlainSkill {
  const file = `${place.folder}/${fileName}`;
  try {
    // Before it is read: whatever changes it from now on shows.
    const stats = device === undefined ? undefined : fstatSync(descriptor);
    const length = readHead(descriptor, file, onRead);
    const keyLength = folderBehind(head, length, place.folderName);
    const found = { place, fileName, device, bytes: head, keyLength, stats };
    const known = cache?.find(found);
    if (known) return known;
    // Called for new texts only: cached ones came from a plain file.
    if (!(stats ?? fstatSync(descriptor)).isFile()) return refusal('unreadable', file, NOT_A_FILE);
    const bytes = head.subarray(0, length);
    if (!isUtf8(bytes)) return refusal('not-utf8', file, NOT_UTF8);
    const parsed = parseSkill(bytes.toString(), { path: file, folderName: place.name, blockAngleBrackets });
    return cache?.add(found, parsed) ?? parsed;
  } finally {
    closeSync(descriptor);
  }
}

function refusal(code: string, file: string, message: Text): ParsedSkill {
  return { diagnostics: [diagnose({ code, severity: 'error', path: file, message })] };
}
