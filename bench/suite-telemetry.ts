// What telemetry costs: workers with and without it take turns with the same jobs, two of each, so that noise is known.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Goal, ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { type Measured, measure, median, quantile } from './measure.ts';
import { skillwright } from './peer.ts';
import { COMMAND_TEXT, makePlace, RUN_TEXT, startWorker, type Worker } from './telemetry-start.ts';

/** Of fresh processes, because one can be a tenth slower than its like for its whole life. */
const LEAST_GENERATIONS = 12;
const WARM_JOBS = 16;
const ROUNDS = 3;
/** In a row, as in a worker that has much to do. */
const JOBS = 8;
const LEAST_COMMANDS = 20;
const LIMIT = 1.03;
/** Spans and totals are also written as text. */
const SENDING_LIMIT = 1.5;
const TIMES = { cpu: 'processor time', wall: 'clock' } as const;
/** Sooner than by default, so that what is sent after the work falls into the time that counts. */
const BATCH_MS = 200;

const METHOD =
  `Jobs: \`skillwright start --workers 1\` as built, two workers with telemetry and two without, in ${LEAST_GENERATIONS} or more generations ` +
  `of fresh processes; each works off ${WARM_JOBS} jobs to warm up, then ${ROUNDS} × ${JOBS} in turns with the others. The clock runs from the start ` +
  `of the first job to the end of the last, as logged; processor time is that of the worker without its scripts, with what it sends ` +
  `${BATCH_MS} ms later. Medians of the ratios of each generation; off beside off is the noise. The receiver is a process of its own, ` +
  'and the model answers at once. Commands: `skillwright run` from start to exit, with its scripts; beside them an empty script and one ' +
  'that only sends two messages, which is what delivery costs any Node process.';

/** `SKILLWRIGHT_BEFORE` names another tree that is built, to compare with instead of the same one again. */
export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const receiver = fork(path.join(root, 'bench', 'telemetry-receiver.ts'));
  const [port] = await once(receiver, 'message');
  const other = process.env.SKILLWRIGHT_BEFORE;
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: String(BATCH_MS) };
  const contestants = [
    { name: 'off', root, env: {} },
    { name: 'on', root, env: on },
    { name: other === undefined ? 'off again' : 'before', root: other ?? root, env: {} },
    { name: 'on again', root, env: on },
  ].map((one) => ({ ...one, folder: path.join(folder, `telemetry ${one.name}`) }));
  for (const one of contestants) mkdirSync(one.folder);
  try {
    const jobs = await measureJobs(contestants, Math.max(rounds, LEAST_GENERATIONS));
    const commands = measureCommands(contestants, `http://127.0.0.1:${port}`, Math.max(rounds, LEAST_COMMANDS));
    return {
      method: METHOD,
      measured: [...jobs.measured, ...commands.measured],
      goals: [...jobs.goals, ...commands.goals],
    };
  } finally {
    await end(receiver);
  }
}

interface Contestant {
  readonly name: string;
  readonly root: string;
  readonly env: Record<string, string>;
  readonly folder: string;
}

/** Milliseconds for each job: one figure for each generation. */
interface Spent {
  readonly wall: number[];
  readonly cpu: number[];
}

async function measureJobs(contestants: readonly Contestant[], generations: number): Promise<SuiteResult> {
  const places = contestants.map((one) => ({ ...one, place: makePlace(one.root, one.folder) }));
  const spent = contestants.map((): Spent => ({ wall: [], cpu: [] }));
  for (let generation = 0; generation < generations; generation++) {
    const workers = await Promise.all(places.map(({ root, env, place }) => startWorker(root, place, env)));
    await Promise.all(workers.map((worker) => worker.work(WARM_JOBS)));
    const figures = await interleave(workers, generation);
    for (const [at, { wall, cpu }] of figures.entries()) {
      spent[at]?.wall.push(wall);
      spent[at]?.cpu.push(cpu);
    }
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  const title = `job of ${RUN_TEXT}`;
  return {
    measured: contestants.map(({ name }, at) => toMeasured(`${title}, ${name}`, spent[at])),
    goals: goalsOf(title, spent, contestants[2]?.name),
  };
}

/** Who begins changes from round to round: whoever comes after a pause is slower. */
async function interleave(workers: readonly Worker[], generation: number): Promise<{ wall: number; cpu: number }[]> {
  const spent = workers.map(() => ({ wall: 0, cpu: 0 }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const step of workers.keys()) {
      const at = (generation + round + step) % workers.length;
      const [worker, sum] = [workers[at], spent[at]];
      if (!worker || !sum) continue;
      const before = worker.cpu();
      const wall = await worker.work(JOBS);
      // Whoever sends does it now; the others wait as long.
      await sleep(BATCH_MS * 1.5);
      sum.wall += wall / ROUNDS;
      sum.cpu += (worker.cpu() - before) / JOBS / ROUNDS;
    }
  }
  return spent;
}

function toMeasured(name: string, { wall, cpu }: Spent = { wall: [], cpu: [] }): Measured {
  return { name, median: median(wall), min: Math.min(...wall), cpu: median(cpu) };
}

function goalsOf(title: string, spent: readonly Spent[], other = ''): Goal[] {
  const [off, on, off2, on2] = spent;
  if (!off || !on || !off2 || !on2) return [];
  const both = (a: readonly number[], b: readonly number[]) => a.map((one, at) => one + (b[at] ?? Number.NaN));
  return (['cpu', 'wall'] as const).flatMap((kind) => [
    paired(`${title}, ${TIMES[kind]}: on / off`, both(on[kind], on2[kind]), both(off[kind], off2[kind])),
    paired(`${title}, ${TIMES[kind]}: off / ${other}`, off[kind], off2[kind]),
  ]);
}

/** Each generation is compared with itself: what slowed it down slowed all of it down. */
function paired(what: string, over: readonly number[], under: readonly number[]): Goal {
  const ratios = over.map((one, at) => one / (under[at] ?? Number.NaN));
  const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)].map((one) => one.toFixed(2));
  return {
    what: `${what} (${ratios.length} × 4 processes, quartiles ${low}–${high})`,
    value: median(ratios),
    limit: LIMIT,
    unit: '×',
  };
}

/** The same run as a command of its own, which loads everything once and waits for the delivery. */
function measureCommands(contestants: readonly Contestant[], receiver: string, rounds: number): SuiteResult {
  const title = `run of ${COMMAND_TEXT}, as a command`;
  const bare = { cwd: tmpdir(), home: tmpdir() };
  const measured = measure(
    [
      ...contestants.map(({ name, root, env, folder }) => ({
        name: `${title}, ${name}`,
        argv: [skillwright(root), 'run', 'Say two words.', '--model', 'mock:case.json', '--json'],
        cwd: path.join(folder, 'project'),
        home: path.join(folder, 'home'),
        env,
      })),
      { name: 'empty script', argv: ['-e', ''], ...bare },
      { name: 'script that sends two messages', argv: ['-e', TWO_MESSAGES, receiver], ...bare },
    ],
    rounds,
  );
  const [off, on, off2, on2, empty, sends] = [...measured.values()];
  if (!off || !on || !off2 || !on2 || !empty || !sends) return { measured: [], goals: [] };
  const [without, having] = [off.median + off2.median, on.median + on2.median];
  return {
    measured: [off, on, off2, on2, empty, sends],
    goals: [
      { what: `${title}, delivery included: on / off`, value: having / without, limit: LIMIT, unit: '×' },
      ratio(`${title}: off / ${contestants[2]?.name}`, off, off2, LIMIT),
      {
        what: 'what delivery adds to a command / what two messages add to an empty script',
        value: (having - without) / 2 / (sends.median - empty.median),
        limit: SENDING_LIMIT,
        unit: '×',
      },
    ],
  };
}

/** Traces and metrics go to two places, each over a connection of its own. */
const TWO_MESSAGES = `
  const { request } = process.getBuiltinModule('node:http');
  const headers = { 'content-type': 'application/json' };
  for (const signal of ['traces', 'metrics'])
    request(process.argv[1] + '/v1/' + signal, { method: 'POST', headers }, (answer) => answer.resume()).end('{}');
`;

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
