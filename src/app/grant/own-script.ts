// A command that only starts a script of the skill: calls of it are judged as that script, and so is a grant.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import { scriptStartedBy } from '../../door/kind/command.ts';
import type { GrantTarget } from '../../policy/grant/grant.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { DigestFile } from '../../skill/digest.ts';
import type { Runtime } from '../runtime.ts';

/** Throws a Fault with the words that have the effect which was meant. */
export function refuseOwnScript(
  target: GrantTarget,
  skill: SkillEntry,
  files: readonly DigestFile[],
  { config, places }: Runtime,
): void {
  if (target.kind !== 'command') return;
  const words = target.words.map((text) => ({ text, isLiteral: true }));
  const started = scriptStartedBy(words, { folder: skill.folder, files }, config.interpreters);
  if (!started) return;
  // A file of the project by the same name is a command like any other, unless the skill starts its own by it.
  const isInProject = existsSync(path.resolve(places.project, target.words[started.taken - 1] ?? ''));
  if (isInProject && skill.kind !== 'command') return;
  const script = visible(started.script);
  const instead = grantWords(skill, started.script, target.words.slice(started.taken), target.exact);
  throw new Fault(
    'Usage',
    {
      en: `${script} is a script of ${visible(skill.name)}, and no grant for a command covers it`,
      zh: `${script} 是 ${visible(skill.name)} 的脚本，命令授权不涵盖它`,
    },
    { hint: { en: `Grant the script: \`${instead}\``, zh: `请授权脚本: \`${instead}\`` } },
  );
}

function grantWords(skill: SkillEntry, script: string, args: readonly string[], exact: boolean): string {
  const start = `skillwright grants add ${typedWord(calledName(skill))}`;
  const [action] = skill.manifest.actions ?? [];
  if (skill.kind === 'protocol' && action) return `${start} --action ${typedWord(action.name)}`;
  const behind = args.length === 0 ? '' : ` -- ${args.map(typedWord).join(' ')}`;
  return `${start} --script ${typedWord(script)}${exact ? ' --exact' : ''}${behind}`;
}
