// The SKILL.md files below a folder that somebody named, wherever they lie; what cannot be listed is told.
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { cannotBeListed, type Diagnostic, diagnose } from '../../base/diagnostic.ts';
import { errorCode } from '../../base/read-file.ts';

export interface SkillFiles {
  readonly files: readonly string[];
  readonly problems: readonly Diagnostic[];
}

export const SKILL_FILE = 'SKILL.md';
const SKIPPED = new Set(['node_modules', '.git']);

/** A folder with a SKILL.md is one skill; any other is searched. Links are not followed. */
export function findSkillFiles(folder: string): SkillFiles {
  const files: string[] = [];
  const problems: Diagnostic[] = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = listOrTell(at, problems);
    const own = ownFile(entries);
    if (own === undefined) waiting.push(...foldersIn(entries, at).reverse());
    else files.push(path.join(at, own));
  }
  return { files, problems };
}

/** Other spellings are read too, as everywhere. */
export function isSkillName(name: string): boolean {
  return name.toLowerCase() === SKILL_FILE.toLowerCase();
}

function ownFile(entries: readonly Dirent[]): string | undefined {
  const own = entries.filter((entry) => isSkillName(entry.name) && !entry.isDirectory()).map(({ name }) => name);
  return own.includes(SKILL_FILE) ? SKILL_FILE : own[0];
}

function foldersIn(entries: readonly Dirent[], folder: string): string[] {
  return entries
    .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    .map((entry) => path.join(folder, entry.name));
}

function listOrTell(folder: string, problems: Diagnostic[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const message = cannotBeListed(errorCode(error));
    problems.push(diagnose({ code: 'unreadable', severity: 'warning', path: folder, message }));
    return [];
  }
}
