// Compares the needs that are found in scripts of public skills with those a person found in them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { searchNeeds } from '../../../src/app/need/find.ts';
import type { Runtime } from '../../../src/app/runtime.ts';
import { sha256 } from '../../../src/base/ids.ts';
import { absolutePath } from '../../../src/base/value/absolute-path.ts';
import { parseSkill } from '../../../src/skill/manifest.ts';
import type { Need } from '../../../src/skill/need/need.ts';

/** One script that a person read, whole. */
interface ScriptLabel {
  /** Whether its repository was looked at while the readers were written. */
  readonly half: 'first' | 'held-out';
  readonly repository: string;
  readonly path: string;
  readonly sha256: string;
}

export interface NeedsLabel extends ScriptLabel {
  readonly hosts: readonly string[];
  readonly variables: readonly string[];
}

export interface Tally {
  found: number;
  labelled: number;
  right: number;
  readonly wrong: string[];
}

export function precision({ found, right }: Tally): number {
  return found === 0 ? 1 : right / found;
}

export function recall({ labelled, right }: Tally): number {
  return labelled === 0 ? 1 : right / labelled;
}

/** The same for its packages: `python:pillow`, `node:docx`. */
export interface PackagesLabel extends ScriptLabel {
  readonly packages: readonly string[];
}

/** Undefined where the folder has not this very file. */
export async function needsOfScript(label: ScriptLabel, root: string, runtime: Runtime): Promise<Need[] | undefined> {
  const found = await searchAround(label, root, runtime);
  return found?.needs.filter((need) => need.file === found.inside);
}

export async function packagesOfScript(
  label: ScriptLabel,
  root: string,
  runtime: Runtime,
): Promise<string[] | undefined> {
  const found = await searchAround(label, root, runtime);
  const here = found?.packages.needs.filter(({ foundIn }) => foundIn.some(({ file }) => file === found.inside));
  return here?.map(({ ecosystem, name }) => `${ecosystem}:${name}`);
}

async function searchAround(label: ScriptLabel, root: string, runtime: Runtime) {
  const file = path.join(root, label.repository.replace('/', '+'), label.path);
  if (!existsSync(file) || sha256(readFileSync(file)) !== label.sha256) return undefined;
  const folder = skillFolder(file, root);
  const found = await searchNeeds({ folder: absolutePath(folder), manifest: manifestOf(folder) }, runtime);
  return { ...found, inside: path.relative(folder, file).split(path.sep).join('/') };
}

export function count(tally: Tally, found: readonly string[], labelled: readonly string[], where: string): void {
  const [have, want] = [new Set(found), new Set(labelled)];
  tally.found += have.size;
  tally.labelled += want.size;
  tally.right += [...have].filter((name) => want.has(name)).length;
  for (const name of have) if (!want.has(name)) tally.wrong.push(`+ ${name} ${where}`);
  for (const name of want) if (!have.has(name)) tally.wrong.push(`- ${name} ${where}`);
}

/** The innermost folder around a file that is a skill; else its own folder. */
function skillFolder(file: string, root: string): string {
  for (let folder = path.dirname(file); folder !== root; folder = path.dirname(folder))
    if (existsSync(path.join(folder, 'SKILL.md'))) return folder;
  return path.dirname(file);
}

function manifestOf(folder: string) {
  const file = path.join(folder, 'SKILL.md');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const empty = '---\nname: x\ndescription: x\n---\n';
  const where = { path: file, folderName: path.basename(folder) };
  const manifest = parseSkill(text, where).manifest ?? parseSkill(empty, where).manifest;
  if (!manifest) throw new Error(`${file} cannot be read`);
  return manifest;
}
