// Whether this machine confines scripts well enough for "effects only": where it does not, each call is asked about.
import type { TestContext } from 'node:test';
import { ENDS_DAEMONS, isAtLeast } from '../../../src/policy/tier.ts';
import { openSandbox } from '../../../src/process/sandbox/sandbox.ts';
import { temporaryFolder } from '../support.ts';

export async function isConfined(t: TestContext): Promise<boolean> {
  const { tier } = await openSandbox({ cacheFolder: temporaryFolder(t) });
  const isEnough = isAtLeast(tier, ENDS_DAEMONS);
  if (!isEnough) t.diagnostic(`not run: ${tier} is weaker than ${ENDS_DAEMONS}`);
  return isEnough;
}
