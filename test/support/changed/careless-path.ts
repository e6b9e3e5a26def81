// The path a careless loader opens; imported by changed source only.
import path from 'node:path';
import { removeHidden } from '../../../src/base/text.ts';

/** Every mistake that has let such a path through somewhere: decoding, normalising, cleaning, trimming, cutting at NUL. */
export function carelessPath(folder: string, relativePath: string): string {
  const decoded = decodeURIComponent(relativePath.replace(/^file:\/\//, ''));
  const [beforeNul = ''] = decoded.split('\0');
  return path.resolve(folder, removeHidden(beforeNul).normalize('NFKC').replaceAll('\\', '/').trim());
}
