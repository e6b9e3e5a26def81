// The results of a call in its layer: what it wrote below the output folder reaches the project without a question.
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { type CopyReport, copyOut, REFUSED_LIMIT } from '../../process/copy-out.ts';
import type { FileChange } from '../../workspace/change.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Door } from '../door.ts';
import type { Work } from '../work.ts';
import type { StagedOutput } from './folder.ts';
import { guardResults } from './guard.ts';

type Guarding = Pick<Door, 'places' | 'guarded'>;

/** Folders of the results that the call names are there before it writes them. */
export function outputInLayer({ folder, names }: Work['output'], layer: ProjectLayer, door: Guarding): StagedOutput {
  const { places } = door;
  const below = path.relative(places.project, folder);
  const folders = new Set([below, ...names.map((name) => path.join(below, path.dirname(name)))]);
  const seen = path.join(layer.tree.at, below);
  const added = [...folders].flatMap((one) => layer.addFolder(one)).sort((a, b) => b.length - a.length);
  const before = stampsBelow(seen);
  return {
    at: absolutePath(folder),
    rename: (said) => said,
    deliver(watch) {
      const now = stampsBelow(seen);
      const isOfThisCall = (name: string) => before.get(name) !== now.get(name);
      const { plain, held, odd } = writtenBelow(folder, [...now.keys()].filter(isOfThisCall), layer, door);
      const refused = [...held, ...odd].slice(0, REFUSED_LIMIT);
      if (plain.length === 0) return { copied: [], refused };
      const order = { from: layer.content(below), to: folder, root: places.project, only: plain };
      const report = copyOut({ ...order, ...(watch && { refusesName: watch.isSpelledIn }) });
      return { ...report, refused: [...refused, ...report.refused] };
    },
    close: () => layer.removeEmpty(added),
  };
}

interface Written {
  readonly plain: string[];
  /** What other tools obey, and what holds a variable: it waits for its question. */
  readonly held: CopyReport['refused'];
  /** Links and what is no file at all. */
  readonly odd: CopyReport['refused'];
}

/** The files this call wrote, by their paths below the output folder, also with the same bytes as before. */
function writtenBelow(folder: string, names: readonly string[], layer: ProjectLayer, door: Guarding): Written {
  const below = path.relative(door.places.project, folder);
  const inside = layer.changes().changes.filter(({ path: changed }) => changed.startsWith(`${below}/`));
  const nameOf = ({ path: changed }: FileChange) => path.relative(below, changed);
  const changed = inside.filter(({ after }) => after?.kind === 'file');
  const odd = inside.flatMap((change) => {
    const kind = change.after?.kind;
    return kind === 'link' || kind === 'special' ? [{ path: nameOf(change), why: kind }] : [];
  });
  if (names.length === 0) return { plain: [], held: [], odd };
  const isGuarded = guardResults({ folder, from: layer.content(below) }, door);
  const holding = new Map(changed.map((change) => [nameOf(change), layer.holds(change)]));
  const held = names.flatMap((name): CopyReport['refused'] => {
    if (isGuarded(name)) return [{ path: name, why: 'guarded' }];
    const holds = holding.get(name) ?? [];
    return holds.length > 0 ? [{ path: name, why: 'variable', holds }] : [];
  });
  const waits = new Set(held.map((one) => one.path));
  return { plain: names.filter((name) => !waits.has(name)), held, odd };
}

const MOST_STAMPS = 20_000;

/** When each file was last written, by its path below the folder; links are not followed. */
function stampsBelow(folder: string): Map<string, bigint> {
  const stamps = new Map<string, bigint>();
  const folders = [''];
  for (const at of folders)
    for (const entry of entriesIn(path.join(folder, at))) {
      const below = path.join(at, entry.name);
      if (entry.isDirectory()) folders.push(below);
      const stats = entry.isFile() && lstatSync(path.join(folder, below), { bigint: true, throwIfNoEntry: false });
      if (stats && stamps.size < MOST_STAMPS) stamps.set(below, stats.ctimeNs);
    }
  return stamps;
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile, or not for us to read.
    return [];
  }
}
