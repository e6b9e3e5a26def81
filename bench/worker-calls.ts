// Tasks in one process, as the library runs them: a stored result, a script against a bare spawn, and a thousand that wait.
// Started by suite-worker.ts; prints its figures as JSON.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDoor } from '../src/app/open-door.ts';
import { createRuntime } from '../src/app/runtime.ts';
import { openTaskHost } from '../src/app/task/host.ts';
import { trustProject } from '../src/config/trust.ts';
import { openGrants } from '../src/policy/grant/store.ts';
import { resolveInterpreter, scriptCommand } from '../src/process/interpreter.ts';
import { openSandbox } from '../src/process/sandbox/sandbox.ts';
import { digestSkill } from '../src/skill/digest.ts';
import { createFlightControl } from '../src/task/flight.ts';
import { task } from '../src/task/task.ts';

/** What the parent reads from stdout. */
export interface WorkerFigures {
  /** Milliseconds. */
  readonly hit: readonly number[];
  readonly bare: readonly number[];
  readonly dispatch: readonly number[];
  /** Looks at the store while a thousand waited, for so long, and the processor time of it. */
  readonly looks: number;
  readonly waitedMs: number;
  readonly cpuMs: number;
}

const WAITERS = 1_000;
const WAIT_MS = 10_000;
const WINDOW_MS = 600_000;
const SCRIPT = 'print("{\\"total\\": 5}")\n';
const PROMPT = 'run python bin/x.py';
const KEY = 'k';

const [folder = '', rounds = '30'] = process.argv.slice(2);
const project = path.join(folder, 'project');
const home = path.join(folder, 'home');

plantProject();
const runtime = await createRuntime({ project, home, env: process.env, language: 'en' });
const sandbox = await openSandbox({ cacheFolder: path.join(home, 'none'), tier: 'S0', without: ['perl'] });
const calls = await measureCalls(Number(rounds));
const waiting = await measureWaiting();
process.stdout.write(JSON.stringify({ ...calls, ...waiting } satisfies WorkerFigures));

function plantProject(): void {
  mkdirSync(path.join(project, 'bin'), { recursive: true });
  mkdirSync(path.join(project, '.agent'));
  mkdirSync(home);
  writeFileSync(path.join(project, 'bin', 'x.py'), SCRIPT);
  trustProject(project, home, Date.now());
  // Without a sandbox only a grant that says so runs a script.
  const { digest } = digestSkill(path.join(project, 'bin'));
  openGrants(home, project).add({
    skill: 'bin',
    bound: { digest },
    target: { kind: 'script', script: 'bin/x.py', words: [], exact: true },
    network: false,
    writes: false,
    tier: 'S0',
    created: Date.now(),
    expires: Date.now() + WINDOW_MS,
  });
}

async function measureCalls(count: number) {
  const interpreter = await resolveInterpreter('python', {
    path: process.env.PATH ?? '',
    home,
    project,
    cacheFolder: path.join(home, 'cache'),
  });
  const bare = scriptCommand(interpreter, { script: path.join(project, 'bin', 'x.py'), args: [] });
  const times = { bare: [] as number[], dispatch: [] as number[], hit: [] as number[] };
  await runTask(KEY);
  for (let round = -3; round < count; round++) {
    const taken = {
      bare: await timed(() => runBare(bare)),
      dispatch: await timed(() => runTask()),
      hit: await timed(() => runTask(KEY)),
    };
    if (round >= 0) for (const name of ['bare', 'dispatch', 'hit'] as const) times[name].push(taken[name]);
  }
  return times;
}

/** As the library does it: a door, a host and the store for each call. */
async function runTask(key?: string): Promise<void> {
  Object.assign(runtime, { sandbox: async () => sandbox });
  using door = openDoor(runtime, { kind: 'task', request: PROMPT, version: '0' });
  const request = { agent: 'worker_agent', description: 'count the parts', prompt: PROMPT };
  const store = key === undefined ? undefined : await runtime.openStore();
  using host = await openTaskHost(runtime, door);
  const outcome = await task(
    { ...request, ...(key !== undefined && { idempotency_key: key }) },
    {
      ...host,
      ...(store && { flightControl: async () => createFlightControl(store.flights, { windowMs: WINDOW_MS }) }),
    },
  );
  store?.close();
  door.finish(outcome);
  if (outcome.state !== 'success') throw new Error(JSON.stringify(outcome));
}

function runBare([program = '', ...args]: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(program, args, { env: { PATH: process.env.PATH ?? '', HOME: home } });
  child.stdout.resume();
  child.on('error', reject);
  child.on('close', () => resolve());
  child.stdin.end();
  return promise;
}

/** All of them wait for what another process seems to lead. */
async function measureWaiting(): Promise<Pick<WorkerFigures, 'looks' | 'waitedMs' | 'cpuMs'>> {
  using leading = await runtime.openStore();
  using store = await runtime.openStore();
  const keys = Array.from({ length: WAITERS }, (_, at) => `waited for ${at}`);
  const leads = await Promise.all(
    keys.map(async (key) => {
      const claim = await leading.flights.claim({ key, payload: 'p', tag: 't', leaseMs: 60_000 });
      if (claim.state !== 'leading') throw new Error(claim.state);
      return { key, fence: claim.fence };
    }),
  );
  let looks = 0;
  const look: typeof store.flights.look = (asked) => {
    looks++;
    return store.flights.look(asked);
  };
  const control = createFlightControl({ ...store.flights, look });
  const waiters = keys.map((key) => control.fly({ key, payload: 'p' }, () => Promise.reject(new Error('it was led'))));
  await sleep(500);
  const before = { looks, cpu: process.cpuUsage(), at: performance.now() };
  await sleep(WAIT_MS);
  const { user, system } = process.cpuUsage(before.cpu);
  const figures = {
    looks: looks - before.looks,
    waitedMs: performance.now() - before.at,
    cpuMs: (user + system) / 1000,
  };
  for (const lead of leads) await leading.flights.finish(lead, 'done', WINDOW_MS);
  await Promise.all(waiters);
  return figures;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
