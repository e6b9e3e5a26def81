// `run_shell`: a script that one shell reads in the project folder, without start files; each of its commands is judged.
import { Fault } from '../../base/errors.ts';
import { isOpen, type JudgedScript, spellWord } from '../../policy/shell/script.ts';
import { INTERPRETERS, interpreterInShebang, notListed } from '../../process/shebang.ts';
import { digestSkill } from '../../skill/digest.ts';
import { headOf, linesIn, sizeOf } from '../../tools/call-view.ts';
import { runShell } from '../../tools/run-shell.ts';
import { requireArguments } from '../../tools/tool-call.ts';
import type { RunShell } from '../call.ts';
import type { Door } from '../door.ts';
import { judgedCall } from '../judged-call.ts';
import { concludeProcess } from '../output/conclude.ts';
import { namedOutputs } from '../output/name.ts';
import { runArgs, runFilesOfAll, runPlaces } from '../run-file.ts';
import { allowanceOf, secondsFor, type Work } from '../work.ts';

export async function understandShell(call: RunShell, door: Door): Promise<Work> {
  const { script } = call;
  requireArguments(runShell.name, { script });
  refuseNul(script);
  const skill = call.skill === undefined ? undefined : door.resolve(call.skill, call.source);
  const active = skill ? [skill] : (call.active ?? []).map((name) => door.resolve(name));
  const asked = await judgedCall({ tool: runShell.name, shell: script });
  const judged = asked.judged ?? NOTHING;
  const interpreters = interpretersIn(judged, door);
  const commands = commandsIn(judged, script);
  const runs = runFilesOfAll(commands, runPlaces(door.places, skill, await door.workspace.made(door.sandbox)));
  return {
    tool: runShell.name,
    ...(skill && { skill }),
    digest: skill ? digestSkill(skill).digest : '',
    args: { script, ...runArgs(runs) },
    words: runShell.view({ script }),
    preview: async (most) => ({
      kind: 'shell',
      head: headOf(linesIn(script), most),
      size: sizeOf(Buffer.from(script), script),
    }),
    asked,
    runs,
    granted: { shell: script, runs },
    allowances: active.map(allowanceOf),
    origin: 'caller',
    program: { shell: script, commands, interpreters },
    cwd: door.places.project,
    seconds: secondsFor(call, skill, 'command', door),
    secrets: [],
    network: false,
    files: [],
    output: { folder: door.folders.output, names: namedOutputs(commands.flat(), door.folders.output, door) },
    counts: false,
    conclude: (executed, by) => concludeProcess({ ...(skill && { skill: skill.name }), what: 'bash' }, executed, by),
  };
}

/** The words that may name files which a script runs. */
export async function commandsOf(script: string): Promise<string[][]> {
  const { judged } = await judgedCall({ tool: runShell.name, shell: script });
  return commandsIn(judged ?? NOTHING, script);
}

const NOTHING: JudgedScript = { commands: [], writes: [], unjudged: [], moves: true };

/** The words of its commands; where one is not judged or the folder changes, the text may name any file. */
function commandsIn({ commands, unjudged, moves }: JudgedScript, script: string): string[][] {
  if (unjudged.length > 0 || moves) return [['bash', '-c', script]];
  return commands.filter(({ kind }) => kind === 'program').map(({ words }) => words.map(spellWord));
}

/** Interpreters outside their list are refused, whoever starts them; the others are found where they lie. */
function interpretersIn({ commands }: JudgedScript, { interpreters }: Door): string[] {
  if (!interpreters.includes('bash')) throw notListed('bash', interpreters);
  const named = commands
    .filter(({ kind }) => kind === 'program' || kind === 'wrapper')
    .flatMap(({ words: [first] }) =>
      first === undefined || isOpen(first) ? [] : (interpreterInShebang(`#!${first}`) ?? []),
    )
    .filter((name) => INTERPRETERS.some((one) => one === name));
  const unlisted = named.find((name) => !interpreters.includes(name));
  if (unlisted !== undefined) throw notListed(unlisted, interpreters);
  return [...new Set(named)];
}

/** No program can be given one. */
function refuseNul(script: string): void {
  if (script.includes('\0'))
    throw new Fault('ParamInvalid', { en: 'a script holds no NUL', zh: '脚本不能含 NUL 字符' });
}
