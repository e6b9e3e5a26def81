// Which changes below `.git` are nothing but the commits themselves: they are told as commits, and never applied as files.
import type { FileChange } from '../change.ts';
import type { Entry } from '../entry.ts';

/** What git writes for every commit, whoever made it. */
const WRITTEN_BY_COMMITS = new RegExp(
  `^\\.git/(?:${[
    'objects(?:/[0-9a-f]{2}(?:/[0-9a-f]+)?)?',
    'objects/pack(?:/[^/]+)?',
    'objects/info(?:/packs|/commit-graph|/commit-graphs(?:/[^/]+)?)?',
    'index|HEAD|COMMIT_EDITMSG|ORIG_HEAD|logs(?:/.+)?|refs(?:/heads)?',
  ].join('|')})$`,
);

/** `refs` are those whose commits are taken; `isComplete`: the run changed no other ref. */
export function explainedBy(refs: readonly string[], isComplete: boolean): (change: FileChange) => boolean {
  const files = new Set(refs.map((name) => `.git/${name}`));
  const folders = new Set([...files].flatMap(foldersAbove));
  return ({ path, before, after }) => {
    if (![before, after].every(isOrdinary)) return false;
    if (WRITTEN_BY_COMMITS.test(path) || files.has(path)) return true;
    if (path === '.git/packed-refs') return isComplete;
    return folders.has(path) && path.startsWith('.git/refs/heads/') && after?.kind === 'folder';
  };
}

function isOrdinary(entry: Entry | undefined): boolean {
  return entry === undefined || entry.kind === 'file' || entry.kind === 'folder';
}

function foldersAbove(file: string): string[] {
  return file.split('/').map((_, at, steps) => steps.slice(0, at).join('/'));
}
