// Listing 100, 1,000 and 10,000 skills, with an empty cache and with a warm one.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Goal, ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { type Contestant, type Measured, measure } from './measure.ts';
import { peer, skillwright } from './peer.ts';
import { plantSkills } from './tree.ts';

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const measured: Measured[] = [];
  const goals: Goal[] = [];
  for (const count of [100, 1_000, 10_000]) {
    const results = measure(contestants(root, path.join(folder, String(count)), count), rounds);
    measured.push(...results.values());
    if (count === 10_000) goals.push(...goalsOf(results));
  }
  return { measured, goals };
}

function contestants(root: string, project: string, count: number): Contestant[] {
  plantSkills(project, count);
  const home = (name: string) => {
    const folder = path.join(project, `home-${name}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const last = String(count - 1).padStart(5, '0');
  const accept = (stdout: string) => stdout.includes(last);
  const list = [skillwright(root), 'list'];
  return [
    {
      name: `skillwright list ${count}, empty cache`,
      argv: list,
      cwd: project,
      home: home('cold'),
      before: () => rmSync(path.join(project, 'home-cold', '.agent'), { recursive: true, force: true }),
      accept,
    },
    { name: `skillwright list ${count}, cached`, argv: list, cwd: project, home: home('warm'), accept },
    {
      name: `openskills list ${count}`,
      argv: [peer(root, 'openskills'), 'list'],
      cwd: project,
      home: home('openskills'),
      accept,
    },
    { name: `skills list ${count}`, argv: [peer(root, 'skills'), 'list'], cwd: project, home: home('skills'), accept },
  ];
}

function goalsOf(results: Map<string, Measured>): Goal[] {
  const cold = results.get('skillwright list 10000, empty cache');
  const cached = results.get('skillwright list 10000, cached');
  const openskills = results.get('openskills list 10000');
  return [
    ratio('list 10,000 empty cache / openskills', cold, openskills, 1.0),
    ratio('list 10,000 empty cache / skills', cold, results.get('skills list 10000'), 0.15),
    ratio('list 10,000 cached / openskills', cached, openskills, 0.5),
    { what: 'list 10,000 peak memory, empty cache', value: cold?.peakMb ?? Number.NaN, limit: 100, unit: 'MB' },
    { what: 'list 10,000 peak memory, cached', value: cached?.peakMb ?? Number.NaN, limit: 100, unit: 'MB' },
  ];
}
