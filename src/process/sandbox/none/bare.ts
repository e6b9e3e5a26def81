// Tier S0: nothing stands between the script and its user but a clean environment, limits and the clock.
import type { Launch, Order } from '../../order.ts';
import type { Host } from '../host.ts';
import type { CgroupPlace } from '../linux/cgroup-place.ts';
import { LAUNCHER_FILE, launcherWords } from '../linux/launcher.ts';
import { relocate } from '../linux/relocate.ts';
import type { OpenPoint } from '../not-enforced.ts';
import { type Bounds, boundsOf, launchEnvironment, nothingToRelease, openFrame, type TierWay } from '../tier.ts';

const OPEN: OpenPoint[] = [
  ...(['no-file-isolation', 'no-network-isolation', 'no-process-isolation', 'no-call-filter'] as const),
  ...(['file-names-visible', 'processes-visible', 'disk-space'] as const),
];

export function bareTier(host: Host, place?: CgroupPlace): TierWay {
  const { architecture, perl, uid } = host;
  if (host.platform !== 'linux' || !architecture || !perl) return unlimitedTier(host);
  const notEnforced = openPoints(uid, boundsOf(place));
  const prepare = (wanted: Order): Launch => {
    const order = relocate(wanted);
    const { steps: framed, bounds, ...frame } = openFrame(order.limits, place);
    const steps = { ...framed, parent: process.pid, cwd: order.cwd, limits: order.limits, countsOthers: true };
    const args = [LAUNCHER_FILE, ...launcherWords(architecture, steps, order.argv)];
    return { file: perl, args, ...common(order), ...frame, notEnforced: openPoints(uid, bounds) };
  };
  return { tier: 'S0', notEnforced, openIn: () => notEnforced, mounts: false, prepare };
}

function openPoints(uid: number, { memory, tasks }: Bounds): OpenPoint[] {
  return [
    ...OPEN,
    ...(memory ? [] : (['memory-per-process'] as const)),
    ...(tasks ? [] : (['daemons-may-survive', uid === 0 ? 'no-process-limit' : 'process-limit-shared'] as const)),
  ];
}

/** Without a launcher there is nobody to set a limit. */
function unlimitedTier({ uid }: Host): TierWay {
  const notEnforced: OpenPoint[] = [
    ...([...OPEN, 'daemons-may-survive', 'no-limits', 'inherited-descriptors', 'may-outlive-host'] as const),
    ...(uid === 0 ? (['root-powers'] as const) : []),
  ];
  const prepare = (wanted: Order): Launch => {
    const order = relocate(wanted);
    const [file = '', ...args] = order.argv;
    return { file, args, ...common(order), descriptors: [], notEnforced, release: nothingToRelease };
  };
  return { tier: 'S0', notEnforced, openIn: () => notEnforced, mounts: false, prepare };
}

function common(order: Order) {
  return { env: launchEnvironment(order.env), cwd: order.cwd, tier: 'S0', endsTree: false } as const;
}
