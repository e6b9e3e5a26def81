// What lies where in the folder of a layer, and which mechanism began it.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** What calls write over the project, of an overlay. */
export function upperOf(folder: string): string {
  return path.join(folder, 'disk', 'upper');
}

/** There while a call runs, with the time it began. */
export function callMark(folder: string): string {
  return path.join(folder, 'call');
}

export function touchedFile(folder: string): string {
  return path.join(folder, 'touched.json');
}

/** Of a copy: written when it is complete. */
export function copyRecord(folder: string): string {
  return path.join(folder, 'copied.json');
}

/** Whether one was mounted in the folder of a layer before. */
export function isOverlay(folder: string): boolean {
  return existsSync(upperOf(folder));
}

/** Whether a complete copy lies in the folder of a layer. */
export function isCopied(folder: string): boolean {
  return existsSync(copyRecord(folder));
}
