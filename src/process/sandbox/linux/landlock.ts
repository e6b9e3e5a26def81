// Tier S1, and the file rules S2 shares with it: Landlock grants, the call filter, limits.
import { realPath } from '../../../base/paths.ts';
import type { Order, OrderNetwork } from '../../order.ts';
import type { OpenPoint } from '../not-enforced.ts';
import {
  type Bounds,
  type BuiltTier,
  boundsOf,
  launchEnvironment,
  openFrame,
  type SandboxTier,
  type TierParts,
} from '../tier.ts';
import { LAUNCHER_FILE, type LauncherHost, launcherOf, launcherWords, type PathGrant } from './launcher.ts';
import { withoutMounts } from './relocate.ts';
import { seccompFilter } from './seccomp.ts';
import { systemFolders, systemSettings } from './system-view.ts';
import { arrangeView, grantView } from './view.ts';

/** Before version 4 truncation or TCP is not covered. */
export const LOWEST_LANDLOCK = 4;
/** From this version on, signals stay inside. */
const SCOPED_SIGNALS = 6;

export interface LandlockParts extends LauncherHost, Omit<TierParts, 'host'> {
  readonly uid: number;
}

/** Undefined where the launcher cannot run. */
export function landlockParts({ host, ...rest }: TierParts): LandlockParts | undefined {
  const launcher = launcherOf(host);
  return launcher && { ...rest, ...launcher, uid: host.uid };
}

export const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
// The host's own /proc shows every process and its network: only what is about this one itself, and about the machine.
const OF_ITSELF = [
  ...['auxv', 'cgroup', 'cmdline', 'comm', 'environ', 'fd', 'fdinfo', 'io', 'limits', 'maps', 'mountinfo', 'mounts'],
  ...['oom_score_adj', 'sched', 'schedstat', 'smaps', 'smaps_rollup', 'stat', 'statm', 'status'],
].map((name) => `/proc/self/${name}`);
const PROC_FILES = [...OF_ITSELF, ...['/proc/meminfo', '/proc/cpuinfo', '/proc/stat', '/proc/uptime', '/proc/version']];

export const landlockTier: SandboxTier = {
  rank: 1,
  can: {
    ...{ files: true, network: true, processes: true, calls: true, limits: true },
    ...{ mounts: false, temporary: false, endsTree: false, sockets: false, proxy: false },
  },
  variants({ host, landlockAbi }) {
    return launcherOf(host) && landlockAbi >= LOWEST_LANDLOCK ? [{}] : [];
  },
  build(given) {
    const parts = landlockParts(given);
    return parts && build(parts);
  },
};

function build(parts: LandlockParts): BuiltTier {
  const system = systemGrants();
  const notEnforced = openPoints(parts, boundsOf(parts.place));
  return {
    notEnforced,
    prepare: (order) => prepare(withoutMounts(order), parts, system),
  };
}

function prepare(order: Order, parts: LandlockParts, system: PathGrant[]): ReturnType<BuiltTier['prepare']> {
  // Without a network of its own there is no telling hosts apart: all of it, or none.
  const isOpen = order.network === 'all';
  const network = isOpen ? 'all' : 'none';
  const proc: PathGrant[] = [
    { right: 'list', path: '/proc/self' },
    ...PROC_FILES.map((path): PathGrant => ({ right: 'read', path })),
  ];
  const grants = [...system, ...proc, ...settingGrants(network), ...grantView(arrangeView(order), order.view)];
  const { steps: framed, bounds, ...frame } = openFrame({ ...order, network }, parts.place);
  const steps = {
    ...framed,
    parent: process.pid,
    cwd: order.cwd,
    limits: order.limits,
    countsOthers: true,
    landlock: { abi: parts.landlockAbi, network: isOpen, grants },
    filter: seccompFilter(parts.architecture, {
      ...{ network: isOpen ? 'host' : 'none', local: 'none', files: true, processes: true },
    }),
  };
  return {
    file: parts.perl,
    args: [LAUNCHER_FILE, ...launcherWords(parts.architecture, steps, order.argv)],
    env: launchEnvironment(order.env),
    cwd: '/',
    watchedBy: parts.perl,
    ...frame,
    notEnforced: openPoints(parts, bounds),
  };
}

/** With a cgroup, whatever leaves the group of the call is still found in it. */
function openPoints({ uid, landlockAbi }: LandlockParts, { memory, tasks }: Bounds): OpenPoint[] {
  return [
    ...(['file-names-visible', 'processes-visible', 'file-locks', 'disk-space'] as const),
    ...(memory ? [] : (['memory-per-process'] as const)),
    ...(tasks ? [] : (['daemons-may-survive', uid === 0 ? 'no-process-limit' : 'process-limit-shared'] as const)),
    ...(landlockAbi < SCOPED_SIGNALS ? (['signals'] as const) : []),
  ];
}

export function systemGrants(): PathGrant[] {
  const folders = systemFolders().flatMap(({ path }) => realPath(path) ?? []);
  return [
    ...[...new Set(folders)].map((path): PathGrant => ({ right: 'read', path })),
    ...DEVICES.map((path): PathGrant => ({ right: 'device', path })),
  ];
}

/** Where these are links out of the system folders, a grant names what they lead to. */
export function settingGrants(network: OrderNetwork): PathGrant[] {
  return systemSettings(network).flatMap((file): PathGrant[] => {
    const real = realPath(file);
    return real === undefined ? [] : [{ right: 'read', path: real }];
  });
}
