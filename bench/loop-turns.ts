// One run of the agent with a scripted model and a tool that does next to nothing: what a turn costs, and what stays in memory.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runRequest } from '../src/app/run/start.ts';
import { createRuntime } from '../src/app/runtime.ts';
import { scriptedModel } from '../src/model/scripted.ts';
import { plantSkills } from './tree.ts';

/** What the parent reads from stdout. */
export interface LoopFigures {
  readonly skills: number;
  /** Milliseconds, one for each turn but the first ones, which load code. */
  readonly turns: readonly number[];
  readonly heapEarlyMb: number;
  readonly heapLateMb: number;
}

const WARM_UP = 20;

const [folder = '', skills = '10', turns = '100'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await measureLoop(folder, Number(skills), Number(turns))));

async function measureLoop(place: string, count: number, length: number): Promise<LoopFigures> {
  const [project, home] = [path.join(place, 'project'), path.join(place, 'home')];
  mkdirSync(home, { recursive: true });
  mkdirSync(path.join(project, 'empty'), { recursive: true });
  plantSkills(project, count);
  const runtime = await createRuntime({ project, home, env: process.env, language: 'en' });
  const starts: number[] = [];
  const heaps: number[] = [];
  const answers = Array.from({ length }, (_, at) => {
    writeFileSync(path.join(project, 'empty', `${at}.txt`), String(at));
    return { action: { type: 'use_tool', tool: 'read_file', args: { path: `empty/${at}.txt` } } };
  });
  const done = { action: { type: 'final_answer', content: 'done' } };
  const outcome = await runRequest(
    runtime,
    { text: 'read them' },
    {
      version: '0',
      given: scriptedModel([...answers, done]),
      budget: { turns: length + 1, tool_calls: length + 1 },
      trace: ({ type }) => {
        if (type !== 'turn') return;
        starts.push(performance.now());
        if (starts.length === WARM_UP * 5 || starts.length === length) heaps.push(heapMb());
      },
    },
  );
  if (outcome.state !== 'success') throw new Error(outcome.summary);
  const times = starts.slice(1).map((end, at) => end - (starts[at] ?? end));
  return { skills: count, turns: times.slice(WARM_UP), heapEarlyMb: heaps[0] ?? 0, heapLateMb: heaps[1] ?? 0 };
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
