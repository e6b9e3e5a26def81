// What content inspection finds in a skill, a folder or a pack, before or after it is installed.
import { statSync } from 'node:fs';
import path from 'node:path';
import { isAtLeast, type VetSeverity } from '../../config/severity.ts';
import { findSkillFile } from '../../distribution/skill-file.ts';
import { openArchiveFile } from '../../distribution/source/archive.ts';
import { openFolder } from '../../distribution/source/folder.ts';
import { type OfferedSkill, ownName } from '../../distribution/source/offer.ts';
import { openInspector, type Vetting } from '../../distribution/vet/vet.ts';
import { parseSkill } from '../../skill/manifest.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';

export interface VettedSkill {
  readonly name: string;
  /** Of the skill, as the files are to be named. */
  readonly folder: string;
  readonly vetting: Vetting;
}

export interface VetReport {
  readonly skills: readonly VettedSkill[];
  /** How many findings are of the given severity or worse. */
  readonly grave: number;
}

/** A skill, a folder, or a pack. */
export function vetNamed(written: string, least: VetSeverity, runtime: Runtime): VetReport {
  const skills = openNamed(written, runtime).map(inspect);
  const findings = skills.flatMap(({ vetting }) => vetting.findings);
  return { skills, grave: findings.filter(({ severity }) => isAtLeast(severity, least)).length };
}

function openNamed(written: string, runtime: Runtime): readonly OfferedSkill[] {
  const file = path.resolve(written);
  const stats = /[/\\.]/.test(written) ? statSync(file, { throwIfNoEntry: false }) : undefined;
  if (stats?.isFile()) return openArchiveFile(file, { names: [] }).skills;
  const folder = stats?.isDirectory() ? file : findSkill(runtime.index(), written).folder;
  return openFolder(folder, { names: [] }).skills.map((skill) => ({
    ...skill,
    folder: skill.folder || path.basename(folder),
  }));
}

function inspect({ folder, files }: OfferedSkill): VettedSkill {
  const inspector = openInspector();
  for (const file of files) inspector.see(file, file.read());
  const file = findSkillFile(files);
  const text = file?.read().toString('utf8') ?? '';
  const { manifest } = parseSkill(text, { path: `${folder}/${file?.path}`, folderName: ownName(folder) });
  return { name: manifest?.name ?? ownName(folder), folder, vetting: inspector.conclude(manifest) };
}
