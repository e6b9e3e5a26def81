// From what is wanted to the real argument vector: every program resolved to a binary outside the project.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isInside } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { runsAwkFile } from '../policy/command/awk.ts';
import {
  type Interpreter,
  type InterpreterSearch,
  moduleCommand,
  resolveInterpreter,
  scriptCommand,
  shellCommand,
} from '../process/interpreter.ts';
import { findProgram, isUsable } from '../process/program.ts';
import { INTERPRETERS, interpreterInShebang, interpreterOf, notListed } from '../process/shebang.ts';
import type { Snapshot } from '../process/snapshot.ts';
import { isFileOf } from '../skill/file-of.ts';
import type { Door } from './door.ts';
import type { Program, Work } from './work.ts';

export interface Started {
  readonly argv: readonly string[];
  /** What the program must see to run. */
  readonly readOnly: readonly string[];
  /** Folders of programs that a script may call by name. */
  readonly programs: readonly string[];
}

export async function startWords(work: Work, snapshot: Snapshot | undefined, door: Door): Promise<Started> {
  const search: InterpreterSearch = {
    path: door.env.PATH ?? '',
    home: door.places.home,
    project: door.places.project,
    cacheFolder: door.folders.cache,
  };
  if ('argv' in work.program) return await programWords(work.program.argv, search, door);
  if ('shell' in work.program) return await shellWords(work.program, search);
  return await scriptWords(work, work.program, snapshot, search, door);
}

/** The script is read from the snapshot, and named as it will be seen inside. */
async function scriptWords(
  work: Work,
  { script, args, interpreter: named, module }: Extract<Program, { script: string }>,
  snapshot: Snapshot | undefined,
  search: InterpreterSearch,
  door: Door,
): Promise<Started> {
  if (!work.skill || !snapshot || !isFileOf(snapshot, script)) throw notInSkill(script, work.skill);
  const name = named ?? interpreterOf(path.join(snapshot.folder, script), door.interpreters);
  const interpreter = await resolveInterpreter(name, search);
  const { folder } = work.skill;
  const run = { script: path.join(folder, script), args };
  return started(
    interpreter,
    module === undefined ? scriptCommand(interpreter, run) : moduleCommand(interpreter, { folder, module, args }),
  );
}

/** The shell reads nothing but the script; what its commands are started by is found as for a script of that kind. */
async function shellWords(
  { shell, interpreters }: Extract<Program, { shell: string }>,
  search: InterpreterSearch,
): Promise<Started> {
  const bash = await resolveInterpreter('bash', search);
  const others = await Promise.all(interpreters.map((name) => resolveInterpreter(name, search)));
  const all = [bash, ...others];
  return {
    argv: shellCommand(bash, shell),
    readOnly: all.flatMap(({ readOnly }) => readOnly),
    programs: [...new Set(all.map(({ file }) => path.dirname(file)))],
  };
}

/** The script of a skill lies where its author says; bin/ is for others. */
export function notInSkill(script: string, skill: Work['skill']): Fault {
  const role = skill?.ofRole && visible(skill.ofRole.role);
  const hint = role
    ? {
        en: `Correct entry in agents/${role}/agent.yaml, or write the script; \`skillwright roles lint ${role}\` checks it.`,
        zh: `请修正 agents/${role}/agent.yaml 中的 entry，或编写该脚本；\`skillwright roles lint ${role}\` 可检查。`,
      }
    : {
        en: 'Correct the path in SKILL.md, or put the file into the folder of the skill.',
        zh: '请修正 SKILL.md 中的路径，或将文件放入技能目录。',
      };
  return new Fault('ScriptNotFound', visible(script), { hint });
}

async function programWords(
  [name, ...words]: readonly [string, ...string[]],
  search: InterpreterSearch,
  door: Door,
): Promise<Started> {
  if (name.includes('/')) return await fileWords(path.resolve(search.project, name), words, search, door);
  const known = interpreterInShebang(`#!${name}`);
  if (known !== undefined && door.interpreters.includes(known)) {
    const interpreter = await resolveInterpreter(known, search);
    const [script = '', ...args] = words;
    return started(interpreter, words.length === 0 ? [interpreter.file] : scriptCommand(interpreter, { script, args }));
  }
  if (INTERPRETERS.some((one) => one === known) || runsAwkFile([name, ...words]))
    throw notListed(name, door.interpreters);
  const program = findProgram(name, search);
  if (program === undefined) throw missing(name);
  return { argv: [program, ...words], readOnly: [], programs: [] };
}

/** A file of the project runs through its interpreter; a program elsewhere must be one nobody else can exchange. */
async function fileWords(
  file: string,
  words: readonly string[],
  search: InterpreterSearch,
  door: Door,
): Promise<Started> {
  if (isInside(search.project, file)) {
    const interpreter = await resolveInterpreter(interpreterOfFile(file, door), search);
    return started(interpreter, scriptCommand(interpreter, { script: file, args: words }));
  }
  if (!isUsable(file, search.project)) throw missing(file);
  return { argv: [file, ...words], readOnly: [file], programs: [] };
}

function interpreterOfFile(file: string, door: Door): string {
  try {
    return interpreterOf(file, door.interpreters);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('ScriptNotFound', visible(file), { cause: error });
  }
}

function started(interpreter: Interpreter, argv: readonly string[]): Started {
  return { argv, readOnly: interpreter.readOnly, programs: [path.dirname(interpreter.file)] };
}

function missing(program: string): Fault {
  const shown = visible(program);
  return new Fault(
    'RuntimeFailed',
    { en: `the program ${shown} is not installed`, zh: `未安装程序 ${shown}` },
    { details: { missing: program } },
  );
}
