// A named change of one source file: what a test takes away from the product to show that it was needed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const repository = path.join(import.meta.dirname, '../../..');

export interface Change {
  /** Below the repository: 'src/distribution/archive/archive.ts'. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
}

/** A change that no longer fits its source fails here: a control that changes nothing proves nothing. */
export function applyChange(text: string, { file, from, to }: Change): string {
  const found = from === '' ? 0 : text.split(from).length - 1;
  assert.equal(found, 1, `changed source: this text occurs ${found} times in ${file}, not once:\n${from}`);
  assert.notEqual(from, to, `changed source: nothing is changed in ${file}`);
  return text.replace(from, () => to);
}

export function assertApplicable(changes: readonly Change[]): void {
  assert.ok(changes.length > 0, 'changed source: no change is named');
  for (const [file, ofFile] of Map.groupBy(changes, (change) => change.file))
    ofFile.reduce(applyChange, readFileSync(path.join(repository, file), 'utf8'));
}
