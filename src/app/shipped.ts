// The digests of the skills that come with the program, by the list that is shipped with them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { jsonIfValid } from '../base/json.ts';
import { type Digest, isDigest } from '../base/value/digest.ts';
import { isMapOf } from '../base/value/shape.ts';

/** Which digests are the shipped ones; a package without its list trusts none. */
export function readShipped(builtin: string): Record<string, Digest> {
  try {
    const shipped = jsonIfValid(readFileSync(path.join(builtin, 'manifest.json'), 'utf8'));
    return isDigests(shipped) ? shipped : {};
  } catch {
    return {};
  }
}

const isDigests = isMapOf(isDigest);
