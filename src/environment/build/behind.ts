// Programs that packages bring under names the machine has, too: a call finds those of the machine first.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { namesIfThere } from '../../base/read-file.ts';
import { SYSTEM_PATH } from '../../process/environment.ts';

/** Where packages of either kind have them. */
const FOLDERS = ['bin', 'node_modules/.bin'];
/** Those of the environment itself. */
const OWN = /^python[\d.]*$/;

export function programsBehind(tree: string): string[] {
  const names = FOLDERS.flatMap((folder) => namesIfThere(path.join(tree, folder))).filter((name) => !OWN.test(name));
  return [...new Set(names)].filter(isOfSystem).sort();
}

function isOfSystem(name: string): boolean {
  return SYSTEM_PATH.split(':').some((folder) => lstatSync(path.join(folder, name), { throwIfNoEntry: false }));
}
