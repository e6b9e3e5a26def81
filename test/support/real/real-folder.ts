// The folder of public repositories that long runs read.
import type { TestContext } from 'node:test';
import { isLong } from '../support.ts';

/** Named by SKILLWRIGHT_REAL; without it a short run says "not run", a long run fails. */
export function realFolder(t: TestContext): string | undefined {
  const folder = process.env.SKILLWRIGHT_REAL;
  if (folder) return folder;
  if (isLong()) throw new Error('SKILLWRIGHT_REAL must name the folder of public skills for test:long');
  t.diagnostic('not run: SKILLWRIGHT_REAL is not set');
  return undefined;
}
