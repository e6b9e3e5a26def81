// BullMQ on a Redis of its own that keeps every write, where both are to be had.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contender, JOB } from './jobs-ours.ts';

/** What is used of it; its types are there only where it is installed. */
interface BullMq {
  readonly Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk(jobs: readonly object[]): Promise<unknown>;
    close(): Promise<void>;
  };
  readonly Worker: new (
    name: string,
    work: (() => Promise<object>) | null,
    options: object,
  ) => {
    on(event: 'completed' | 'error', listener: () => void): void;
    run(): Promise<void>;
    close(force?: boolean): Promise<void>;
  };
}

export interface Peer {
  contender(concurrency: number): Contender;
  close(): Promise<void>;
}

export async function openBullMq(folder: string): Promise<Peer | string> {
  if (spawnSync('redis-server', ['--version']).error) return 'redis-server is not installed';
  const name = 'bullmq';
  const loaded: BullMq | undefined = await import(name).catch(() => undefined);
  if (!loaded) return 'bullmq is not installed';
  const { server, port } = await startRedis(path.join(folder, 'redis'));
  return {
    contender: (concurrency) => contend(loaded, port, concurrency),
    close: async () => {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    },
  };
}

function contend({ Queue, Worker }: BullMq, port: number, concurrency: number): Contender {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const name = `bench-${concurrency}`;
  const queue = new Queue(name, { connection });
  let filled = 0;
  return {
    name: `BullMQ, ${concurrency} at a time`,
    async fill(jobs) {
      filled = jobs;
      await queue.addBulk(Array.from({ length: jobs }, () => ({ name: 'job', data: { payload: JOB.payload } })));
    },
    async work() {
      const done = Promise.withResolvers<void>();
      const worker = new Worker(name, async () => ({ state: 'success' }), { connection, concurrency, autorun: false });
      worker.on('error', () => {});
      worker.on('completed', () => --filled === 0 && done.resolve());
      void worker.run();
      await done.promise;
      await worker.close(true);
    },
    close: () => queue.close(),
  };
}

async function startRedis(folder: string): Promise<{ server: ChildProcess; port: number }> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const settings = [
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  const server = spawn('redis-server', ['--port', String(port), ...settings], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ready = Promise.withResolvers<void>();
  server.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('Ready to accept connections')) ready.resolve();
  });
  await Promise.race([ready.promise, sleep(5_000)]);
  return { server, port };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
