// Runs one process to its end: bounded in time and output, killed together with everything it started.
import { closeSync, readSync } from 'node:fs';
import { Fault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { foreignRuntime, OLDEST_NODE } from '../base/node-version.ts';
import { bridgeTo } from './child/bridge.ts';
import { type CollectOptions, collectOutput, type Output } from './child/collect.ts';
import { type Exit, neverStarted, start, whenExited } from './child/start.ts';
import { postWatchman } from './child/watchman.ts';
import { hasLeftovers, killTree, type Tree, terminateTree, treeOf } from './kill-tree.ts';
import type { Ended, EndReason, Launch, OWN_INPUT } from './order.ts';

export interface ProcessRunOptions extends CollectOptions {
  readonly timeoutMs: number;
  readonly stdin?: Uint8Array | string | typeof OWN_INPUT | undefined;
  /** A folder the process may read, so that it can open its input by name under every tier; its work folder. */
  readonly inputFolder?: string | undefined;
  /** A folder of our own on the same disk with the pool of output pipes; without one it gets sockets. */
  readonly pipes?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends it without a grace period: what it does must not go on. */
  readonly stop?: AbortSignal | undefined;
  /** Grace period between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** Tag of the processes of this call, so that another process can end them if this one dies. */
  readonly tag?: string;
  readonly endLeftovers?: boolean;
}

const GRACE_MS = 2000;
/** Output printed before the exit arrives within this time; a process that still holds the pipe has left the call. */
const DRAIN_MS = 100;
/** In a call this short pids have not wrapped around, so that only pids above the leader are checked. */
const SHORT_CALL_MS = 1000;
/** A killed process that does not end is stuck in the kernel; the wait ends at this deadline. */
const STUCK_MS = 5000;

/** Throws a Fault only when nothing could be started; everything else is an `Ended`. */
export async function runProcess(launch: Launch, options: ProcessRunOptions): Promise<Ended> {
  const tag = options.tag ?? randomId();
  let sendWatchmanAway: (() => void) | undefined;
  try {
    const foreign = foreignRuntime();
    if (foreign !== undefined) throw notUnder(foreign);
    if (options.signal?.aborted) return notStarted();
    if (launch.watchedBy !== undefined) sendWatchmanAway = postWatchman(launch.watchedBy, tag);
    return await runTagged(launch, options, tag);
  } finally {
    sendWatchmanAway?.();
    launch.release();
  }
}

async function runTagged(launch: Launch, options: ProcessRunOptions, tag: string): Promise<Ended> {
  const started = performance.now();
  const { child, streams, report } = start(launch, { ...options, tag });
  const closeBridge = launch.proxy && bridgeTo(child, launch.proxy);
  const exited = whenExited(child, launch.file);
  const end = new End(options);
  const output = collectOutput(streams, options, () => end.because('output-limit'));
  try {
    const tree = treeOf(child.pid ?? (await neverStarted(exited)), tag);
    await Promise.race([exited, end.called]);
    const forced = end.why;
    if (forced) await endByForce(tree, launch, end, exited, options);
    const { exit, signal } = await exitOf(exited);
    end.forget();
    await drain(output, async () => {
      if (forced || options.endLeftovers === false || launch.endsTree) return;
      const isLong = performance.now() - started > SHORT_CALL_MS;
      if (isLong || hasLeftovers(tree)) await killTree(tree);
    });
    const durationMs = performance.now() - started;
    const ended = { exit, signal, ...output.take(), durationMs, why: end.why ?? 'exit' } as const;
    return { ...ended, ...(report !== undefined && judgeStart(report, ended)), ...limitOf(launch) };
  } finally {
    end.forget();
    closeBridge?.();
    output.close();
    if (report !== undefined) closeSync(report);
  }
}

/** Descriptors and pipes are not those of Node there: output would be lost, and what is closed off would not be. */
function notUnder(runtime: string): Fault {
  return new Fault(
    'RuntimeFailed',
    { en: `programs are started under Node only; this is ${runtime}`, zh: `只能在 Node 下启动程序；当前为 ${runtime}` },
    {
      hint: {
        en: `Run this with Node ${OLDEST_NODE} or newer. Under ${runtime} skills can be listed, searched and read.`,
        zh: `请使用 Node ${OLDEST_NODE} 或更新版本运行。在 ${runtime} 下可以列出、搜索和读取技能。`,
      },
    },
  );
}

const LONGEST_REPORT = 4096;

/** Whether the program ran is read from the launcher's own descriptor, which no program can write, never from its output. */
function judgeStart(report: number, { stderr }: Pick<Ended, 'stderr'>): { unstarted?: string } {
  const bytes = Buffer.alloc(LONGEST_REPORT);
  const lines = bytes
    .toString('utf8', 0, readSync(report, bytes, 0, LONGEST_REPORT, 0))
    .trim()
    .split('\n');
  const last = lines.at(-1) ?? '';
  if (last === 'ready') return {};
  if (last !== '') return { unstarted: last.replace(/^failed /, '') };
  const said = Buffer.from(stderr.subarray(0, LONGEST_REPORT)).toString('utf8').trim();
  const words = /^bwrap: (.*)$/m.exec(said)?.[1] ?? said.split('\n').at(-1);
  return { unstarted: words || 'it ended before the program was started' };
}

function limitOf(launch: Launch): Pick<Ended, 'limit'> {
  const limit = launch.reached?.();
  return limit === undefined ? {} : { limit };
}

/** Why a process is ended early; the first reason is kept. */
class End {
  readonly called: Promise<void>;
  readonly #call: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #stop: AbortSignal | undefined;
  #why: EndReason | undefined;

  constructor({ timeoutMs, signal, stop }: ProcessRunOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.called = promise;
    this.#call = resolve;
    this.#signal = signal;
    this.#stop = stop;
    this.#timer = setTimeout(() => this.because('timeout'), Math.min(timeoutMs, 2 ** 31 - 1));
    signal?.addEventListener('abort', this.#abort);
    stop?.addEventListener('abort', this.#abort);
  }

  get why(): EndReason | undefined {
    return this.#why;
  }

  /** It gets no time to end by itself. */
  isUrgent(): boolean {
    return this.#why === 'output-limit' || this.#stop?.aborted === true;
  }

  because(why: EndReason): void {
    this.#why ??= why;
    this.#call();
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#stop?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.because('aborted');
}

async function endByForce(
  tree: Tree,
  launch: Launch,
  end: End,
  exited: Promise<Exit>,
  { graceMs = GRACE_MS }: ProcessRunOptions,
): Promise<void> {
  if (!end.isUrgent()) {
    terminateTree(tree, { spareLeader: launch.endsTree });
    await within(exited, graceMs);
  }
  await killTree(tree);
}

async function exitOf(exited: Promise<Exit>): Promise<Exit> {
  return (await within(exited, STUCK_MS)) ? exited : { exit: null, signal: 'SIGKILL' };
}

async function drain(output: Output, endLeftovers: () => Promise<void>): Promise<void> {
  const complete = await within(output.ended, DRAIN_MS);
  await endLeftovers();
  if (!complete) await within(output.ended, DRAIN_MS);
}

function notStarted(): Ended {
  const nothing = new Uint8Array();
  return { exit: null, signal: null, stdout: nothing, stderr: nothing, durationMs: 0, why: 'aborted' };
}

/** Whether the promise settles before the deadline; a rejection counts as settled. */
async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
