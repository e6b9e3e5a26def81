// Tier S0: nothing stands between the script and its user but a clean environment, the deadline and, with perl, resource limits.
import type { Order } from '../../order.ts';
import type { Capabilities } from '../capability.ts';
import type { CgroupPlace } from '../linux/cgroup-place.ts';
import { LAUNCHER_FILE, type LauncherHost, launcherOf, launcherWords } from '../linux/launcher.ts';
import { withoutMounts } from '../linux/relocate.ts';
import type { OpenPoint } from '../not-enforced.ts';
import { type Bounds, type BuiltTier, boundsOf, launchEnvironment, openFrame, type SandboxTier } from '../tier.ts';

const OPEN: OpenPoint[] = ['file-names-visible', 'processes-visible', 'disk-space'];

const CAN: Capabilities = {
  ...{ files: false, network: false, processes: false, calls: false, limits: true },
  ...{ mounts: false, temporary: false, endsTree: false, sockets: false, proxy: false },
};

export const bareTier = {
  rank: 0,
  can: CAN,
  variants: () => [{}],
  build({ host, place }) {
    const launcher = launcherOf(host);
    return launcher ? limitedTier(launcher, host.uid, place) : unlimitedTier(host.uid);
  },
} satisfies SandboxTier;

function limitedTier({ perl, architecture }: LauncherHost, uid: number, place: CgroupPlace | undefined): BuiltTier {
  const prepare = (wanted: Order) => {
    const order = withoutMounts(wanted);
    const { steps: framed, bounds, ...frame } = openFrame({ ...order, network: 'all' }, place);
    const steps = { ...framed, parent: process.pid, cwd: order.cwd, limits: order.limits, countsOthers: true };
    const args = [LAUNCHER_FILE, ...launcherWords(architecture, steps, order.argv)];
    const notEnforced = openPoints(uid, bounds);
    return { file: perl, args, watchedBy: perl, ...common(order), ...frame, notEnforced };
  };
  return { notEnforced: openPoints(uid, boundsOf(place)), prepare };
}

function openPoints(uid: number, { memory, tasks }: Bounds): OpenPoint[] {
  return [
    ...OPEN,
    ...(memory ? [] : (['memory-per-process'] as const)),
    ...(tasks ? [] : (['daemons-may-survive', uid === 0 ? 'no-process-limit' : 'process-limit-shared'] as const)),
  ];
}

/** Without a launcher there is nobody to set a limit. */
function unlimitedTier(uid: number): BuiltTier {
  const notEnforced: OpenPoint[] = [
    ...([...OPEN, 'daemons-may-survive', 'inherited-descriptors', 'may-outlive-host'] as const),
    ...(uid === 0 ? (['root-powers'] as const) : []),
  ];
  const prepare = (wanted: Order) => {
    const order = withoutMounts(wanted);
    const [file = '', ...args] = order.argv;
    return { file, args, ...common(order), descriptors: [], notEnforced, release: () => {} };
  };
  return { can: { ...CAN, limits: false }, notEnforced, prepare };
}

function common(order: Order) {
  return { env: launchEnvironment({ ...order.env, PWD: order.cwd }), cwd: order.cwd };
}
