// Reads a skill that lies in a root, for comparing it with what is to come.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSkill } from '../skill/manifest.ts';
import type { Manifest } from '../skill/skill.ts';

/** Undefined where there is no readable SKILL.md. */
export function readHeadOf(folder: string): Manifest | undefined {
  try {
    const file = path.join(folder, 'SKILL.md');
    return parseSkill(readFileSync(file, 'utf8'), { path: file, folderName: path.basename(folder) }).manifest;
  } catch {
    return undefined;
  }
}
