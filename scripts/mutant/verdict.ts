// What the tests of a rule say about a mutant: killed, survived, or broken, which proves nothing.
import type { Mutant } from '../../test/mutants/mutant.ts';
import type { Ended } from './reporter.ts';
import type { TestRun } from './run-tests.ts';

export interface Verdict {
  readonly mutant: Mutant;
  readonly result: 'killed' | 'survived' | 'broken';
  /** The test that failed, or what is broken. */
  readonly by: string;
  readonly seconds: number;
}

/** The change itself is damaged: no product fails like this, and no test is needed to see it. */
const DAMAGE = /ReferenceError: \S+ is not defined|ERR_MODULE_NOT_FOUND|does not provide an export/;

/** Only the run of one file; undefined where its tests passed. */
export function judgeRun(
  { ended, isTimedOut, stderr }: TestRun,
  file: string,
): Omit<Verdict, 'mutant' | 'seconds'> | undefined {
  const failed = ended.filter((one) => one.state === 'failed' && !one.isParent);
  const test = failed.find((one) => !isFile(one, file));
  const said = `${failed.map(({ reason }) => reason).join('\n')}\n${stderr}`;
  const damage = DAMAGE.exec(said)?.[0];
  if (damage) return { result: 'broken', by: damage };
  if (test) return { result: 'killed', by: test.name };
  if (isTimedOut) return { result: 'broken', by: 'the tests did not end' };
  return failed.length > 0 ? { result: 'broken', by: `${file} does not load` } : undefined;
}

/** Why unchanged tests show nothing, or undefined. */
export function whyUseless({ ended, isTimedOut }: TestRun, patterns: readonly string[]): string | undefined {
  if (isTimedOut) return 'its tests do not end, unchanged';
  const own = ended.filter(({ name }) => patterns.some((pattern) => new RegExp(pattern).test(name)));
  const failed = own.find(({ state }) => state === 'failed');
  if (failed) return `fails unchanged: ${failed.name}`;
  return own.some(({ state }) => state === 'passed') ? undefined : 'no test of it runs';
}

/** The runner names a file that fails outside of its tests like a test. */
function isFile({ name }: Ended, file: string): boolean {
  return name.endsWith(file);
}
