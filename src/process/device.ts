// The files below /dev that a consented device is on this machine.
import { lstatSync } from 'node:fs';
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
