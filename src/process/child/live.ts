// A process that stays and is talked to: it ends when it is told to, and never later than this process.
import { closeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from '../../base/ids.ts';
import { once } from '../../base/once.ts';
import { killTree, terminateTree, treeOf } from '../kill-tree.ts';
import type { Launch } from '../order.ts';
import { bridgeTo } from './bridge.ts';
import { KEPT_OPEN } from './descriptor.ts';
import { type Exit, neverStarted, type StartOptions, start, whenExited } from './start.ts';
import { postWatchman } from './watchman.ts';

export interface LiveProcess {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Rejects where it could not be started. */
  readonly ended: Promise<Exit>;
  /** Its input ends first; what does not end by that is asked, and then made to. */
  end(): Promise<void>;
}

const GRACE_MS = 1000;

export async function startLive(
  launch: Launch,
  options: Pick<StartOptions, 'inputFolder' | 'pipes'>,
): Promise<LiveProcess> {
  const tag = randomId();
  const sendWatchmanAway = launch.watchedBy === undefined ? undefined : postWatchman(launch.watchedBy, tag);
  const release = once(() => {
    sendWatchmanAway?.();
    launch.release();
  });
  try {
    const started = start(launch, { ...options, stdin: KEPT_OPEN, tag });
    const { child, streams, report, input } = started;
    if (report !== undefined) closeSync(report);
    const { stdout, stderr } = streams;
    if (!input || !stdout || !stderr) throw new Error('a process without its streams');
    const exited = whenExited(child, launch.file);
    const tree = treeOf(child.pid ?? (await neverStarted(exited)), tag);
    const closeBridge = launch.proxy && bridgeTo(child, launch.proxy);
    for (const stream of [input, stdout, stderr]) stream.on('error', () => {});
    const ended = exited.finally(async () => {
      // A process that it left behind is none of the server any more.
      if (!launch.endsTree) await killTree(tree);
      closeBridge?.();
      input.destroy();
      release();
    });
    ended.catch(() => {});
    const within = (milliseconds: number) => Promise.race([ended, sleep(milliseconds, undefined, { ref: false })]);
    return {
      ...{ input, output: stdout, errors: stderr, ended },
      async end() {
        input.end();
        if ((await within(GRACE_MS)) === undefined) {
          terminateTree(tree, { spareLeader: launch.endsTree });
          if ((await within(GRACE_MS)) === undefined) await killTree(tree);
        }
        await ended.catch(() => {});
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
