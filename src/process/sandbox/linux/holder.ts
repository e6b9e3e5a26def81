// Holds the layer of a run mounted: a small process with a namespace of its own, which every call of the run enters.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
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
const WAIT_MS = 15_000;

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
  /** Writes the mask, once nobody else has the layer mounted. */
  prepare(): void;
}

export interface MountHolder extends LayerHolder {
  /** Unmounts; returns when nothing is mounted any more. */
  close(): Promise<void>;
}

/** Throws a Fault with the kernel's own words where such a mount is not to be had, or while another process has it. */
export async function holdLayer(options: HoldOptions): Promise<MountHolder> {
  const child = spawn(options.perl, [HOLDER_FILE, ...wordsOf(options)], {
    cwd: '/',
    env: { PERL_BADLANG: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A signal to our group, such as Ctrl-C, is for us to handle while the layer is still mounted.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // Where it has ended, its own words say why.
  child.stdin?.on('error', () => {});
  const holds = listenTo(child);
  try {
    await holds.says('locked', inUse);
    options.prepare();
    child.stdin?.write('\n');
    await holds.says('ready', tooSlow);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
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

interface HolderVoice {
  /** Resolves when the holder says it; rejects where it ends, or takes too long. */
  says(word: 'locked' | 'ready', late: () => Fault): Promise<void>;
}

function listenTo(child: ChildProcess): HolderVoice {
  let [said, failed] = ['', ''];
  const heard = new EventEmitter();
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    heard.emit('word');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    failed += chunk.toString();
  });
  child.once('error', (error) => heard.emit('end', error));
  child.once('close', () => heard.emit('end', new Fault('WorkspaceUnavailable', failed.trim() || 'the holder ended')));
  return {
    async says(word, late) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const check = () => said.includes(`${word}\n`) && resolve();
      heard.on('word', check).once('end', reject);
      const timer = setTimeout(() => reject(late()), WAIT_MS);
      try {
        check();
        await promise;
      } finally {
        clearTimeout(timer);
        heard.off('word', check).off('end', reject);
      }
    },
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
