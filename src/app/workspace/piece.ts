// A change set in the pieces a person decides about: a file each, what changes its kind with all below it, ignored files together.
import { type FileChange, foldersAbove } from '../../workspace/change.ts';
import { isExecuted } from './executed.ts';
import type { Judged } from './judge.ts';

export interface ChangePiece {
  /** What it is named by. */
  readonly head: Judged;
  /** Everything that is applied with it, the head too. */
  readonly all: readonly Judged[];
  /** All that git leaves out, in one piece. */
  readonly ignored: boolean;
}

/** What others execute or obey comes first, ignored files last. A folder is told by what is in it. */
export function piecesOf(judged: readonly Judged[]): ChangePiece[] {
  const ignored = judged.filter(isIgnored);
  const [first] = ignored;
  const pieces = groupTurned(judged.filter((one) => !isIgnored(one)));
  return [
    ...pieces.filter(({ head }) => isToldAlways(head)),
    ...pieces.filter(({ head }) => !isToldAlways(head)),
    ...(first ? [{ head: first, all: ignored, ignored: true }] : []),
  ];
}

export function isToldAlways({ change, verdict }: Judged): boolean {
  return verdict !== 'plain' || isExecuted(change);
}

/** The paths of what was chosen, with the folders that go when nothing is left in them. */
export function pathsOf(chosen: readonly ChangePiece[], judged: readonly Judged[]): string[] {
  const paths = new Set(chosen.flatMap(({ all }) => all.map(({ change }) => change.path)));
  const above = new Set([...paths].flatMap(foldersAbove));
  const goes = ({ change: { path, before, after } }: Judged) =>
    before?.kind === 'folder' && after === undefined && above.has(path);
  return [...paths, ...judged.filter(goes).map(({ change }) => change.path)];
}

interface OpenPiece extends ChangePiece {
  readonly all: Judged[];
}

/** What lies below a file that becomes a folder, or a folder that becomes a file, goes with it. */
function groupTurned(judged: readonly Judged[]): ChangePiece[] {
  const filled = new Set(judged.flatMap(({ change }) => foldersAbove(change.path)));
  const pieces: OpenPiece[] = [];
  const turned = new Map<string, OpenPiece>();
  for (const one of judged) {
    const { path } = one.change;
    const above = foldersAbove(path).flatMap((folder) => turned.get(folder) ?? []);
    const owner = above.find(({ head }) => head.verdict === one.verdict);
    if (owner) owner.all.push(one);
    else if (!isPlainFolder(one.change) || !filled.has(path)) {
      const piece: OpenPiece = { head: one, all: [one], ignored: false };
      pieces.push(piece);
      if (isTurned(one.change)) turned.set(path, piece);
    }
  }
  return pieces;
}

function isIgnored(one: Judged): boolean {
  return one.verdict === 'plain' && one.ignored === true;
}

/** Made or removed, and nothing else. */
function isPlainFolder({ before, after }: FileChange): boolean {
  return (before === undefined || after === undefined) && (after ?? before)?.kind === 'folder';
}

function isTurned({ before, after }: FileChange): boolean {
  return before !== undefined && after !== undefined && before.kind !== after.kind;
}
