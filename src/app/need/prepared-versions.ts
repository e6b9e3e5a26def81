// What was prepared for a skill, and is as it was built: the version of each package, as `python name` and `node name`.
import { readPrepared } from '../../environment/store/prepared.ts';
import { isForProgram } from '../../environment/store/program-stamp.ts';
import { findSound } from '../../environment/store/sound.ts';
import { digestIfSound } from '../../skill/digest.ts';
import type { Runtime } from '../runtime.ts';
import type { ReadableSkill } from './sources.ts';

export function preparedVersions(
  { folder, without = [] }: ReadableSkill,
  { home, project }: Pick<Runtime, 'home' | 'project'>,
): ReadonlyMap<string, string> {
  const digest = digestIfSound({ folder, without });
  const parts = digest === undefined ? [] : (readPrepared(home, project, digest)?.parts ?? []);
  const found = parts.flatMap(({ name }) => findSound(home, name) ?? []).filter(isForProgram);
  return new Map(
    found.flatMap(({ ecosystem, packages }) =>
      packages.map((word): [string, string] => {
        const at = ecosystem === 'python' ? word.indexOf('==') : word.lastIndexOf('@');
        return [`${ecosystem} ${word.slice(0, at)}`, word.slice(at + (ecosystem === 'python' ? 2 : 1))];
      }),
    ),
  );
}
