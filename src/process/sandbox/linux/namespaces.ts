// Tier S2: the launcher opens namespaces itself and adds Landlock and the call filter inside them.
import { realPath } from '../../../base/paths.ts';
import type { Order } from '../../order.ts';
import type { OpenPoint } from '../not-enforced.ts';
import { type Bounds, type BuiltTier, boundsOf, launchEnvironment, openFrame, type SandboxTier } from '../tier.ts';
import { type LandlockParts, LOWEST_LANDLOCK, landlockParts, settingGrants, systemGrants } from './landlock.ts';
import { LAUNCHER_FILE, launcherOf, launcherWords, type PathGrant, type Steps } from './launcher.ts';
import { rootParts } from './own-root.ts';
import { OWN_NAME, ownSettings } from './own-settings.ts';
import { mappedParts, relocate } from './relocate.ts';
import { foldersToSeal } from './seal.ts';
import { type Exposure, ownView, seccompFilter } from './seccomp.ts';
import { arrangeView, grantInside, grantView, type Shown } from './view.ts';

// Mount, cgroup, host name, shared objects, user, pid.
const NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000;
const NETWORK_NAMESPACE = 0x40000000;

export const namespacesTier: SandboxTier = {
  rank: 2,
  can: {
    ...{ files: true, network: true, processes: true, calls: true, limits: true },
    ...{ mounts: true, temporary: true, endsTree: true, sockets: true, proxy: true },
  },
  variants({ host, landlockAbi, without }) {
    if (!launcherOf(host) || landlockAbi < LOWEST_LANDLOCK || without.includes('userns')) return [];
    return [{ sealed: true }, { sealed: false }];
  },
  build(given) {
    const parts = landlockParts(given);
    return parts && build(parts);
  },
};

function build(parts: LandlockParts): BuiltTier {
  const notEnforced = openPoints(parts, boundsOf(parts.place));
  const system = [...systemGrants(), { right: 'read', path: '/proc' } as const];
  const { perl, architecture, sealed = false } = parts;
  return {
    can: { ...namespacesTier.can, temporary: sealed, sockets: sealed },
    notEnforced,
    layers: { perl, architecture, ownUsers: false },
    prepare: (order) => prepare(order, parts, system),
  };
}

function openPoints({ uid, sealed }: LandlockParts, { memory, tasks }: Bounds): OpenPoint[] {
  return [
    ...(sealed ? [] : (['file-names-visible'] as const)),
    ...(['file-locks', 'disk-space'] as const),
    ...(memory ? [] : (['memory-per-process'] as const)),
    ...(uid === 0 && !tasks ? (['no-process-limit'] as const) : []),
  ];
}

function prepare(wanted: Order, parts: LandlockParts, system: PathGrant[]): ReturnType<BuiltTier['prepare']> {
  const { order, binds } = placeMapped(wanted);
  const { holder } = order.view.project?.layer ?? {};
  const { steps: framed, bounds, ...frame } = openFrame(order, parts.place);
  const steps = {
    ...framed,
    parent: process.pid,
    ...(holder && { enter: holder.pid }),
    ...(order.network === 'all'
      ? { namespaces: NAMESPACES }
      : { namespaces: NAMESPACES | NETWORK_NAMESPACE, loopback: true }),
    cwd: order.cwd,
    limits: order.limits,
    // A root of its own, or the machine's, which Landlock closes.
    ...(parts.sealed ? inOwnRoot(order, parts) : inMachineRoot(order, binds, parts, system)),
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

type Walls = Pick<Steps, 'root' | 'covers' | 'binds' | 'landlock' | 'filter'>;

function inOwnRoot(order: Order, { architecture, landlockAbi: abi, emptyFile, uid }: LandlockParts): Walls {
  const shown = arrangeView(order);
  const seal = foldersToSeal(order, shown);
  const settings = ownSettings(
    { uid, gid: process.getegid?.() ?? uid, home: order.view.home ?? order.view.work },
    order.network,
  );
  const closed = seccompFilter(architecture, { ...withoutLocal(order), files: false });
  const parts = rootParts(order, { shown, settings, seal: seal ?? [], emptyFile });
  return {
    root: { parts, name: OWN_NAME, closed },
    landlock: { abi, network: true, grants: grantInside(shown) },
    filter: seal ? seccompFilter(architecture, ownView(order.network, abi)) : closed,
  };
}

/** Every name of the machine can be looked up, a socket among them: only pairs of local ones are made. */
function inMachineRoot(
  order: Order,
  binds: Steps['binds'],
  { architecture, landlockAbi: abi, emptyFile }: LandlockParts,
  system: readonly PathGrant[],
): Walls {
  const shown = arrangeView(order);
  const covered = coveredFiles(shown);
  const empty: PathGrant[] = covered.length > 0 ? [{ right: 'read', path: emptyFile }] : [];
  const grants = [...system, ...settingGrants(order.network), ...grantView(shown, order.view), ...empty];
  return {
    covers: { empty: emptyFile, files: covered },
    ...(binds && { binds }),
    landlock: { abi, network: true, grants },
    filter: seccompFilter(architecture, { ...withoutLocal(order), files: true }),
  };
}

function withoutLocal({ network }: Order): Omit<Exposure, 'files'> {
  return { network: network === 'all' ? 'host' : 'own', local: 'none', processes: false };
}

/** What a call names is shown, though it be hidden. */
function coveredFiles(shown: readonly Shown[]): string[] {
  const atLast = new Map(shown.map(({ at, as }) => [at, as]));
  return [...atLast].flatMap(([at, as]) => (as === 'empty-file' ? [at] : []));
}

type Bind = NonNullable<Steps['binds']>[number];

/** A mount needs a place: content is shown at the path it is meant for if that is there, else the call moves to it. */
function placeMapped(order: Order): { order: Order; binds: Bind[] } {
  const placed = mappedParts(order).map(({ part, mapped }) => ({ part, from: mapped.from, at: realPath(mapped.at) }));
  const { project } = order.view;
  const layer: Bind[] = project?.layer
    ? [{ from: project.layer.from, at: realPath(project.folder) ?? project.folder, as: 'write' }]
    : [];
  const homeless = placed.filter(({ at }) => at === undefined).map(({ part }) => part);
  const binds = placed.flatMap(({ part, from, at }): Bind[] => {
    // Below a folder that may be written, Landlock would grant writing to what is mounted there.
    return at === undefined
      ? []
      : [{ from, at, as: part === 'skill' && !order.view.skill?.writable ? 'read' : 'write' }];
  });
  return { order: relocate(order, homeless), binds: [...layer, ...binds] };
}
