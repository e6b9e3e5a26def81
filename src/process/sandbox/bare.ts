// Tier S0: nothing stands between the script and its user but a clean environment, limits and the clock.
import type { Launch, Order } from '../order.ts';
import type { Host } from './host.ts';
import { LAUNCHER_FILE, launcherWords } from './launcher.ts';
import type { OpenPoint } from './not-enforced.ts';
import { relocate } from './relocate.ts';
import { launchEnvironment, nothingToRelease, type TierWay } from './tier.ts';

const OPEN: OpenPoint[] = [
  ...(['no-file-isolation', 'no-network-isolation', 'no-process-isolation', 'no-call-filter'] as const),
  ...(['file-names-visible', 'processes-visible', 'daemons-may-survive', 'disk-space'] as const),
];

export function bareTier(host: Host): TierWay {
  const { architecture, perl } = host;
  if (host.platform === 'linux' && architecture && perl) {
    const notEnforced: OpenPoint[] = [...OPEN, host.uid === 0 ? 'no-process-limit' : 'process-limit-shared'];
    const start = (order: Order) => {
      const steps = { parent: process.pid, cwd: order.cwd, limits: order.limits, countsOthers: true };
      return { file: perl, args: [LAUNCHER_FILE, ...launcherWords(architecture, steps, order.argv)] };
    };
    return { tier: 'S0', notEnforced, mounts: false, prepare: (order) => launch(relocate(order), start, notEnforced) };
  }
  const notEnforced: OpenPoint[] = [
    ...([...OPEN, 'no-limits', 'inherited-descriptors', 'may-outlive-host'] as const),
    ...(host.uid === 0 ? (['root-powers'] as const) : []),
  ];
  const start = ({ argv: [file = '', ...args] }: Order) => ({ file, args });
  return { tier: 'S0', notEnforced, mounts: false, prepare: (order) => launch(relocate(order), start, notEnforced) };
}

function launch(
  order: Order,
  start: (order: Order) => Pick<Launch, 'file' | 'args'>,
  notEnforced: readonly OpenPoint[],
): Launch {
  return {
    ...start(order),
    env: launchEnvironment(order.env),
    cwd: order.cwd,
    descriptors: [],
    tier: 'S0',
    notEnforced,
    endsTree: false,
    release: nothingToRelease,
  };
}
