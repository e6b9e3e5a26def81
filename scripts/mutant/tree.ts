// Copies of the repository to change: one for each mutant that runs at the same time, used again and again.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { applyChange, type Change } from '../../test/support/changed/change.ts';

export interface Tree {
  readonly root: string;
  /** For temporary files of its tests. */
  readonly scratch: string;
  /** What its processes compile, apart from that of other trees. */
  readonly cache: string;
}

const LEFT_OUT = new Set(['node_modules', '.git', '.agent', 'dist']);
const BUILTIN_MANIFEST = 'skills/manifest.json';

/** Short names: the path of a socket may have hardly more than a hundred bytes. */
export function makeTree(repository: string, folder: string, name: string): Tree {
  const tree = {
    root: path.join(folder, name),
    scratch: path.join(folder, `${name}t`),
    cache: path.join(folder, `${name}c`),
  };
  const filter = (from: string) => !LEFT_OUT.has(path.basename(from));
  cpSync(repository, tree.root, { recursive: true, filter });
  symlinkSync(path.join(repository, 'node_modules'), path.join(tree.root, 'node_modules'));
  mkdirSync(tree.scratch);
  // Tests become other users.
  chmodSync(tree.scratch, 0o1777);
  return tree;
}

/** Makes the change in the tree; the function that is returned takes it back. */
export function change({ root }: Tree, wanted: Change): () => void {
  const file = path.join(root, wanted.file);
  const files = [file, ...(isBuiltinSkill(wanted.file) ? [path.join(root, BUILTIN_MANIFEST)] : [])];
  const before = files.map((one) => readFileSync(one));
  writeFileSync(file, applyChange(String(before[0]), wanted));
  // Its digest is pinned: without this every use of the skill fails, whatever was changed.
  if (isBuiltinSkill(wanted.file)) spawnSync(process.execPath, ['scripts/builtin-manifest.ts'], { cwd: root });
  return () => {
    files.forEach((one, index) => {
      writeFileSync(one, before[index] ?? '');
    });
  };
}

function isBuiltinSkill(file: string): boolean {
  return file.startsWith('skills/') && file !== BUILTIN_MANIFEST;
}
