// Cold start: what a person waits for before anything happens.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import { type Contestant, measure } from './measure.ts';
import { peer, skillwright } from './peer.ts';

export async function bench({ root, folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const empty = path.join(folder, 'empty.mjs');
  writeFileSync(empty, '');
  const emptyCommon = path.join(folder, 'empty.cjs');
  writeFileSync(emptyCommon, '');
  const at = { cwd: folder, home: folder };
  const contestants: Contestant[] = [
    { name: 'empty.mjs', argv: [empty], ...at },
    { name: 'empty.cjs', argv: [emptyCommon], ...at },
    { name: 'skillwright --version', argv: [skillwright(root), '--version'], ...at },
    { name: 'skillwright --help', argv: [skillwright(root), '--help'], ...at },
    { name: 'skills-ref --version', argv: [peer(root, 'skills-ref'), '--version'], ...at },
    { name: 'openskills --version', argv: [peer(root, 'openskills'), '--version'], ...at },
    { name: 'skills --version', argv: [peer(root, 'skills'), '--version'], ...at },
  ];
  const measured = measure(contestants, Math.max(rounds, 20));
  const version = measured.get('skillwright --version');
  return {
    measured: [...measured.values()],
    goals: [
      ratio('--version / empty script (module)', version, measured.get('empty.mjs'), 1.3),
      ratio('--version / empty script (CommonJS)', version, measured.get('empty.cjs'), 1.3),
      ratio('--version / skills-ref', version, measured.get('skills-ref --version'), 0.7),
    ],
  };
}
