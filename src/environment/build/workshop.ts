// Where packages are resolved and installed: a folder of its own in the sandbox, no project, and a proxy that leads to the index alone.
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder } from '../../base/files.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import { type Proxy as CallProxy, openProxy } from '../../network/proxy.ts';
import type { ReachRule } from '../../network/reach.ts';
import { readUpstream } from '../../network/upstream.ts';
import { certificateVariables, proxyVariables } from '../../process/child/bridge.ts';
import { buildEnvironment } from '../../process/environment.ts';
import { defaultLimits, limitReached, withOwnLimits } from '../../process/limits.ts';
import type { Ended, Limits, Order, OrderNetwork } from '../../process/order.ts';
import { runProcess } from '../../process/run.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import { watchLayer } from '../../workspace/watch.ts';
import { type BuildBounds, tooLarge } from './bounds.ts';

export interface Workshop {
  readonly sandbox: Sandbox;
  /** Its own, writable inside, gone afterwards. */
  readonly folder: string;
  /** A folder of our own on the same disk, for the pipes of processes. */
  readonly cache: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: Partial<Limits>;
  readonly bounds: BuildBounds;
  readonly network: { readonly caFile?: string; readonly upstreamProxy?: string };
  readonly signal?: AbortSignal | undefined;
  readonly onAttempt: (attempt: HostAttempt) => void;
}

/** What an installer made in there. */
export interface InstalledTree {
  readonly tree: string;
  /** Files that packages bring and nobody gets, each with its package. */
  readonly leftOut: readonly string[];
}

export interface ToolOrder {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the program must see of its own installation. */
  readonly readOnly: readonly string[];
  /** Absent: no network at all. */
  readonly hosts?: readonly ReachRule[];
}

export interface Worked {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Throws a Fault where it was not started, or was ended from outside: by time, by size, by a limit. */
export async function useTool(order: ToolOrder, workshop: Workshop): Promise<Worked> {
  const { folder, sandbox, bounds, signal } = workshop;
  await using network = await openNetwork(order, workshop);
  const launch = sandbox.prepare(buildOrder(order, network, workshop));
  let exceeded: Fault | undefined;
  using watch = watchLayer({
    root: folder,
    bounds: { layerFiles: bounds.maxFiles, layerBytes: bounds.maxBytes },
    onExceeded: () => {
      exceeded = tooLarge(bounds);
    },
  });
  const ended = await runProcess(launch, {
    timeoutMs: bounds.buildSeconds * 1000,
    stdin: '',
    inputFolder: folder,
    pipes: path.join(workshop.cache, 'pipes'),
    signal,
    stop: watch.signal,
  });
  if (exceeded) throw exceeded;
  return judge(ended, bounds);
}

function judge(ended: Ended, bounds: BuildBounds): Worked {
  const { buildSeconds } = bounds;
  if (ended.unstarted !== undefined) throw new Fault('RuntimeFailed', ended.unstarted, { reason: 'not-started' });
  if (ended.why === 'timeout') throw new Fault('Timeout', `${buildSeconds} s (environment.build_seconds)`);
  if (ended.why === 'aborted') throw new Fault('RuntimeFailed', 'stopped', { reason: 'stopped' });
  const limit = limitReached(ended);
  // One file that is larger than all of them may be: which of the two is seen first is chance.
  if (limit === 'LIMIT_FILE_SIZE') throw tooLarge(bounds);
  if (limit !== undefined) throw new Fault(limit, ended.signal ?? String(ended.exit));
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  return { exit: ended.exit, stdout: text(ended.stdout), stderr: text(ended.stderr) };
}

function buildOrder({ argv, env = {}, readOnly }: ToolOrder, network: BuildNetwork, workshop: Workshop): Order {
  const { folder, limits, bounds } = workshop;
  const timeoutMs = bounds.buildSeconds * 1000;
  const temporary = path.join(folder, 'tmp');
  makeFolder(temporary);
  const built = buildEnvironment({ host: workshop.env, work: folder });
  return {
    argv,
    cwd: folder,
    env: { ...built.env, TMPDIR: temporary, ...network.env, ...env },
    view: { work: absolutePath(folder), readOnly: [...readOnly, ...network.readOnly].map(absolutePath), writable: [] },
    network: network.order,
    // A single file may be as large as all of them: some packages are one program.
    limits: { ...withOwnLimits(defaultLimits(timeoutMs), limits), fileBytes: bounds.maxBytes },
    timeoutMs,
    stdin: '',
  };
}

interface BuildNetwork extends AsyncDisposable {
  readonly order: OrderNetwork;
  readonly env: Readonly<Record<string, string>>;
  readonly readOnly: readonly string[];
}

async function openNetwork({ hosts }: ToolOrder, workshop: Workshop): Promise<BuildNetwork> {
  if (!hosts) return { order: 'none', env: {}, readOnly: [], [Symbol.asyncDispose]: async () => {} };
  const { caFile, upstreamProxy } = workshop.network;
  const proxy = openProxy({
    rules: () => hosts,
    record: workshop.onAttempt,
    limits: { bytes: workshop.bounds.maxBytes },
    ...(upstreamProxy !== undefined && { upstream: readUpstream(upstreamProxy) }),
  });
  const trusted = caFile === undefined ? {} : certificateVariables(caFile);
  const readOnly = caFile === undefined ? [] : [caFile];
  if (workshop.sandbox.can.proxy) {
    const env = { ...proxyEnvironment(proxyVariables()), ...trusted };
    return { order: { proxy }, env, readOnly, [Symbol.asyncDispose]: () => proxy.close() };
  }
  // Without a network of its own nothing keeps it to the proxy; it is told to use it, and what it tries is recorded.
  const { server, port } = await listen(proxy);
  const there = Object.fromEntries(
    Object.entries(proxyVariables()).map(([name, value]) => [
      name,
      value.replace(/^(http:\/\/127\.0\.0\.1):\d+$/, `$1:${port}`),
    ]),
  );
  return {
    order: 'all',
    env: { ...proxyEnvironment(there), ...trusted },
    readOnly,
    async [Symbol.asyncDispose]() {
      server.close();
      await proxy.close();
    },
  };
}

/** An index may lie on this machine. */
function proxyEnvironment(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name.toLowerCase() !== 'no_proxy'));
}

async function listen(proxy: CallProxy): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => proxy.accept(socket));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}
