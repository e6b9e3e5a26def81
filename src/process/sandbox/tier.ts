// One tier as the sandbox uses it: how an order becomes a launch, and what stays open.
import type { Launch, Order, Tier } from '../order.ts';
import type { OpenPoint } from './not-enforced.ts';

export interface TierWay {
  readonly tier: Tier;
  readonly notEnforced: readonly OpenPoint[];
  /** Shows a folder at another place, which must be there; else the words of the order are moved. */
  readonly mounts: boolean;
  prepare(order: Order): Launch;
}

// Read by the dynamic loader, libc or perl before the sandbox stands: they would act outside of it.
const READ_BY_LAUNCHER =
  /^(LD_|PERL|GLIBC_|GCONV_PATH$|LOCPATH$|NLSPATH$|MALLOC_|RES_OPTIONS$|HOSTALIASES$|LOCALDOMAIN$)/;

/** The environment is handed over as environment, so that no secret shows on a command line. */
export function launchEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const handed = Object.entries(env).filter(([name]) => !READ_BY_LAUNCHER.test(name));
  // Perl would complain about a locale that is not installed, in the middle of the skill's own output.
  return { ...Object.fromEntries(handed), PERL_BADLANG: '0' };
}

export function nothingToRelease(): void {}
