// The files of the project that a command runs, by their bytes: exchanged for others, they are another command.
import { createHash } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isRecord, jsonIfValid } from '../base/json.ts';
import { isInside, realTarget } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { NO_PLAIN_FILE, type RunFile } from '../policy/grant/grant.ts';
import { filesNamedBy, filesRunBy } from '../policy/run-file.ts';
import type { ProjectLayer } from '../workspace/layer.ts';

export interface RunPlaces {
  readonly project: string;
  /** Of the skill: run from its snapshot, and bound by its own digest. */
  readonly skill?: string;
  /** What the run has changed: the call finds it as it is there. */
  readonly layer?: SeenLayer | undefined;
}

type SeenLayer = Pick<ProjectLayer, 'changes' | 'content'>;

export function runPlaces(
  { project }: { readonly project: string },
  skill?: { readonly folder: string },
  layer?: SeenLayer,
): RunPlaces {
  return { project, ...(skill && { skill: skill.folder }), layer };
}

/** As a part of the arguments that a yes is bound to. */
export function runArgs(runs: readonly RunFile[]): { runs?: { path: string; sha256: string }[] } {
  return runs.length === 0 ? {} : { runs: runs.map((file) => ({ ...file })) };
}

/** As they are now, in the order of the words. */
export function runFilesOf(argv: readonly string[], { project, skill, layer }: RunPlaces): RunFile[] {
  const found = new Map<string, RunFile>();
  const changedDigest = digestsIn(layer);
  const places = new Set(filesRunBy(argv).map((word) => path.resolve(project, word)));
  // Grows while it is read: a package names its main file.
  for (const place of places) {
    const named = path.relative(project, place);
    const file = existsSync(place) && changedDigest(named) === undefined ? realTarget(place) : place;
    if (!isInside(project, file) || (skill !== undefined && isInside(realTarget(skill), file))) continue;
    const name = path.relative(project, file);
    const changed = changedDigest(name);
    if (changed === undefined && !existsSync(place)) continue;
    const digest = found.has(name) ? undefined : (changed ?? digestOf(file));
    if (digest === undefined) continue;
    found.set(name, { path: name, sha256: digest });
    if (path.basename(place) === 'package.json' && digest !== NO_PLAIN_FILE)
      for (const main of mainFilesOf(place)) places.add(main);
  }
  return [...found.values()];
}

/** Of several commands, each file once. */
export function runFilesOfAll(commands: readonly (readonly string[])[], places: RunPlaces): RunFile[] {
  const found = commands.flatMap((argv) => runFilesOf(argv, places));
  return [...new Map(found.map((file) => [file.path, file])).values()];
}

/** The digest of what the run has put there; undefined where it has changed nothing. Behind a link of its own nothing is vouched for. */
function digestsIn(layer: SeenLayer | undefined): (below: string) => string | undefined {
  const changes = layer ? layer.changes().changes : [];
  return (below) => {
    const isThere = changes.some(({ path: changed, after }) => changed === below && after?.kind === 'file');
    if (layer && isThere) return digestOf(layer.content(below));
    const isTouched = changes.some(({ path: changed }) => below === changed || below.startsWith(`${changed}/`));
    return isTouched ? NO_PLAIN_FILE : undefined;
  };
}

/** Where Node may find the `main` of a package. */
function mainFilesOf(place: string): string[] {
  try {
    const manifest = jsonIfValid(readFileSync(place, 'utf8'));
    const main = isRecord(manifest) ? manifest.main : undefined;
    return typeof main === 'string' ? filesNamedBy(path.resolve(path.dirname(place), main)) : [];
  } catch {
    // Node refuses it, too.
    return [];
  }
}

/** Just before the start: what was exchanged while somebody thought about it does not run. */
export function requireRunFiles(
  commands: readonly (readonly string[])[],
  allowed: readonly RunFile[],
  places: RunPlaces,
): void {
  const now = runFilesOfAll(commands, places);
  const isSame = (one: RunFile | undefined, other: RunFile | undefined) =>
    one?.path === other?.path && one?.sha256 === other?.sha256;
  const at = [...now, ...allowed].findIndex((_, index) => !isSame(now[index], allowed[index]));
  const changed = now[at] ?? allowed[at];
  if (!changed) return;
  const shown = visible(changed.path);
  throw new Fault(
    'IntegrityMismatch',
    { en: `${shown} is not the file that was allowed to run`, zh: `${shown} 与获准运行的文件不一致` },
    {
      hint: {
        en: 'Nothing was run. Ask again for the file as it is now.',
        zh: '未执行任何操作。请就当前文件重新申请。',
      },
    },
  );
}

const CHUNK = 256 * 1024;

/** Undefined for a folder: the files in it that would run are looked at by their own names. */
function digestOf(file: string): string | undefined {
  const descriptor = openQuietly(file);
  if (descriptor === undefined) return NO_PLAIN_FILE;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return stats.isDirectory() ? undefined : NO_PLAIN_FILE;
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      hash.update(chunk.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(descriptor);
  }
}

function openQuietly(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
}
