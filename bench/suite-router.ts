// The router over 10,000 skills: indexing them with their bodies, loading the index again, and one request.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Goal, SuiteOptions, SuiteResult } from './goal.ts';
import { type Measured, measure } from './measure.ts';
import { skillwright } from './peer.ts';
import type { RouterFigures, RouterOrder } from './router-child.ts';
import { plantVariedSkills } from './varied-tree.ts';

const SKILLS = 10_000;
/** Goals in milliseconds are for the best of three. */
const ROUNDS = 3;

export async function bench({ root, folder }: SuiteOptions): Promise<SuiteResult> {
  const project = path.join(folder, 'router');
  const { requests } = plantVariedSkills(project, SKILLS);
  const warm = path.join(project, 'home-warm');
  const cold = path.join(project, 'home-cold');
  for (const home of [warm, cold]) mkdirSync(home);
  const words = (requests[0] ?? '').split(' ');
  const at = { cwd: project, accept: (stdout: string) => stdout !== '' };
  const results = measure(
    [
      {
        name: `scan ${SKILLS}, empty cache`,
        argv: [skillwright(root), 'scan'],
        home: cold,
        before: () => rmSync(path.join(cold, '.agent'), { recursive: true, force: true }),
        ...at,
      },
      { name: `scan ${SKILLS}, nothing changed`, argv: [skillwright(root), 'scan'], home: warm, ...at },
      { name: `search ${SKILLS}, cached`, argv: [skillwright(root), 'search', ...words], home: warm, ...at },
    ],
    ROUNDS,
  );
  const figures = Array.from({ length: ROUNDS }, () => askChild({ project, home: warm, requests }));
  return { measured: [...results.values()], goals: goalsOf([...results.values()], figures) };
}

function askChild(order: RouterOrder): RouterFigures {
  const program = path.join(import.meta.dirname, 'router-child.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, JSON.stringify(order)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`router-child: exit ${status}\n${stderr.slice(0, 500)}`);
  return JSON.parse(stdout);
}

function goalsOf([cold, , search]: readonly Measured[], figures: readonly RouterFigures[]): Goal[] {
  const best = (pick: (one: RouterFigures) => number) => Math.min(...figures.map(pick));
  const tokens = Math.max(...figures.map(({ catalogTokens }) => catalogTokens));
  return [
    { what: 'index 10,000 skills with bodies', value: cold?.min ?? Number.NaN, limit: 4000, unit: 'ms' },
    { what: 'index 10,000, peak memory', value: cold?.peakMb ?? Number.NaN, limit: 300, unit: 'MB' },
    { what: 'load the index of 10,000', value: best(({ loadMs }) => loadMs), limit: 400, unit: 'ms' },
    { what: 'search 10,000, peak memory', value: search?.peakMb ?? Number.NaN, limit: 300, unit: 'MB' },
    { what: 'request p50 in process', value: best(({ p50Ms }) => p50Ms), limit: 3, unit: 'ms' },
    { what: 'request p95 in process', value: best(({ p95Ms }) => p95Ms), limit: 3, unit: 'ms' },
    { what: 'catalog of 10,000 skills', value: tokens, limit: 2000, unit: 'tokens' },
  ];
}
