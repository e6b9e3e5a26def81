// What a command does to trust in a project, recorded in the owner's log with what was trusted before and what is now.
import type { OwnerChange } from '../../audit/owner/event.ts';
import { trustedFingerprint } from '../../config/trust.ts';
import type { Runtime } from '../runtime.ts';
import { recordOwn } from './record.ts';

type TrustChange = Extract<OwnerChange, { readonly files: readonly string[] }>;

export function recordTrust<Result>(
  owner: Pick<Runtime, 'home' | 'project' | 'clock'>,
  change: TrustChange,
  effect: () => Result,
): Result {
  const { project, home } = owner;
  const before = trustedFingerprint(project, home);
  return recordOwn(owner, change, effect, () => ({ before, after: trustedFingerprint(project, home) }));
}
