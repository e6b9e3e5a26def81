// Validating 1,000 skills in one process beside one skills-ref call for one skill.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { measure } from './measure.ts';
import { peer, skillwright } from './peer.ts';
import { plantSkills } from './tree.ts';

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const project = path.join(folder, 'validate');
  plantSkills(project, 1_000);
  const skills = path.join(project, '.claude', 'skills');
  const one = path.join(skills, readdirSync(skills)[0] ?? '');
  const at = { cwd: project, home: project };
  const measured = measure(
    [
      { name: 'skillwright validate, 1,000 skills', argv: [skillwright(root), 'validate'], ...at },
      { name: 'skills-ref validate, 1 skill', argv: [peer(root, 'skills-ref'), 'validate', one], ...at, codes: [0, 1] },
    ],
    rounds,
  );
  const ours = measured.get('skillwright validate, 1,000 skills');
  const theirs = measured.get('skills-ref validate, 1 skill');
  return { measured: [...measured.values()], goals: [ratio('validate 1,000 / one skills-ref call', ours, theirs, 8)] };
}
