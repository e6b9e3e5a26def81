// Reads an installed skill, to compare it with its replacement.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSkill } from '../skill/manifest.ts';
import type { Manifest } from '../skill/skill.ts';
import { findSkillFile } from './skill-file.ts';

/** Undefined where there is no readable SKILL.md. */
export function readHeadOf(folder: string): Manifest | undefined {
  try {
    const found = findSkillFile(readdirSync(folder).map((name) => ({ path: name })));
    const file = path.join(folder, found?.path ?? 'SKILL.md');
    return parseSkill(readFileSync(file, 'utf8'), { path: file, folderName: path.basename(folder) }).manifest;
  } catch {
    return undefined;
  }
}
