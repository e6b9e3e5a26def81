// What telemetry costs: runs with it beside runs without it, and two contestants without it, to see what is noise.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Goal, SuiteOptions, SuiteResult } from './goal.ts';
import type { Measured } from './measure.ts';

const KINDS = ['turns', 'scripts'] as const;
type Kind = (typeof KINDS)[number];
const TITLES: Record<Kind, string> = { turns: '100 turns that read a file', scripts: '10 scripts' };
const LEAST_ROUNDS = 10;

/**
 * Two processes each, because one can be a little slower than the other for its whole life. `SKILLWRIGHT_BEFORE` names
 * another tree, with the contestant in it, to compare with instead of the same one again.
 */
export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const receiver = fork(path.join(root, 'bench', 'telemetry-receiver.ts'));
  const [port] = await once(receiver, 'message');
  const other = process.env.SKILLWRIGHT_BEFORE;
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const place = (name: string) => path.join(folder, `telemetry-${name}`);
  const children = {
    off: await open(root, place('off')),
    on: await open(root, place('on'), endpoint),
    [other === undefined ? 'off again' : 'before']: await open(other ?? root, place('other')),
    'on again': await open(root, place('again'), endpoint),
  };
  try {
    const spent = await interleave(children, Math.max(rounds, LEAST_ROUNDS));
    return {
      measured: KINDS.flatMap((kind) => spent[kind].map((one) => toMeasured(kind, one))),
      goals: KINDS.flatMap((kind) => goalsOf(kind, spent[kind])),
    };
  } finally {
    for (const child of [...Object.values(children), receiver]) child.disconnect();
  }
}

interface Spent {
  readonly name: string;
  readonly wall: number[];
  readonly cpu: number[];
}

async function open(root: string, folder: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  mkdirSync(folder);
  const child = fork(path.join(root, 'bench', 'telemetry-worker.ts'), [folder], { env: { ...process.env, ...env } });
  await once(child, 'message');
  return child;
}

/** Who begins changes from round to round: whoever comes after a pause is slower. */
async function interleave(children: Record<string, ChildProcess>, rounds: number): Promise<Record<Kind, Spent[]>> {
  const contestants = Object.entries(children);
  const empty = () => contestants.map(([name]): Spent => ({ name, wall: [], cpu: [] }));
  const spent: Record<Kind, Spent[]> = { turns: empty(), scripts: empty() };
  for (const kind of KINDS) {
    for (let round = -2; round < rounds; round++) {
      for (const step of contestants.keys()) {
        const at = (round + 2 + step) % contestants.length;
        const { wall, cpu } = await runOne(contestants[at]?.[1], kind);
        if (round >= 0) spent[kind][at]?.wall.push(wall);
        if (round >= 0) spent[kind][at]?.cpu.push(cpu);
      }
    }
  }
  return spent;
}

async function runOne(child: ChildProcess | undefined, kind: Kind): Promise<{ wall: number; cpu: number }> {
  child?.send(kind);
  const [spent] = child ? await once(child, 'message') : [];
  return spent;
}

function toMeasured(kind: Kind, { name, wall, cpu }: Spent): Measured {
  return { name: `${TITLES[kind]}, ${name}`, median: at(wall, 0.5), min: at(wall, 0), cpu: at(cpu, 0.5), peakMb: 0 };
}

function goalsOf(kind: Kind, [off, on, other, again]: readonly Spent[]): Goal[] {
  if (!off || !on || !other || !again) return [];
  const goal = (what: string, over: readonly number[], under: readonly number[]): Goal => ({
    what: `${TITLES[kind]}: ${what}`,
    // The quicker quarter: what disturbs a run only ever makes it slower.
    value: at(over, 0.25) / at(under, 0.25),
    limit: 1.03,
    unit: '×',
  });
  return [
    goal('on / off', [...on.wall, ...again.wall], [...off.wall, ...other.wall]),
    goal(`off / ${other.name}`, off.wall, other.wall),
  ];
}

function at(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN;
}
