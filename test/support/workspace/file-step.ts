// Random file operations, and whether two trees are the same: for layers, change sets and transactions.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { entryAt, isSameEntry } from '../../../src/workspace/entry.ts';

const OPERATIONS = ['write', 'append', 'truncate', 'mkdir', 'remove', 'chmod', 'link', 'symlink', 'move'] as const;

export interface FileStep {
  readonly op: (typeof OPERATIONS)[number];
  readonly at: string;
  readonly to: string;
  readonly mode: number;
  readonly text: string;
}

const NAMES = ['a', 'b', 'c', 'dir', '.x', '数据'];
const anyPath = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));

export const anyStep: fc.Arbitrary<FileStep> = fc.record({
  op: fc.constantFrom(...OPERATIONS, 'write', 'mkdir'),
  at: anyPath,
  to: anyPath,
  mode: fc.constantFrom(0o644, 0o755, 0o600, 0o500, 0o444),
  text: fc.string({ maxLength: 8 }),
});

/** What cannot be done is left; returns why. A folder is moved as `mv` does it between two disks. */
export function takeStep(root: string, { op, at, to, mode, text }: FileStep): string | undefined {
  const file = path.join(root, at);
  try {
    if (op === 'write') writeFileSync(file, text);
    if (op === 'append') appendFileSync(file, text);
    if (op === 'truncate') truncateSync(file, 1);
    if (op === 'mkdir') mkdirSync(file, { recursive: true });
    if (op === 'remove') rmSync(file, { recursive: true });
    if (op === 'chmod') changeMode(file, mode);
    if (op === 'link') linkSync(file, path.join(root, to));
    if (op === 'symlink') symlinkSync(plainName(text), file);
    if (op === 'move') renameSync(file, path.join(root, to));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Leads nowhere else: what is written through it stays in the tree. A twin by case would wait for a question of its own. */
export function plainName(text: string): string {
  const name = text.replaceAll(/[\0\\/:]/g, '');
  const isTwin = !NAMES.includes(name) && NAMES.includes(name.toLowerCase());
  return name === '' || name === '..' || isTwin ? 'x' : name;
}

/** A folder stays one that its owner can list. */
function changeMode(file: string, mode: number): void {
  const entry = lstatSync(file);
  if (!entry.isSymbolicLink()) chmodSync(file, entry.isDirectory() ? mode | 0o500 : mode);
}

export function assertSameTree(one: string, other: string, below = ''): void {
  const [left, right] = [entryAt(path.join(one, below)), entryAt(path.join(other, below))];
  if (below !== '') assert.ok(isSameEntry(left, right), `${below}: ${JSON.stringify([left, right])}`);
  if (left?.kind !== 'folder') return;
  const names = readdirSync(path.join(one, below)).sort();
  assert.deepEqual(names, readdirSync(path.join(other, below)).sort(), below);
  for (const name of names) assertSameTree(one, other, path.join(below, name));
}
