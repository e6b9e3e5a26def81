// Which packages are there for the code of a skill: asked of the Python at hand and looked up in the folders that Node looks in; nothing of them is run.
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { isInside } from '../../base/paths.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import type { NeededPackage } from '../../environment/need/mention.ts';
import { packagesOfImport } from '../../environment/need/python-names.ts';
import { satisfies } from '../../environment/need/version.ts';
import { findProgram } from '../../process/program.ts';
import type { Runtime } from '../runtime.ts';
import { preparedVersions } from './prepared-versions.ts';
import { askPython } from './python-facts.ts';
import type { ReadableSkill } from './sources.ts';

/** `unknown`: nothing may be started that could tell. */
export type PackagePresence = { readonly state: 'present' | 'missing' | 'unknown'; readonly version?: string };

const PROGRAM = assetPath('environment/need/installed-python.py');

/** One for each, in their order. */
export async function findPresent(
  needs: readonly NeededPackage[],
  skill: ReadableSkill,
  runtime: Runtime,
  { mayStart }: { mayStart: boolean },
): Promise<PackagePresence[]> {
  const ready = preparedVersions(skill, runtime);
  const versionOf = ({ ecosystem, name }: NeededPackage) => ready.get(`${ecosystem} ${foldedName(name, ecosystem)}`);
  const python = needs.filter((need) => need.ecosystem === 'python' && versionOf(need) === undefined);
  const answers = mayStart ? await askAll(python, runtime) : python.map((): PackagePresence => ({ state: 'unknown' }));
  const known = new Map(python.map((need, at) => [need, answers[at]]));
  return needs.map((need) => {
    const version = versionOf(need);
    if (version !== undefined) return rightVersion(need, { state: 'present', version });
    const found = need.ecosystem === 'node' ? inNodeFolders(need, skill, runtime) : (known.get(need) ?? MISSING);
    const judged = rightVersion(need, found);
    return judged.state !== 'present' && isProgram(need, runtime) ? { state: 'present' } : judged;
  });
}

/** As a lock names it. */
function foldedName(name: string, ecosystem: NeededPackage['ecosystem']): string {
  return ecosystem === 'python' ? name.toLowerCase().replaceAll(/[-_.]+/g, '-') : name;
}

const MISSING: PackagePresence = { state: 'missing' };

/** A version that is there and not the one that is asked for does not count. */
function rightVersion({ spec, ecosystem }: NeededPackage, found: PackagePresence): PackagePresence {
  const isWrong = found.version !== undefined && !satisfies(found.version, spec, ecosystem);
  return isWrong ? { ...found, state: 'missing' } : found;
}

/** What a text says to install or run may be there as a program of its own. */
function isProgram({ certainty, name, imports }: NeededPackage, { env, project }: Runtime): boolean {
  if (certainty !== 'stated' || imports.length > 0) return false;
  const program = name.replace(/^@[^/]+\//, '');
  return findProgram(program, { path: env.PATH ?? '', project }) !== undefined;
}

async function askAll(needs: readonly NeededPackage[], runtime: Runtime): Promise<PackagePresence[]> {
  if (needs.length === 0) return [];
  const questions = needs.map(({ name, imports }) => {
    const others = imports.flatMap((one) => packagesOfImport(one)?.packages ?? []);
    return `${JSON.stringify({ names: [...new Set([name, ...others])], imports })}\n`;
  });
  try {
    const lines = await askPython([PROGRAM], questions.join(''), runtime);
    return needs.map((_, at) => presenceIn(lines[at] ?? ''));
  } catch {
    // No Python, no packages of it.
    return needs.map(() => MISSING);
  }
}

function presenceIn(line: string): PackagePresence {
  const answer = jsonIfValid(line);
  if (!isRecord(answer) || answer.present !== true) return MISSING;
  return { state: 'present', ...(typeof answer.version === 'string' && { version: answer.version }) };
}

/** As Node does: beside the importing file and in every folder above it, as far as a script sees them. */
function inNodeFolders(
  { name, foundIn }: NeededPackage,
  skill: ReadableSkill,
  { project, config }: Runtime,
): PackagePresence {
  const top = skill.realFolder ?? skill.folder;
  const own = foundIn.flatMap(({ file }) => foldersBetween(path.dirname(path.join(top, file)), top));
  const above = isInside(project, top) ? foldersBetween(top, project) : [project];
  const modules = [...new Set([...own, top, ...above])].map((folder) => path.join(folder, 'node_modules'));
  for (const folder of [
    ...modules,
    ...(config.runtimes.nodeModules === undefined ? [] : [config.runtimes.nodeModules]),
  ]) {
    const manifest = jsonIfValid(textAt(path.join(folder, name, 'package.json')));
    if (isRecord(manifest))
      return { state: 'present', ...(typeof manifest.version === 'string' && { version: manifest.version }) };
  }
  return MISSING;
}

function foldersBetween(from: string, to: string): string[] {
  const folders: string[] = [];
  for (let folder = from; isInside(to, folder); folder = path.dirname(folder)) {
    folders.push(folder);
    if (folder === to) break;
  }
  return folders;
}

function textAt(file: string): string {
  try {
    return readTextIfThere(file) ?? '';
  } catch {
    return '';
  }
}
