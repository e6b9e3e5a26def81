// `run_script`: a file that the author of a skill put there to be run, in the private folder of the call.

import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill } from '../../skill/digest.ts';
import { SCRIPT_SECONDS } from '../../skill/time-limit.ts';
import { runScript } from '../../tools/run-script.ts';
import type { RunScript } from '../call.ts';
import type { Door } from '../door.ts';
import { concludeProcess } from '../output/conclude.ts';
import { namedOutputs } from '../output/name.ts';
import { allowanceOf, secondsFor, secretsOf, secretWords, type Work, wishesOf } from '../work.ts';

export function understandScript(call: RunScript, door: Door): Work {
  const skill = door.resolve(call.skill, call.source);
  const script = checkScript(call.script, skill);
  const { network, writes } = wishesOf(call, skill);
  const words = [script, ...call.args, ...secretWords(skill)];
  return {
    tool: runScript.name,
    skill,
    digest: digestSkill(skill).digest,
    args: { script, args: [...call.args], stdin: call.stdin ?? null, secrets: secretsOf(skill) },
    words,
    asked: { tool: runScript.name, script, argv: call.args, network, writes },
    granted: { script, path: script, argv: call.args },
    allowances: [allowanceOf(skill)],
    program: { script, args: call.args },
    ...(call.stdin !== undefined && { stdin: call.stdin }),
    seconds: secondsFor(call, skill, SCRIPT_SECONDS, door),
    secrets: secretsOf(skill),
    network,
    writes,
    files: [],
    output: { folder: door.folders.output, names: namedOutputs(call.args, door.folders.output, door) },
    counts: false,
    conclude: (executed, by) => concludeProcess({ skill: skill.name, what: script }, executed, by),
  };
}

/** Only what an author put there to be run. */
export function checkScript(script: string, skill: SkillEntry): string {
  const plain = script.replace(/^\.\//, '');
  if (isMeantToRun(plain, skill)) return plain;
  const shown = visible(script);
  throw new Fault('PathBlocked', {
    en: `${shown} is not a script of ${skill.name}`,
    zh: `${shown} 不是 ${skill.name} 的脚本`,
  });
}

/** A file under scripts/, or one that `entry` or `command` names. */
function isMeantToRun(plain: string, { manifest }: SkillEntry): boolean {
  const steps = plain.split('/');
  const isPlain = !/[\\\0]/.test(plain) && !steps.some((step) => step === '' || step === '.' || step === '..');
  const named = [manifest.entry ?? '', ...(manifest.command ?? '').split(/\s+/)].map((word) =>
    word.replace(/^\.\//, ''),
  );
  return isPlain && (steps[0] === 'scripts' || named.includes(plain));
}
