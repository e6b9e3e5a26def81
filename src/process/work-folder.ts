// The private folder of one call: made fresh, gone afterwards with whatever was left in it.
import path from 'node:path';
import { makeFolder, removeTree } from '../base/files.ts';
import { randomId } from '../base/ids.ts';

export interface WorkFolder {
  readonly folder: string;
  close(): void;
}

export function openWorkFolder(parent: string): WorkFolder {
  const folder = path.join(parent, `call-${randomId(8)}`);
  makeFolder(folder);
  return { folder, close: () => removeTree(folder) };
}
