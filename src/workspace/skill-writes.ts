// What a call wrote into the copy of its skill that it worked in: sealed first, then compared with the snapshot.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder } from '../base/files.ts';
import type { LayerBounds } from './bounds.ts';
import type { FileChange } from './change.ts';
import { compareTrees } from './compare.ts';
import { sealedTree, sealTree, stampOf } from './seal.ts';
import type { LayerAmount } from './watch.ts';

/** How each entry of the copy was when the call began, and how much all of it was. */
export interface CopyStart {
  readonly stamps: Readonly<Record<string, string>>;
  readonly amount: LayerAmount;
}

export interface SkillWrites {
  readonly changes: readonly FileChange[];
  /** Where what was written lies, out of the reach of the call. */
  readonly tree: string;
}

export function startOf(copy: string): CopyStart {
  const stamps: Record<string, string> = {};
  let bytes = 0;
  const folders = [''];
  for (const folder of folders)
    for (const name of readdirSync(path.join(copy, folder))) {
      const below = folder === '' ? name : `${folder}/${name}`;
      const stats = lstatSync(path.join(copy, below), { bigint: true });
      if (stats.isDirectory()) folders.push(below);
      stamps[below] = stampOf(stats);
      bytes += Number(stats.size);
    }
  return { stamps, amount: { files: Object.keys(stamps).length, bytes } };
}

export interface WritesOrder {
  readonly copy: string;
  readonly start: CopyStart;
  readonly snapshot: string;
  /** A folder of our own, for this call alone; made where there is something to keep in it. */
  readonly store: string;
  readonly bounds: Pick<LayerBounds, 'layerFiles' | 'layerBytes'>;
}

/** Compiled Python is no result of anybody. Throws a Fault where it is more than a layer may hold. */
export function writesIn({ copy, start, snapshot, store, bounds }: WritesOrder): SkillWrites {
  const tree = sealedTree(store);
  if (isAsItWas(copy, start)) return { changes: [], tree };
  const { amount } = start;
  let [files, bytes] = [0, 0];
  const count = (size: number) => {
    files++;
    bytes += size;
    if (files > amount.files + bounds.layerFiles || bytes > amount.bytes + bounds.layerBytes) throw wroteTooMuch();
  };
  const isUntouched = (below: string, stamp: string) => stamp === start.stamps[below];
  makeFolder(store);
  const { stamps, special } = sealTree({ folder: store, tree: copy, isUntouched, count });
  const changes = compareTrees({
    project: snapshot,
    tree,
    isUntouched: (below) => stamps[below] === start.stamps[below],
    isSpecial: (below) => special.includes(below),
    isHidden: () => false,
  });
  return { changes: changes.filter(({ path: below }) => !isCompiled(below)), tree };
}

/** What may not be looked at any more was changed. */
function isAsItWas(copy: string, { stamps }: CopyStart): boolean {
  try {
    const now = startOf(copy).stamps;
    const names = Object.keys(now);
    return names.length === Object.keys(stamps).length && names.every((name) => now[name] === stamps[name]);
  } catch {
    return false;
  }
}

function isCompiled(below: string): boolean {
  return below.split('/').includes('__pycache__');
}

function wroteTooMuch(): Fault {
  return new Fault('LIMIT_LAYER_SIZE', {
    en: 'what the call left in the folder of its skill',
    zh: '调用在技能目录中留下的内容',
  });
}
