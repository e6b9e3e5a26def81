// What a tier is: a rank, what it can do, how it is built on a machine, and how an order becomes a launch in it.
import type { Text } from '../../base/language.ts';
import { PROXY_PORT } from '../child/bridge.ts';
import { FIRST_HANDED, type Launch, type Limits, type Order } from '../order.ts';
import type { Capabilities } from './capability.ts';
import type { Host, Ingredient } from './host.ts';
import { type CallGroup, openCallGroup } from './linux/cgroup.ts';
import type { CgroupPlace } from './linux/cgroup-place.ts';
import type { LauncherHost, Steps } from './linux/launcher.ts';
import type { OpenPoint } from './not-enforced.ts';

/** One tier: a file of its own, listed in tiers.ts. Others ask for its rank and capabilities; from rank 2 on it ends every process of a call. */
export interface SandboxTier {
  /** How strong it is; rank 3 is what people call S3. */
  readonly rank: number;
  readonly can: Capabilities;
  /** How it could be built here, best first; none where the machine lacks something. Each is tried before it counts. */
  variants(machine: MachineFacts): readonly TierVariant[];
  /** Undefined where the machine lacks something. */
  build(parts: TierParts): BuiltTier | undefined;
  /** How this machine gets it; `why` it did not hold when it was tried. */
  advice?(host: Host, why: string | undefined): Text | undefined;
}

export interface MachineFacts {
  readonly host: Host;
  /** 0 where the kernel has none. */
  readonly landlockAbi: number;
  readonly without: readonly Ingredient[];
}

export interface TierVariant {
  /** As root: every call gets a user of its own. */
  readonly ownUsers?: boolean;
  /** The view is built so that no local socket of the host can be reached in it. */
  readonly sealed?: boolean;
}

export interface TierParts extends TierVariant, Omit<MachineFacts, 'without'> {
  /** A readable file without content, shown in place of hidden files. */
  readonly emptyFile: string;
  /** Where cgroups can be made, if anywhere. */
  readonly place?: CgroupPlace | undefined;
}

/** Open points besides those that follow from missing capabilities, which are added for every tier. */
export interface BuiltTier {
  /** Where this machine lets the tier do less than it can elsewhere. */
  readonly can?: Capabilities;
  readonly notEnforced: readonly OpenPoint[];
  /** What stays open for calls that see this project, where that differs: as root, it can be more. */
  openIn?(project: string): readonly OpenPoint[];
  /** Absent where it cannot enter the mount of a layer. */
  readonly layers?: LayerMounts | undefined;
  prepare(order: Order): Omit<Launch, 'tier' | 'endsTree'>;
}

/** How a layer is mounted for calls of a tier. */
export interface LayerMounts extends LauncherHost {
  /** As root: the calls run as a user of the layer's own. */
  readonly ownUsers: boolean;
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

/** What of a whole call is bounded by a cgroup. */
export interface Bounds {
  readonly memory: boolean;
  readonly tasks: boolean;
}

export function boundsOf(place: CgroupPlace | undefined): Bounds {
  return { memory: place?.memory !== undefined, tasks: place?.tasks !== undefined };
}

/** What every launch with a launcher has in common: where it reports, the cgroup it enters, and how both end. */
export interface Frame extends Pick<Launch, 'descriptors' | 'proxy' | 'reached' | 'release'> {
  readonly steps: Pick<Steps, 'report' | 'host' | 'groups' | 'memoryCounted' | 'proxy'>;
  readonly bounds: Bounds;
}

export function openFrame(
  { limits, network }: Pick<Order, 'limits' | 'network'>,
  place: CgroupPlace | undefined,
  contents: readonly Uint8Array[] = [],
): Frame {
  const group = place && tryGroup(place, limits);
  const proxy = typeof network === 'object' ? network.proxy : undefined;
  const entrances = (group?.entrances ?? []).map((write) => ({ write }));
  const firstEntrance = FIRST_HANDED + 1 + contents.length;
  const host = firstEntrance + entrances.length;
  const bounds = boundsOf(group && place);
  return {
    descriptors: ['report', ...contents, ...entrances, 'host', ...(proxy ? (['channel'] as const) : [])],
    ...(proxy && { proxy }),
    steps: {
      report: FIRST_HANDED,
      host,
      groups: entrances.map((_, index) => firstEntrance + index),
      memoryCounted: bounds.memory,
      ...(proxy && { proxy: { channel: host + 1, port: PROXY_PORT } }),
    },
    bounds,
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
