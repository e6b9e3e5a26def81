// One of several processes that ask for the same keys; driven by messages from flight-processes.test.ts.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TAG_NAME } from '../../../src/process/kill-tree.ts';
import type { Flights } from '../../../src/store/store.ts';
import { machineTicks } from '../../../src/store/ticks.ts';
import { createFlightControl, type Leader } from '../../../src/task/flight.ts';
import { type Change, changed } from '../changed/changed-source.ts';

export interface Setup {
  readonly place: { readonly home: string; readonly project: string };
  readonly log: string;
  readonly leaseMs: number;
  readonly windowMs: number;
  /** A change of the store, so that a former leader is not refused. */
  readonly change?: Change;
  /** A schema of a PostgreSQL server instead of a file in `place`. */
  readonly server?: { readonly url: string; readonly schema: string };
  /** A script to run for each execution; without one the process itself takes its time. */
  readonly script?: string;
}

export interface Asked {
  readonly id: number;
  readonly key: string;
  readonly delayMs: number;
  readonly takesMs: number;
}

/** A line of the log: an execution begins or ends. */
export interface Logged {
  readonly key: string;
  readonly pid: number;
  /** Tells the executions of one process apart. */
  readonly number: number;
  readonly what: 'start' | 'end';
  /** By the machine's clock, which all processes share. */
  readonly at: number;
}

export interface Answered {
  readonly id: number;
  readonly key: string;
  readonly result?: string;
  readonly way?: string;
  readonly error?: string;
}

const setup: Setup = JSON.parse(process.argv[2] ?? '{}');
const flights = setup.server
  ? await openFlights(setup.server)
  : (await loadStore(setup.change)).openStore(setup.place).flights;
const control = createFlightControl(flights, { leaseMs: setup.leaseMs, windowMs: setup.windowMs, pollMs: 10 });

process.on('message', (asked: Asked) => void answer(asked));
process.on('disconnect', () => process.exit());
process.send?.('ready');

function loadStore(change: Change | undefined): Promise<typeof import('../../../src/store/sqlite/store.ts')> {
  return change ? changed('src/store/sqlite/store.ts', change) : import('../../../src/store/sqlite/store.ts');
}

async function openFlights(server: { readonly url: string; readonly schema: string }): Promise<Flights> {
  const [{ openPostgresStore }, { postgresFlights }] = await Promise.all([
    import('../../../src/store/postgres/open.ts'),
    import('../../../src/store/postgres/flight.ts'),
  ]);
  const { database, sql } = await openPostgresStore(server);
  return postgresFlights(database, sql);
}

async function answer({ id, key, delayMs, takesMs }: Asked): Promise<void> {
  await sleep(delayMs);
  try {
    const flown = await control.fly({ key, payload: key }, (leader) => execute(key, takesMs, leader));
    process.send?.({ id, key, ...flown } satisfies Answered);
  } catch (error) {
    process.send?.({ id, key, error: String(error) } satisfies Answered);
  }
}

let executions = 0;

async function execute(key: string, takesMs: number, leader: Leader): Promise<string> {
  const number = ++executions;
  const log = (what: Logged['what']) => {
    const line: Logged = { key, pid: process.pid, number, what, at: machineTicks.now() };
    appendFileSync(setup.log, `${JSON.stringify(line)}\n`);
  };
  log('start');
  if (setup.script) await runScript(setup.script, takesMs, leader);
  else await sleep(takesMs);
  log('end');
  return `${key} (${number}) by ${process.pid}`;
}

function runScript(script: string, takesMs: number, { tag, signal }: Leader): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const child = spawn(process.execPath, [script, String(takesMs)], {
    env: { ...process.env, [TAG_NAME]: tag },
    stdio: 'ignore',
    detached: true,
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  child.on('close', () => resolve());
  return promise;
}
