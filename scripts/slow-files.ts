// Which test files take long: `npm test` leaves them to `npm run test:whole` and to what every change must pass.
// slow-files.ts RESULTS: chooses them anew, from what a whole run wrote with --results.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Result } from './test-results.ts';

/** What the quick files take of the whole: a few minutes on two processors. */
const QUICK_SHARE = 0.12;

const LIST = 'test/slow.json';

/** Relative to the root. */
export function slowFiles(root: string): ReadonlySet<string> {
  const files = JSON.parse(readFileSync(path.join(root, LIST), 'utf8')) as string[];
  const gone = files.filter((file) => !existsSync(path.join(root, file)));
  if (gone.length > 0) throw new Error(`${LIST} names what is not there: ${gone.join(', ')}`);
  return new Set(files);
}

/** The slowest, so many that the others stay within their share. */
export function chooseSlow(results: readonly Result[], share = QUICK_SHARE): string[] {
  const seconds = new Map<string, number>();
  // Tests that files share are found where they are written, which cannot be left out.
  const inFiles = results.filter(({ file }) => file.endsWith('.test.ts'));
  for (const { file, seconds: more } of inFiles) seconds.set(file, (seconds.get(file) ?? 0) + more);
  let left = [...seconds.values()].reduce((sum, one) => sum + one, 0);
  const most = left * share;
  const slow: string[] = [];
  for (const [file, taken] of [...seconds].sort(([, one], [, other]) => other - one)) {
    if (left <= most) break;
    slow.push(file);
    left -= taken;
  }
  return slow.sort();
}

const [, program, report] = process.argv;
if (program === fileURLToPath(import.meta.url) && report !== undefined) {
  const root = path.dirname(import.meta.dirname);
  const results = JSON.parse(readFileSync(report, 'utf8')) as Result[];
  writeFileSync(path.join(root, LIST), `${JSON.stringify(chooseSlow(results), null, 2)}\n`);
}
