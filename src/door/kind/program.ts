// `run_command`: a program with its words, in the project folder; what `Bash(...)` means without a shell.

import { Fault } from '../../base/errors.ts';
import { digestSkill } from '../../skill/digest.ts';
import { runCommand } from '../../tools/run-command.ts';
import type { RunCommand } from '../call.ts';
import type { Door } from '../door.ts';
import { judgedCall } from '../judged-call.ts';
import { concludeProcess } from '../output/conclude.ts';
import { namedOutputs } from '../output/name.ts';
import { runArgs, runFilesOf, runPlaces } from '../run-file.ts';
import { allowanceOf, secondsFor, type Work, wantsNetwork } from '../work.ts';

export async function understandProgram(call: RunCommand, door: Door): Promise<Work> {
  const [program, ...words] = call.argv;
  if (program === undefined || program === '') throw new Fault('InvalidArgs', { en: 'no program', zh: '缺少程序名' });
  const skill = call.skill === undefined ? undefined : door.resolve(call.skill, call.source);
  const active = skill ? [skill] : (call.active ?? []).map((name) => door.resolve(name));
  const network = wantsNetwork(call, skill);
  const layer = await door.workspace.made(door.sandbox);
  const runs = runFilesOf(call.argv, runPlaces(door.places, skill, layer));
  return {
    tool: runCommand.name,
    ...(skill && { skill }),
    digest: skill ? digestSkill(skill).digest : '',
    args: { argv: [...call.argv], ...runArgs(runs) },
    words: runCommand.view({ argv: call.argv }),
    asked: await judgedCall({ tool: runCommand.name, argv: call.argv, network }),
    runs,
    granted: { argv: call.argv, runs },
    allowances: active.map(allowanceOf),
    origin: 'caller',
    program: { argv: [program, ...words] },
    cwd: door.places.project,
    seconds: secondsFor(call, skill, 'command', door),
    secrets: [],
    network,
    files: [],
    output: { folder: door.folders.output, names: namedOutputs(words, door.folders.output, door) },
    counts: false,
    conclude: (executed, by) => concludeProcess({ ...(skill && { skill: skill.name }), what: program }, executed, by),
  };
}
