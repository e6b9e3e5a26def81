// The files below /dev that a consented device is on this machine.
import { accessSync, constants, lstatSync } from 'node:fs';
import path from 'node:path';
import { namesIfThere } from '../base/read-file.ts';
import { type AbsolutePath, absolutePath } from '../base/value/absolute-path.ts';
import { type DeviceName, deviceOf } from '../policy/consent/device.ts';

const FOLDER = '/dev';

/** Empty where the machine has none. */
export function deviceNodes(name: DeviceName): AbsolutePath[] {
  const { nodes } = deviceOf(name);
  const named = namesIfThere(FOLDER).filter((entry) => nodes.test(entry));
  return named.flatMap((entry) => nodesAt(path.join(FOLDER, entry))).map(absolutePath);
}

/** Links in such a folder lead to its own nodes, by other names. */
function nodesAt(file: string): string[] {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry?.isDirectory()) return namesIfThere(file).flatMap((name) => nodesAt(path.join(file, name)));
  return entry?.isCharacterDevice() ? [file] : [];
}

const OTHERS_MAY_USE = 0o006;

/** Whether calls could open it to read and write: those of root have a user of their own, others run as who starts them. */
export function isOpenToCalls(node: string): boolean {
  if (process.geteuid?.() === 0) return (lstatSync(node).mode & OTHERS_MAY_USE) === OTHERS_MAY_USE;
  try {
    accessSync(node, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
