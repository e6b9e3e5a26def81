// Holds the layer of a run mounted: a small process with a namespace of its own, which every call of the run enters.
import { type ChildProcess, spawn } from 'node:child_process';
import { assetPath } from '../../../base/assets.ts';
import { Fault } from '../../../base/errors.ts';
import type { AbsolutePath } from '../../../base/value/absolute-path.ts';
import type { LayerHolder } from '../../order.ts';
import type { LauncherHost } from './launcher.ts';
import { type CallName, callNumber } from './seccomp-table.ts';

const HOLDER_FILE = assetPath('process/sandbox/linux/holder.pl');
const CALLS: readonly CallName[] = [
  'mknodat',
  'mount',
  'mount_setattr',
  'move_mount',
  'open_tree',
  'setxattr',
  'unshare',
];
/** On a machine that is busy with other things, mounting can take a hundred times as long. */
const READY_MS = 10_000;

export interface HoldOptions extends LauncherHost {
  /** The folder with `mask`, `masked`, `lower`, `disk/upper`, `disk/work`, `held` and `merged`. */
  readonly layer: AbsolutePath;
  readonly project: AbsolutePath;
  /** Paths in the mask that are not to be there at all. */
  readonly absent: readonly string[];
  /** Paths in the mask of folders that nobody may enter. */
  readonly closed: readonly string[];
  /** As root: the owner of the project, who inside is this unprivileged user. */
  readonly swap?: { readonly uid: number; readonly gid: number; readonly user: number };
}

export interface MountHolder extends LayerHolder {
  /** Unmounts; returns when nothing is mounted any more. */
  close(): Promise<void>;
}

/** Throws a Fault with the kernel's own words where such a mount is not to be had. */
export async function holdLayer(options: HoldOptions): Promise<MountHolder> {
  const child = spawn(options.perl, [HOLDER_FILE, ...wordsOf(options)], {
    cwd: '/',
    env: { PERL_BADLANG: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A signal to our group, such as Ctrl-C, is for us to handle while the layer is still mounted.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await whenReady(child);
  for (const stream of child.stdio) release(stream);
  child.unref();
  return {
    pid: child.pid ?? -1,
    ...(options.swap && { user: options.swap.user }),
    async close() {
      child.ref();
      child.stdin?.end();
      await ended;
    },
  };
}

function wordsOf({ architecture, layer, project, absent, closed, swap }: HoldOptions): string[] {
  return [
    CALLS.map((name) => `${name}=${callNumber(architecture, name)}`).join(','),
    `layer=${layer}`,
    `project=${project}`,
    ...(swap ? [`owner=${swap.uid}:${swap.gid}`, `user=${swap.user}`] : []),
    ...absent.map((path) => `absent=${path}`),
    ...closed.map((path) => `closed=${path}`),
  ];
}

async function whenReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout?.once('data', () => resolve());
  child.once('error', reject);
  child.once('close', () => reject(new Fault('WorkspaceUnavailable', said.trim() || 'the holder ended')));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** What is held open must not keep the program from ending. */
function release(stream: ChildProcess['stdio'][number]): void {
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}
