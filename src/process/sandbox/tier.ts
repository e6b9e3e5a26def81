// One tier as the sandbox uses it: how an order becomes a launch, and what stays open.
import { FIRST_HANDED, type Launch, type Limits, type Order, type Tier } from '../order.ts';
import { type CallGroup, openCallGroup } from './linux/cgroup.ts';
import type { CgroupPlace } from './linux/cgroup-place.ts';
import type { Steps } from './linux/launcher.ts';
import type { OpenPoint } from './not-enforced.ts';

export interface TierWay {
  readonly tier: Tier;
  readonly notEnforced: readonly OpenPoint[];
  /** What stays open for calls that see this project: as root, that can be more than elsewhere. */
  openIn(project: string): readonly OpenPoint[];
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

/** What of a whole call is bounded by a cgroup. */
export interface Bounds {
  readonly memory: boolean;
  readonly tasks: boolean;
}

export function boundsOf(place: CgroupPlace | undefined): Bounds {
  return { memory: place?.memory !== undefined, tasks: place?.tasks !== undefined };
}

/** What every launch with a launcher has in common: where it reports, the cgroup it enters, and how both end. */
export interface Frame extends Pick<Launch, 'descriptors' | 'reached' | 'release'> {
  readonly steps: Pick<Steps, 'report' | 'groups'>;
  readonly bounds: Bounds;
}

export function openFrame(limits: Limits, place: CgroupPlace | undefined, contents: readonly Uint8Array[] = []): Frame {
  const group = place && tryGroup(place, limits);
  const entrances = (group?.entrances ?? []).map((write) => ({ write }));
  const firstEntrance = FIRST_HANDED + 1 + contents.length;
  return {
    descriptors: ['report', ...contents, ...entrances],
    steps: { report: FIRST_HANDED, groups: entrances.map((_, index) => firstEntrance + index) },
    bounds: boundsOf(group && place),
    reached: () => group?.reached(),
    release: () => group?.close(),
  };
}

/** A place can be lost between two calls; the call then runs without, and its outcome says so. */
function tryGroup(place: CgroupPlace, limits: Limits): CallGroup | undefined {
  try {
    return openCallGroup(place, limits);
  } catch {
    return undefined;
  }
}
