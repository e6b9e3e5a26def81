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
  'umount2',
  'unshare',
];
/** On a machine that is busy with other things, mounting can take a hundred times as long. */
const WAIT_MS = 15_000;

export interface HoldOptions extends LauncherHost {
  /** The folder with `masked`, `lower`, `disk/upper`, `disk/work`, `held` and `merged`. */
  readonly layer: AbsolutePath;
  readonly project: AbsolutePath;
  /** As root: the owner of the project, who inside is this unprivileged user. */
  readonly swap?: { readonly uid: number; readonly gid: number; readonly user: number };
}

/** What lies over the project. */
export interface HolderMask {
  /** A folder in the layer, `mask-` and a number of its own: others may have theirs mounted. */
  readonly name: string;
  /** Paths in it that are not to be there at all. */
  readonly absent: readonly string[];
  /** Paths in it of folders that nobody may enter. */
  readonly closed: readonly string[];
}

/** It does what it can without the mask, so that the project is searched meanwhile. */
export interface StartedHolder {
  /** Throws a Fault with the kernel's own words where such a mount is not to be had, or while another process has it. */
  mount(mask: HolderMask): Promise<MountHolder>;
  /** Nothing is to be mounted. */
  abandon(): void;
}

export interface MountHolder extends LayerHolder {
  /** It ends by itself once this was called, and with it the mount; whoever mounts the layer next waits for that. */
  close(): void;
}

export function startHolder(options: HoldOptions): StartedHolder {
  const child = spawn(options.perl, [HOLDER_FILE, ...wordsOf(options)], {
    cwd: '/',
    env: { PERL_BADLANG: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A signal to our group, such as Ctrl-C, is for us to handle while the layer is still mounted.
    detached: true,
  });
  // Where it has ended, its own words say why.
  child.stdin?.on('error', () => {});
  const whenReady = listenTo(child);
  return {
    abandon: () => child.kill('SIGKILL'),
    async mount(mask) {
      try {
        child.stdin?.write(maskWords(mask));
        await whenReady();
      } catch (error) {
        child.kill('SIGKILL');
        throw error;
      }
      for (const stream of child.stdio) release(stream);
      child.unref();
      return {
        pid: child.pid ?? -1,
        ...(options.swap && { user: options.swap.user }),
        close: () => void child.stdin?.end(),
      };
    },
  };
}

function wordsOf({ architecture, layer, project, swap }: HoldOptions): string[] {
  return [
    CALLS.map((name) => `${name}=${callNumber(architecture, name)}`).join(','),
    `layer=${layer}`,
    `project=${project}`,
    ...(swap ? [`owner=${swap.uid}:${swap.gid}`, `user=${swap.user}`] : []),
  ];
}

function maskWords({ name, absent, closed }: HolderMask): string {
  const words = [`mask=${name}`, ...absent.map((path) => `absent=${path}`), ...closed.map((path) => `closed=${path}`)];
  return [...words, '', ''].join('\0');
}

/** Resolves when the layer is mounted; rejects where the holder ends, or takes too long. */
function listenTo(child: ChildProcess): () => Promise<void> {
  let [said, failed] = ['', ''];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // It may end before anybody waits for it.
  promise.catch(() => {});
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('ready\n')) resolve();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    failed += chunk.toString();
  });
  child.once('error', reject);
  child.once('close', () => reject(new Fault('WorkspaceUnavailable', failed.trim() || 'the holder ended')));
  return async () => {
    const timer = setTimeout(() => reject(said.includes('locked\n') ? tooSlow() : inUse()), WAIT_MS);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  };
}

function inUse(): Fault {
  return new Fault(
    'StateUnusable',
    { en: 'another command works on the changes of this run', zh: '另一个命令正在处理该运行的更改' },
    { hint: { en: 'Try again when it has ended.', zh: '待其结束后重试。' } },
  );
}

function tooSlow(): Fault {
  return new Fault('WorkspaceUnavailable', 'mounting took too long');
}

/** What is held open must not keep the program from ending. */
function release(stream: ChildProcess['stdio'][number]): void {
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}
