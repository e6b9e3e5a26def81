// Tier S2: the launcher opens namespaces itself and adds Landlock and the call filter inside them.
import { realPath } from '../../../base/paths.ts';
import type { Order } from '../../order.ts';
import type { OpenPoint } from '../not-enforced.ts';
import { type Bounds, type BuiltTier, boundsOf, launchEnvironment, openFrame, type SandboxTier } from '../tier.ts';
import { type LandlockParts, LOWEST_LANDLOCK, landlockParts, settingGrants, systemGrants } from './landlock.ts';
import { LAUNCHER_FILE, launcherOf, launcherWords, type PathGrant } from './launcher.ts';
import { mappedParts, relocate } from './relocate.ts';
import { seccompFilter } from './seccomp.ts';
import { arrangeView, grantView, type Shown } from './view.ts';

// Mount, cgroup, host name, shared objects, user, pid.
const NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000;
const NETWORK_NAMESPACE = 0x40000000;

export const namespacesTier: SandboxTier = {
  rank: 2,
  can: {
    ...{ files: true, network: true, processes: true, calls: true, limits: true },
    ...{ mounts: true, temporary: false, endsTree: true },
  },
  variants({ host, landlockAbi, without }) {
    return launcherOf(host) && landlockAbi >= LOWEST_LANDLOCK && !without.includes('userns') ? [{}] : [];
  },
  build(given) {
    const parts = landlockParts(given);
    return parts && build(parts);
  },
};

function build(parts: LandlockParts): BuiltTier {
  const notEnforced = openPoints(parts, boundsOf(parts.place));
  const system = [...systemGrants(), { right: 'read', path: '/proc' } as const];
  const { perl, architecture } = parts;
  return {
    notEnforced,
    layers: { perl, architecture, ownUsers: false },
    prepare: (order) => prepare(order, parts, system),
  };
}

function openPoints({ uid }: LandlockParts, { memory, tasks }: Bounds): OpenPoint[] {
  return [
    ...(['file-names-visible', 'file-locks', 'disk-space'] as const),
    ...(memory ? [] : (['memory-per-process'] as const)),
    ...(uid === 0 && !tasks ? (['no-process-limit'] as const) : []),
  ];
}

function prepare(wanted: Order, parts: LandlockParts, system: PathGrant[]): ReturnType<BuiltTier['prepare']> {
  const { order, binds } = placeMapped(wanted);
  const { holder } = order.view.project?.layer ?? {};
  const shown = arrangeView(order);
  const covered = coveredFiles(shown);
  const empty: PathGrant[] = covered.length > 0 ? [{ right: 'read', path: parts.emptyFile }] : [];
  const grants = [...system, ...settingGrants(order.network), ...grantView(shown, order.view), ...empty];
  const { steps: framed, bounds, ...frame } = openFrame(order.limits, parts.place);
  const steps = {
    ...framed,
    parent: process.pid,
    ...(holder && { enter: holder.pid }),
    namespaces: order.network ? NAMESPACES : NAMESPACES | NETWORK_NAMESPACE,
    covers: { empty: parts.emptyFile, files: covered },
    binds,
    cwd: order.cwd,
    limits: order.limits,
    landlock: { abi: parts.landlockAbi, network: order.network, grants },
    filter: seccompFilter(parts.architecture, { network: order.network, files: true, processes: false }),
  };
  return {
    file: parts.perl,
    args: [LAUNCHER_FILE, ...launcherWords(parts.architecture, steps, order.argv)],
    env: launchEnvironment(order.env),
    cwd: '/',
    ...frame,
    notEnforced: openPoints(parts, bounds),
  };
}

/** What a call names is shown, though it be hidden. */
function coveredFiles(shown: readonly Shown[]): string[] {
  const atLast = new Map(shown.map(({ at, as }) => [at, as]));
  return [...atLast].flatMap(([at, as]) => (as === 'empty-file' ? [at] : []));
}

/** A mount needs a place: content is shown at the path it is meant for if that is there, else the call moves to it. */
function placeMapped(order: Order): { order: Order; binds: { from: string; at: string }[] } {
  const placed = mappedParts(order).map(({ part, mapped }) => ({ part, from: mapped.from, at: realPath(mapped.at) }));
  const { project } = order.view;
  const layer = project?.layer ? [{ from: project.layer.from, at: realPath(project.folder) ?? project.folder }] : [];
  const homeless = placed.filter(({ at }) => at === undefined).map(({ part }) => part);
  const binds = placed.flatMap(({ from, at }) => (at === undefined ? [] : [{ from, at }]));
  return { order: relocate(order, homeless), binds: [...layer, ...binds] };
}
