// What can be imported from the package: its entries, and the source that each of them is.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../src/base/json.ts';

export interface Entry {
  /** As a program imports it. */
  readonly module: string;
  /** Below the root. */
  readonly file: string;
}

export function readEntries(root: string): Entry[] {
  const about: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  if (!isRecord(about) || !isRecord(about.exports)) throw new Error('package.json has no exports');
  return Object.entries(about.exports).flatMap(([name, target]) => {
    const types = isRecord(target) ? target.types : undefined;
    if (typeof types !== 'string') return [];
    const file = types.replace(/^\.\/dist\/types\//, 'src/').replace(/\.d\.ts$/, '.ts');
    return [{ module: path.posix.join(String(about.name), name), file }];
  });
}
