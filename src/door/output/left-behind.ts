// Files that a call named in what it printed and left in its private folder, which ends with it: nobody finds them there.
import { lstatSync } from 'node:fs';
import { isInside, realPath } from '../../base/paths.ts';
import { type CopyReport, REFUSED_LIMIT } from '../../process/copy-out.ts';
import type { Ended } from '../../process/order.ts';
import { textOf } from './conclude.ts';

/** What closes a path in a sentence is no part of it. */
const CLOSING = /[.,;:!?)\]}>]+$/;

type Printed = Pick<Ended, 'stdout' | 'stderr'>;

/** They count as results that were not delivered. */
export function withLeftBehind({ copied, refused }: CopyReport, folder: string, printed: Printed): CopyReport {
  const named = new Set([printed.stdout, printed.stderr].flatMap((bytes) => pathsBelow(folder, textOf(bytes))));
  const left = [...named].filter((file) => isFileBelow(folder, file));
  const all = [...refused, ...left.map((path) => ({ path, why: 'temporary' }) as const)];
  return { copied, refused: all.slice(0, REFUSED_LIMIT) };
}

function pathsBelow(folder: string, text: string): string[] {
  const [, ...rest] = text.split(`${folder}/`, MOST_NAMED);
  return rest.map((after) => {
    const name = /^[^\s"'`<>|]*/.exec(after.slice(0, LONGEST))?.[0] ?? '';
    return `${folder}/${name.replace(CLOSING, '')}`;
  });
}

const MOST_NAMED = 1000;
const LONGEST = 4096;

/** The call made it and may have put anything there: what leads out, or is no path at all, is none. */
function isFileBelow(folder: string, file: string): boolean {
  const [root, real] = [realPath(folder), realPath(file)];
  if (root === undefined || real === undefined || !isInside(root, real)) return false;
  return lstatSync(real, { throwIfNoEntry: false })?.isFile() ?? false;
}
