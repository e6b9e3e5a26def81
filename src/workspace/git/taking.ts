// What of checked commits reaches the project, as changes of its files: the pack with their objects, then the branches.
import path from 'node:path';
import type { FileChange } from '../change.ts';
import { type Entry, entryAt, statsAt } from '../entry.ts';
import type { CheckedCommits } from './made-commits.ts';
import { isBranchOf } from './tip.ts';

export interface TakingPlan {
  /** In the order they are to be carried out. */
  readonly changes: readonly FileChange[];
  /** Where the content of one of them lies; undefined for every other path. */
  content(path: string): string | undefined;
}

const OBJECT_MODE = 0o444;
const REF_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** A pack that is there already is the same: its name is its checksum. */
export function planTaking(project: string, { pack, branches }: CheckedCommits): TakingPlan {
  const isMissing = ({ below }: Source) => statsAt(path.join(project, below)) === undefined;
  const objects = ['pack', 'idx'].map((ending): Source => {
    const file = `${pack.name}.${ending}`;
    return { below: `.git/objects/pack/${file}`, from: path.join(pack.folder, file), mode: OBJECT_MODE };
  });
  const repository = path.join(pack.folder, '..', '..');
  const refs = branches.map(
    ({ branch }): Source => ({
      below: refPath(branch),
      from: path.join(repository, 'refs', 'heads', branch),
      mode: REF_MODE,
    }),
  );
  const sources = [...objects.filter(isMissing), ...refs];
  const from = new Map(sources.map((source) => [source.below, source.from]));
  const folders = new Set(sources.flatMap(({ below }) => foldersAbove(below)));
  const missing = [...folders].filter((below) => statsAt(path.join(project, below)) === undefined);
  const made = missing.map((below): FileChange => ({ path: below, after: folderEntry(project) }));
  return { changes: [...made, ...sources.map(newFile)], content: (below) => from.get(below) };
}

interface Source {
  /** Below the project. */
  readonly below: string;
  readonly from: string;
  readonly mode: number;
}

function newFile({ below, from, mode }: Source): FileChange {
  const { owner: _, ...entry } = entryAt(from) ?? { kind: 'special', mode: 0, size: 0 };
  return { path: below, after: { ...entry, mode } };
}

/** Open to whom the branches beside it are. */
function folderEntry(project: string): Entry {
  const beside = statsAt(path.join(project, '.git', 'refs', 'heads'));
  return { kind: 'folder', mode: beside ? Number(beside.mode & 0o777n) : FOLDER_MODE, size: 0 };
}

function foldersAbove(below: string): string[] {
  const steps = below.split('/').slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

function refPath(branch: string): string {
  return `.git/refs/heads/${branch}`;
}

/** The branch that a change of files made for a run; undefined for every other change. */
export function branchMade({ path: below, after }: FileChange, run: string): string | undefined {
  const branch = below.startsWith(refPath('')) ? below.slice(refPath('').length) : undefined;
  return branch !== undefined && after?.kind === 'file' && isBranchOf(run, branch) ? branch : undefined;
}

/** Whether a change of files is part of taking commits: what carries them, beside the branches. */
export function carriesCommits({ path: below, before, after }: FileChange): boolean {
  if (before || !after) return false;
  return /^\.git\/objects\/pack(?:\/pack-[0-9a-f]{40,64}\.(?:pack|idx))?$/.test(below) || isBranchFolder(below, after);
}

function isBranchFolder(below: string, { kind }: Entry): boolean {
  return kind === 'folder' && below.startsWith(refPath('')) && below !== refPath('');
}
