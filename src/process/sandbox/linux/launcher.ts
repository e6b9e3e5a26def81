// The words handed to launcher.pl, the small program that becomes the wanted one in every tier.
import { assetPath } from '../../../base/assets.ts';
import type { Limits } from '../../order.ts';
import type { Host } from '../host.ts';
import { type Architecture, type CallName, callNumber } from './seccomp-table.ts';

export const LAUNCHER_FILE = assetPath('process/sandbox/linux/launcher.pl');
export const SEALED_FOLDER_FILE = assetPath('process/sandbox/linux/sealed-folder.pl');
const OWN_ROOT_FILE = assetPath('process/sandbox/linux/own-root.pl');

/** What the launcher runs on. */
export interface LauncherHost {
  readonly perl: string;
  readonly architecture: Architecture;
}

/** Undefined on a machine it cannot run on. */
export function launcherOf({ platform, perl, architecture }: Host): LauncherHost | undefined {
  return platform === 'linux' && perl && architecture ? { perl, architecture } : undefined;
}

/** `read` includes running; `list` shows names only; `device` is one character device. */
export type Right = 'read' | 'write' | 'list' | 'device';

export interface PathGrant {
  readonly right: Right;
  readonly path: string;
}

/** How a part of a root is shown: a tree as it is, a folder sealed against sockets, a device, what is in memory, a link, a text. */
export type RootPart =
  | { readonly how: 'read' | 'write' | 'sealed' | 'device'; readonly from: string; readonly at: string }
  | { readonly how: 'memory'; readonly bytes: number; readonly at: string }
  | { readonly how: 'empty' | 'proc'; readonly at: string }
  | { readonly how: 'link' | 'text'; readonly content: string; readonly at: string };

export interface OwnRoot {
  /** Parents before children. */
  readonly parts: readonly RootPart[];
  /** The name of the machine inside. */
  readonly name: string;
  /** The filter for the case that a folder could not be sealed. */
  readonly closed: Uint8Array;
}

/** Each step is optional and its place fixed by the launcher, whatever the order here. */
export interface Steps {
  /** Where it says whether the program ran: a descriptor. */
  readonly report?: number;
  /** Where it asks whether the host is still there: a descriptor. */
  readonly host?: number;
  /** Descriptors of the cgroups it enters first. */
  readonly groups?: readonly number[];
  /** One of them counts the memory of the call. */
  readonly memoryCounted?: boolean;
  /** Die when this process dies. */
  readonly parent?: number;
  /** Begin in the user and mount namespace of this process. */
  readonly enter?: number;
  readonly namespaces?: number;
  /** Bring up the loopback interface of the new network namespace. */
  readonly loopback?: boolean;
  /** Listen on this port of its loopback, and hand the socket over on this descriptor. */
  readonly proxy?: { readonly channel: number; readonly port: number };
  /** In place of covers and binds: all that is to be seen, mounted into a root of its own. */
  readonly root?: OwnRoot;
  /** Hidden files read as empty, as programs like it; none of them is granted, so that a cover that fails opens nothing. */
  readonly covers?: { readonly empty: string; readonly files: readonly string[] };
  readonly binds?: readonly { readonly from: string; readonly at: string; readonly as: 'read' | 'write' }[];
  readonly user?: number;
  readonly cwd: string;
  readonly limits?: Limits;
  /** The process limit counts what the user runs outside, because no user namespace lies between. */
  readonly countsOthers?: boolean;
  /** `network`: TCP is not for Landlock to refuse. */
  readonly landlock?: { readonly abi: number; readonly network: boolean; readonly grants: readonly PathGrant[] };
  readonly filter?: Uint8Array;
}

const CALLS: readonly CallName[] = [
  ...(['capset', 'close_range', 'landlock_add_rule', 'landlock_create_ruleset', 'landlock_restrict_self'] as const),
  ...(['mount', 'mount_setattr', 'move_mount', 'open_tree', 'pivot_root', 'umount2', 'sethostname'] as const),
  ...(['prctl', 'prlimit64', 'sendmsg', 'setgroups', 'setns', 'setresgid', 'setresuid', 'setsid', 'unshare'] as const),
];

const RESOURCE = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, openFiles: 7, addressSpace: 9 };

// Runtimes such as V8 reserve far more addresses than they use, browsers more than any limit allows. What they use is
// bounded by the data limit, except for shared memory; where a cgroup counts that, addresses are free.
// Node reserves 10 GiB for the WebAssembly that its fetch parses HTTP with.
const ADDRESSES_PER_BYTE = 6;

const LETTER: Record<Right, string> = { read: 'r', write: 'w', list: 'l', device: 'd' };

export function launcherWords(architecture: Architecture, steps: Steps, argv: readonly string[]): string[] {
  const { landlock } = steps;
  return [
    callWord(architecture, CALLS),
    ...word('report', steps.report),
    ...word('host', steps.host),
    ...(steps.groups ?? []).map((descriptor) => `group=${descriptor}`),
    ...word('parent', steps.parent),
    ...word('enter', steps.enter),
    ...word('namespaces', steps.namespaces),
    ...(steps.covers ? [`empty=${steps.covers.empty}`, ...steps.covers.files.map((file) => `cover=${file}`)] : []),
    ...(steps.binds ?? []).flatMap(({ from, at, as }) => [`bind=${LETTER[as]}${from}`, `at=${at}`]),
    ...(steps.loopback ? ['loopback=1'] : []),
    ...(steps.proxy ? [`proxy=${steps.proxy.channel}:${steps.proxy.port}`] : []),
    ...(steps.root ? rootWords(steps.root) : []),
    ...word('user', steps.user),
    `cwd=${steps.cwd}`,
    ...(steps.limits ? limitWords(steps.limits, steps) : []),
    ...(landlock ? [`landlock=${landlock.abi}:${landlock.network ? 1 : 0}`] : []),
    ...(landlock?.grants ?? []).map(({ right, path }) => `grant=${LETTER[right]}${path}`),
    ...(steps.filter ? [`filter=${hex(steps.filter)}`] : []),
    '--',
    ...argv,
  ];
}

function rootWords({ parts, name, closed }: OwnRoot): string[] {
  return [
    `load=${[SEALED_FOLDER_FILE, OWN_ROOT_FILE].join('\n')}`,
    `name=${name}`,
    ...parts.flatMap((part) => [`show=${partLetter(part)}`, `at=${part.at}`]),
    `closed=${hex(closed)}`,
  ];
}

function partLetter(part: RootPart): string {
  switch (part.how) {
    case 'read':
    case 'write':
    case 'device':
      return LETTER[part.how] + part.from;
    case 'sealed':
      return `s${part.from}`;
    case 'memory':
      return `t${part.bytes}`;
    case 'empty':
      return 'e';
    case 'proc':
      return 'p';
    case 'link':
      return `l${part.content}`;
    case 'text':
      return `f${part.content}`;
  }
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function callWord(architecture: Architecture, names: readonly CallName[]): string {
  return names.map((name) => `${name}=${callNumber(architecture, name)}`).join(',');
}

function word(key: string, value: number | undefined): string[] {
  return value === undefined ? [] : [`${key}=${value}`];
}

function limitWords(limits: Limits, { countsOthers, memoryCounted }: Steps): string[] {
  const amounts: [resource: number, soft: number, hard?: number][] = [
    // A second between the two: at the first a signal that has a name, at the other the end.
    [RESOURCE.cpu, limits.cpuSeconds, limits.cpuSeconds + 1],
    [RESOURCE.fileSize, limits.fileBytes],
    [RESOURCE.data, limits.memoryBytes],
    ...(memoryCounted ? [] : [[RESOURCE.addressSpace, limits.memoryBytes * ADDRESSES_PER_BYTE] as [number, number]]),
    [RESOURCE.openFiles, limits.openFiles],
    [RESOURCE.core, 0],
  ];
  const { processes } = limits;
  return [
    ...amounts.map(([resource, soft, hard = soft]) => `limit=${resource}:${Math.ceil(soft)}:${Math.ceil(hard)}`),
    `limit=${RESOURCE.processes}:${processes}:${processes}${countsOthers ? ':1' : ''}`,
  ];
}
