// Tier S3: bubblewrap builds an empty file system and fresh namespaces, the launcher sets limits and filter inside.
import path from 'node:path';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { visible } from '../../../base/text.ts';
import { FIRST_HANDED, type LayerHolder, type Order, type OrderNetwork } from '../../order.ts';
import type { OpenPoint } from '../not-enforced.ts';
import {
  type Bounds,
  type BuiltTier,
  boundsOf,
  type LayerMounts,
  launchEnvironment,
  openFrame,
  type SandboxTier,
  type TierParts,
} from '../tier.ts';
import { callIdentity, type Identity, seesAsRoot } from './identity.ts';
import { LOWEST_LANDLOCK } from './landlock.ts';
import { LAUNCHER_FILE, type LauncherHost, launcherOf, launcherWords } from './launcher.ts';
import { OWN_NAME, type OwnSetting, ownSettings } from './own-settings.ts';
import { foldersToSeal, sealWords } from './seal.ts';
import { type Exposure, ownView, seccompFilter } from './seccomp.ts';
import { systemFolders, systemSettings } from './system-view.ts';
import { arrangeView, grantInside, linksToView, type Shown } from './view.ts';

interface BubblewrapParts extends LauncherHost, Omit<TierParts, 'host'> {
  readonly bubblewrap: string;
  readonly nsenter?: string | undefined;
  readonly uid: number;
  readonly gid: number;
  readonly ownUsers: boolean;
  readonly sealed: boolean;
}

const LAUNCHER_INSIDE = '/run/launcher.pl';
// After the report.
const FIRST_SETTING = FIRST_HANDED + 1;
// Memory, not disk: enough for ordinary temporary files, too little to hurt the host.
export const TEMPORARY_BYTES = 64 * 1024 * 1024;

export const bubblewrapTier: SandboxTier = {
  rank: 3,
  can: {
    ...{ files: true, network: true, processes: true, calls: true, limits: true },
    ...{ mounts: true, temporary: true, endsTree: true, sockets: true, proxy: true },
  },
  // As root, a user of its own for every call is better than root without powers.
  variants({ host }) {
    if (!host.bubblewrap || !launcherOf(host)) return [];
    const users = host.uid === 0 ? [true, false] : [false];
    return users.flatMap((ownUsers) => [true, false].map((sealed) => ({ ownUsers, sealed })));
  },
  build({ host, ownUsers = false, sealed = false, ...rest }) {
    const { bubblewrap, nsenter, uid, gid } = host;
    const launcher = launcherOf(host);
    return bubblewrap === undefined || !launcher
      ? undefined
      : build({ ...rest, ...launcher, bubblewrap, nsenter, uid, gid, ownUsers, sealed });
  },
  advice(host, why) {
    if (!host.bubblewrap) return NO_BUBBLEWRAP;
    return why === undefined ? undefined : brokenBubblewrap(visible(why));
  },
};

function build(parts: BubblewrapParts): BuiltTier {
  const system = systemArguments();
  const bounds = boundsOf(parts.place);
  const isRoot = parts.uid === 0;
  return {
    can: { ...bubblewrapTier.can, sockets: parts.sealed },
    notEnforced: openPoints(isRoot && !parts.ownUsers, bounds),
    ...(parts.nsenter !== undefined && { layers: layerMounts(parts) }),
    openIn: (project) => openPoints(isRoot && (!parts.ownUsers || seesAsRoot(project)), bounds),
    prepare: (order) => prepare(order, parts, system),
  };
}

function layerMounts({ perl, architecture, uid, ownUsers }: BubblewrapParts): LayerMounts {
  return { perl, architecture, ownUsers: uid === 0 && ownUsers };
}

function prepare(order: Order, parts: BubblewrapParts, system: readonly string[]): ReturnType<BuiltTier['prepare']> {
  const shown = arrangeView(order);
  const identity = callIdentity(order, parts, shown);
  const sealing = foldersToSeal(order, shown);
  const seal = sealing && (parts.sealed || sealing.length === 0) ? sealing : undefined;
  const { landlockAbi: abi } = parts;
  const closed = seccompFilter(parts.architecture, closedExposure(order));
  const filter = seal ? seccompFilter(parts.architecture, ownView(order.network, abi)) : closed;
  const settings = ownSettings({ ...identity, home: order.view.home ?? order.view.work }, order.network);
  const contents = settings.map(({ content }) => Buffer.from(content));
  const { steps: framed, bounds, ...frame } = openFrame(order, parts.place, contents);
  const steps = {
    ...framed,
    // In a network of its own TCP leads nowhere else.
    ...(abi >= LOWEST_LANDLOCK && {
      landlock: { abi, network: order.network !== 'none' || filter !== closed, grants: grantInside(shown) },
    }),
    cwd: order.cwd,
    limits: order.limits,
    filter,
    ...(identity.kind === 'own' && { user: identity.uid }),
  };
  const program = [
    ...enterLayer(parts, order.view.project?.layer?.holder),
    ...sealWords(parts, seal ?? [], closed),
    parts.bubblewrap,
  ];
  return {
    file: program[0] ?? parts.bubblewrap,
    args: [
      ...program.slice(1),
      ...namespaceArguments(order.network, identity),
      ...system,
      ...ownDevices(order.view.devices ?? []),
      ...settingArguments(order.network, settings),
      ...viewArguments(order, shown, parts.emptyFile),
      ...bind('--ro-bind', LAUNCHER_FILE, LAUNCHER_INSIDE),
      ...['--remount-ro', '/', '--', parts.perl, LAUNCHER_INSIDE],
      ...launcherWords(parts.architecture, steps, order.argv),
    ],
    env: launchEnvironment(order.env),
    cwd: '/',
    ...frame,
    notEnforced: openPoints(identity.kind === 'root', bounds),
  };
}

/** The overlay is mounted in the namespaces of its holder, and nowhere else. */
function enterLayer({ nsenter }: BubblewrapParts, holder: LayerHolder | undefined): string[] {
  if (!holder) return [];
  if (nsenter === undefined) throw new Fault('WorkspaceUnavailable', 'nsenter');
  const user = holder.user === undefined ? ['--user', '--preserve-credentials'] : [];
  return [nsenter, '--target', String(holder.pid), '--mount', ...user, '--'];
}

/** Single-instance programs listen; what they would connect to may be a socket of the host. */
function closedExposure({ network }: Order): Exposure {
  if (typeof network === 'object') return { network: 'own', local: 'none', files: false, processes: false };
  if (network === 'none') return { network: 'none', local: 'listen', files: false, processes: false };
  return { network: 'host', local: 'none', files: false, processes: false };
}

function openPoints(asRoot: boolean, { memory, tasks }: Bounds): OpenPoint[] {
  return [
    ...(['file-locks', 'disk-space'] as const),
    ...(memory ? [] : (['memory-per-process'] as const)),
    ...(asRoot && !tasks ? (['no-process-limit'] as const) : []),
  ];
}

/** As root with users of their own, the launcher needs three capabilities for one moment: to become that user. */
function namespaceArguments(network: OrderNetwork, identity: Identity): string[] {
  const ownUser = identity.kind === 'own';
  return [
    ...(ownUser ? [] : ['--unshare-user', '--disable-userns']),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--hostname', OWN_NAME],
    ...(network === 'all' ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(ownUser ? ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]) : []),
  ];
}

function systemArguments(): string[] {
  return [
    ...systemFolders().flatMap(({ path: folder, link }) =>
      link === undefined ? ['--ro-bind', folder, folder] : ['--symlink', link, folder],
    ),
    // Kernel settings obey root even without capabilities; read-only, they obey nobody here.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
    ...temporary('/dev/shm'),
    ...temporary('/tmp'),
  ];
}

/** Before the folder they lie in is closed. */
function ownDevices(nodes: readonly string[]): string[] {
  return [...nodes.flatMap((node) => bind('--dev-bind', node, node)), '--remount-ro', '/dev'];
}

function temporary(folder: string): string[] {
  return ['--perms', '1777', '--size', String(TEMPORARY_BYTES), '--tmpfs', folder];
}

function settingArguments(network: OrderNetwork, own: readonly OwnSetting[]): string[] {
  return [
    ...systemSettings(network).flatMap((file) => bind('--ro-bind', file, file)),
    ...own.flatMap(({ path: file }, index) => ['--perms', '0444', '--file', String(FIRST_SETTING + index), file]),
  ];
}

function viewArguments(order: Order, shown: readonly Shown[], emptyFile: string): string[] {
  const empty = shown.filter(({ as }) => as === 'empty-folder');
  return [
    ...shown.flatMap((entry) => showArguments(entry, emptyFile)),
    ...linksToView(order, shown).flatMap((link) => [...parents(link.path), '--symlink', link.target, link.path]),
    // Last, because what is shown inside a covered folder needs its place made first.
    ...empty.flatMap(({ at }) => ['--remount-ro', at]),
  ];
}

function showArguments({ at, from, as }: Shown, emptyFile: string): string[] {
  switch (as) {
    case 'read':
      return bind('--ro-bind', from, at);
    case 'write':
      return bind('--bind', from, at);
    case 'device':
      return [];
    case 'empty-file':
      return ['--ro-bind', emptyFile, at];
    case 'empty-folder':
      return ['--perms', '0755', '--size', '65536', '--tmpfs', at];
  }
}

function bind(option: string, from: string, at: string): string[] {
  return [...parents(at), option, from, at];
}

/** bubblewrap would make the folders above a mount private to root; other users must get through. */
function parents(file: string): string[] {
  const folders: string[] = [];
  for (let folder = path.dirname(file); folder !== '/'; folder = path.dirname(folder)) folders.unshift(folder);
  return folders.flatMap((folder) => ['--perms', '0755', '--dir', folder]);
}

const NO_BUBBLEWRAP: Text = {
  en: 'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap) for tier S3.',
  zh: '安装 bubblewrap 以达到 S3 级（Debian、Ubuntu：apt install bubblewrap；Fedora：dnf install bubblewrap）。',
};

function brokenBubblewrap(why: string): Text {
  return {
    en: `bubblewrap is installed but does not hold here (${why}). User namespaces may be switched off: see sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, or the AppArmor profile of bwrap.`,
    zh: `已安装 bubblewrap，但在此无法生效（${why}）。用户命名空间可能被关闭：检查 sysctl user.max_user_namespaces、kernel.unprivileged_userns_clone 或 bwrap 的 AppArmor 配置。`,
  };
}
