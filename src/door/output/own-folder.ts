// The folder of its own skill as a call sees it: a copy of the snapshot, and what becomes of what the call writes there.
import path from 'node:path';
import { isInside, realPath } from '../../base/paths.ts';
import type { CopyReport } from '../../process/copy-out.ts';
import { copySkill } from '../../process/skill-copy.ts';
import type { Snapshot } from '../../process/snapshot.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { FileChange } from '../../workspace/change.ts';
import { isDataFile } from '../../workspace/data-file.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import { type CopyStart, startOf, writesIn } from '../../workspace/skill-writes.ts';
import { bringWrites, takeWrites } from '../../workspace/take-writes.ts';
import type { WatchedBeside } from '../../workspace/watch.ts';
import { isOwnCode } from '../consent/consent.ts';
import type { Door } from '../door.ts';
import type { Work } from '../work.ts';
import type { SecretWatch } from './hold-back.ts';
import { keepWithRun, keptBelow } from './kept.ts';

export interface OwnFolder extends Disposable {
  /** What is shown in place of the skill. */
  readonly folder: string;
  readonly writable: boolean;
  /** Just before the process: what is there now is not the call's. */
  begin(): WatchedBeside | undefined;
  /** After it: what it wrote goes into the layer, or is kept with the run. Returns what did not get into the layer. */
  take(watch: SecretWatch | undefined): CopyReport['refused'];
}

export interface OwnParts {
  readonly skill: SkillEntry;
  readonly snapshot: Snapshot;
  /** Where a copy of the snapshot lies already. */
  readonly copied: string | undefined;
  /** The private folder of the call. */
  readonly folder: string;
  readonly layer: ProjectLayer;
}

/** A call starts from the snapshot, with data that calls of the same code left: never with code, nor with settings of it. */
export function openOwnFolder(work: Work, parts: OwnParts, door: Door): OwnFolder {
  const { skill, snapshot, layer } = parts;
  const copy = copySkill(snapshot, parts.folder, parts.copied);
  if (!copy) return readOnly(snapshot.folder);
  const { folder, store } = copy;
  const at = placeInProject(skill, door);
  const under = path.join('skills', `${calledName(skill)}-${snapshot.digest.slice(-16)}`);
  if (at !== undefined) bringFromLayer(work, at, layer, folder);
  else if (isOwnCode(work)) bringKept(under, folder, door);
  let start: CopyStart | undefined;
  return {
    folder,
    writable: true,
    begin() {
      start = startOf(folder);
      return { root: folder, amount: start.amount };
    },
    take(watch) {
      if (!start || layer.isTooMuch()) return [];
      const writes = writesIn({ copy: folder, start, snapshot: snapshot.folder, store, bounds: layer.bounds });
      const tell = (name: string, kept?: string) => notTaken(path.join(skill.folder, name), kept);
      if (at !== undefined) return takeWrites(writes, at, layer).map((name) => tell(name));
      const names = writes.changes.flatMap(({ path: name, after }) => (after?.kind === 'file' ? [name] : []));
      const kept = keepWithRun({ from: writes.tree, names, under, watch }, door);
      return names.map((name) => tell(name, kept.get(name)));
    },
    [Symbol.dispose]: () => copy[Symbol.dispose](),
  };
}

function readOnly(folder: string): OwnFolder {
  return { folder, writable: false, begin: () => undefined, take: () => [], [Symbol.dispose]: () => {} };
}

function notTaken(file: string, kept: string | undefined): CopyReport['refused'][number] {
  return { path: file, why: 'skill-folder', ...(kept !== undefined && { kept }) };
}

/** Below the project. Undefined for a skill that lies elsewhere: nothing is ever written there. */
function placeInProject({ folder }: SkillEntry, { places }: Door): string | undefined {
  const [project, own] = [realPath(places.project), realPath(folder)];
  if (project === undefined || own === undefined || own === project || !isInside(project, own)) return undefined;
  return path.relative(project, own);
}

/** A text that only names the skill works with what anybody has left there. */
function bringFromLayer(work: Work, at: string, layer: ProjectLayer, copy: string): void {
  const left = isOwnCode(work) && work.digest !== '' ? layer.leftBy(work.digest) : layer.changes().changes;
  const inside = left.flatMap((change): FileChange[] => {
    return change.path.startsWith(`${at}/`) ? [{ ...change, path: path.relative(at, change.path) }] : [];
  });
  const data = inside.filter(({ path: below, after }) => after && isDataFile(below, after.mode));
  bringWrites(data, (below) => layer.content(path.join(at, below)), copy);
}

function bringKept(under: string, copy: string, door: Door): void {
  const { at, names } = keptBelow(under, door);
  const file = { kind: 'file', mode: 0o644, size: 0 } as const;
  const data = names.filter((name) => isDataFile(name, file.mode)).map((name) => ({ path: name, after: file }));
  bringWrites(data, (below) => path.join(at, below), copy);
}
