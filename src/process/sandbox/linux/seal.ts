// Local sockets of the host in what a call is shown: which folders are sealed against them, and when that cannot be done.
import { readFileSync, statSync } from 'node:fs';
import { assetPath } from '../../../base/assets.ts';
import { isInside, realPath } from '../../../base/paths.ts';
import type { Order } from '../../order.ts';
import { callWord, hex, type LauncherHost, SEALED_FOLDER_FILE } from './launcher.ts';
import type { Shown } from './view.ts';

const SEAL_FILE = assetPath('process/sandbox/linux/seal.pl');

/** `undefined`: somebody's socket may be reached in the view, whatever is sealed. */
export type Sealing = readonly string[] | undefined;

/**
 * The folders of the user's that are shown as they are: somebody may listen on a local socket in them, now or while the
 * call runs. What we made for the call, a layer and a snapshot among it, holds none.
 */
export function foldersToSeal({ view }: Order, shown: readonly Shown[]): Sealing {
  const made = [
    view.work,
    view.home,
    view.skill?.from,
    view.output?.from,
    view.placed?.from,
    view.project?.layer?.from,
    ...(view.packages ?? []).map(({ from }) => from),
  ];
  const ours = made.flatMap((entry): string[] => (entry === undefined ? [] : [entry, realPath(entry) ?? entry]));
  const others = shown.filter(({ from, as }) => (as === 'read' || as === 'write') && !ours.includes(from));
  const folders = others.filter(({ from }) => statSync(from).isDirectory());
  if (folders.some(({ as }) => as === 'write')) return undefined;
  const names = [...new Set(folders.map(({ from }) => from))];
  const outer = names.filter((name) => !names.some((other) => other !== name && isInside(other, name)));
  return outer.length > 0 && holdMounts(outer) ? undefined : outer;
}

/** An overlay does not show what is mounted below its folder. */
function holdMounts(folders: readonly string[]): boolean {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
  const points = lines.map((line) => spellOut(line.split(' ')[4] ?? ''));
  return points.some((point) => folders.some((folder) => point !== folder && isInside(folder, point)));
}

/** Blanks, tabs, newlines and backslashes are written as octal numbers. */
function spellOut(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** The words before a program that is to find these folders sealed; `closed` is the filter for the case that it fails. */
export function sealWords(
  { perl, architecture }: LauncherHost,
  folders: readonly string[],
  closed: Uint8Array,
): string[] {
  if (folders.length === 0) return [];
  return [
    ...[perl, SEAL_FILE, callWord(architecture, ['mount', 'umount2', 'unshare']), `load=${SEALED_FOLDER_FILE}`],
    ...folders.map((folder) => `folder=${folder}`),
    ...[`closed=${hex(closed)}`, '--'],
  ];
}
