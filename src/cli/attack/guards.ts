// Attempts on what the sandbox cannot stop: settings, consent, installs, requests, files, the record and hosts, each by the program itself.
import type { Runtime } from '../../app/runtime.ts';
import type { GuardAttempt, GuardAttempts, GuardResult } from './attempt.ts';
import { ON_CONSENT } from './on-consent.ts';
import { ON_FILES } from './on-files.ts';
import { ON_INSTALLS } from './on-installs.ts';
import { ON_NETWORK } from './on-network.ts';
import { ON_RECORD } from './on-record.ts';
import { ON_REQUESTS } from './on-requests.ts';
import { ON_SETTINGS } from './on-settings.ts';
import { type Commands, openStage, type Stage } from './stage.ts';

export const GUARD_ATTEMPTS: GuardAttempts = {
  ...ON_SETTINGS,
  ...ON_CONSENT,
  ...ON_INSTALLS,
  ...ON_REQUESTS,
  ...ON_FILES,
  ...ON_RECORD,
  ...ON_NETWORK,
};

export interface GuardOptions {
  /** The command line that is attacked. */
  readonly commands: Commands;
  readonly probes?: readonly string[];
}

/** Nothing of the user's is touched, and nothing is left behind. */
export async function attackGuards(runtime: Runtime, { commands, probes }: GuardOptions): Promise<GuardResult[]> {
  const stage = openStage(runtime, commands);
  try {
    const results: GuardResult[] = [];
    for (const [probe, attempt] of Object.entries(GUARD_ATTEMPTS))
      if (probes?.includes(probe) ?? true) results.push(await tryGuard(probe, attempt, stage));
    return results;
  } finally {
    stage.close();
  }
}

async function tryGuard(probe: string, attempt: GuardAttempt, stage: Stage): Promise<GuardResult> {
  const { threat } = attempt;
  try {
    return { probe, threat, ended: (await attempt.getsThrough(stage)) ? 'through' : 'stopped' };
  } catch (error) {
    return { probe, threat, ended: 'untried', why: error instanceof Error ? error.message : String(error) };
  }
}
