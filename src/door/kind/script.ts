// `run_script`: any file of a skill that an interpreter fits, in the project as the layer of its run shows it.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import { OWN_INPUT } from '../../process/order.ts';
import { interpreterOf, isScript, notListed } from '../../process/shebang.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { type DigestFile, digestSkill } from '../../skill/digest.ts';
import { isFileOf } from '../../skill/file-of.ts';
import { findModule } from '../../skill/python-module.ts';
import { runScript } from '../../tools/run-script.ts';
import type { RunScript } from '../call.ts';
import type { Door } from '../door.ts';
import { concludeProcess } from '../output/conclude.ts';
import { namedOutputs } from '../output/name.ts';
import { notInSkill } from '../start-words.ts';
import { allowanceOf, secondsFor, secretsOf, secretWords, type Work, wantsNetwork } from '../work.ts';

export function understandScript(call: RunScript, door: Door): Work {
  const skill = door.resolve(call.skill, call.source);
  const { digest, files } = digestSkill(skill);
  const module = call.asModule ? call.script : undefined;
  const script = module === undefined ? checkScript(call.script, skill, files) : findModule(module, skill, files);
  // Nobody is asked about a file that no interpreter fits.
  if (module === undefined) interpreterOf(path.join(skill.folder, script), door.interpreters);
  else if (!door.interpreters.includes('python')) throw notListed('python', door.interpreters);
  const network = wantsNetwork(call, skill);
  const started = module === undefined ? [script] : ['-m', module];
  const words = [...started, ...call.args, ...secretWords(skill)];
  return {
    tool: runScript.name,
    skill,
    digest,
    args: {
      script,
      ...(module !== undefined && { module }),
      args: [...call.args],
      stdin: call.stdin ?? null,
      secrets: secretsOf(skill),
    },
    words,
    asked: { tool: runScript.name, script, argv: call.args, network },
    granted: { script, path: script, argv: call.args },
    allowances: [allowanceOf(skill)],
    origin: 'skill',
    program: { script, args: call.args, ...(module !== undefined && { module, interpreter: 'python' }) },
    ...(call.stdin !== undefined && { stdin: call.stdin }),
    ...(call.ownInput && call.byPerson && { stdin: OWN_INPUT }),
    seconds: secondsFor(call, skill, 'script', door),
    secrets: secretsOf(skill),
    network,
    files: [],
    output: { folder: door.folders.output, names: namedOutputs(call.args, door.folders.output, door) },
    counts: false,
    conclude: (executed, by) => concludeProcess({ skill: skill.name, what: started.join(' ') }, executed, by),
  };
}

/** A file of the skill, wherever its author put it; a link leads to one. */
export function checkScript(script: string, skill: SkillEntry, files: readonly DigestFile[]): string {
  const plain = script.replace(/^\.\//, '');
  const steps = plain.split('/');
  const isBelow = steps.every((step) => step !== '' && step !== '.' && step !== '..');
  if (isBelow && isFileOf({ folder: skill.folder, files }, plain)) return plain;
  if (isBelow) return findByName(plain, skill, files);
  const shown = visible(script);
  throw new Fault('PathBlocked', {
    en: `${shown} is not a script of ${skill.name}`,
    zh: `${shown} 不是 ${skill.name} 的脚本`,
  });
}

/** The name alone, as people type it: what lies in scripts/, else the only one of that name. The entry of a role is exact. */
function findByName(script: string, skill: SkillEntry, files: readonly DigestFile[]): string {
  const named = files
    .map(({ path: name }) => name)
    .filter((name) => path.posix.basename(name) === script && isFileOf({ folder: skill.folder, files }, name))
    .filter((name) => isScript(path.join(skill.folder, name)));
  const found = named.find((name) => name === `scripts/${script}`) ?? named[0];
  if (skill.ofRole || found === undefined) throw notThere(script, skill, files);
  if (named.length === 1 || path.posix.dirname(found) === 'scripts') return found;
  const shown = named.slice(0, MOST_NAMES).map(visible).join(', ');
  throw new Fault('ScriptNotFound', visible(script), {
    details: { suggestions: named },
    hint: { en: `Several have that name; say which: ${shown}`, zh: `有多个同名脚本，请指明: ${shown}` },
  });
}

/** A person sees what there is; a role says where its entry stands. */
function notThere(script: string, skill: SkillEntry, files: readonly DigestFile[]): Fault {
  const names = files
    .filter(({ path: name, mode }) => mode !== 'link' && isScript(path.join(skill.folder, name)))
    .map(({ path: name }) => name);
  if (skill.ofRole || names.length === 0) return notInSkill(script, skill);
  const shown = names.slice(0, MOST_NAMES).map(visible).join(', ');
  const list = { en: `Scripts of ${skill.name}: ${shown}`, zh: `${skill.name} 的脚本: ${shown}` };
  return new Fault('ScriptNotFound', visible(script), didYouMean(script, names, list));
}

const MOST_NAMES = 8;
