// `invoke`: a skill by name. Prompt skills answer with their text; command skills run their template, filled in.

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { type Answering, type Data, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { isInside } from '../../base/paths.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import { interpreterInShebang } from '../../process/shebang.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill, type SkillDigest } from '../../skill/digest.ts';
import { findShellSyntax } from '../../skill/kind.ts';
import {
  type FilledWord,
  fillTemplate,
  groupOptional,
  parseTemplate,
  type TemplateWord,
} from '../../skill/template.ts';
import { runCommand } from '../../tools/run-command.ts';
import { runScript } from '../../tools/run-script.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { InvokeSkill } from '../call.ts';
import type { Door } from '../door.ts';
import type { Executed } from '../executed.ts';
import { concludeFailure, sandboxOf, textOf } from '../output/conclude.ts';
import { formatOutputSize } from '../output/name.ts';
import { runArgs, runFilesOf, runPlaces } from '../run-file.ts';
import {
  type AnsweredCall,
  allowanceOf,
  type Program,
  secondsFor,
  secretsOf,
  secretWords,
  type Work,
  wantsNetwork,
} from '../work.ts';
import { type Parameters, readParameters } from './command-param.ts';
import { answerPending } from './pending.ts';
import { answerPrompt } from './prompt.ts';

export async function understandInvoke(call: InvokeSkill, door: Door): Promise<Work | AnsweredCall> {
  const skill = door.resolve(call.skill, call.source);
  if (call.byPerson && !skill.manifest.userInvocable) throw notForPeople(skill);
  refuseShell(skill);
  if (skill.kind === 'prompt') return answerPrompt(call, skill, door);
  if (skill.kind === 'protocol') throw needsAction(skill);
  const template = templateOf(skill);
  const parameters = await readParameters(call, skill, template, door);
  if (parameters.missing.length > 0) return answerPending(skill, parameters, door);
  const allowsDash = (name: string) => parameters.all.find((param) => param.name === name)?.allowDash === true;
  const words = fillTemplate(template, { values: parameters.values, allowsDash });
  const layer = await door.workspace.made(door.sandbox);
  return commandWork(call, skill, words, { ...parameters, layer }, door);
}

function templateOf({ manifest, folder }: SkillEntry): TemplateWord[] {
  const isOptional = (name: string) => manifest.params?.find((param) => param.name === name)?.optional === true;
  return groupOptional(parseTemplate(manifest.command ?? '', folder), isOptional);
}

function commandWork(
  call: InvokeSkill,
  skill: SkillEntry,
  filled: readonly FilledWord[],
  parameters: Parameters & { readonly layer: ProjectLayer | undefined },
  door: Door,
): Work {
  const digest = digestSkill(skill);
  const program = programOf(filled, skill, digest, door);
  const words = filled.map(({ text }) => text);
  const tool = 'script' in program ? runScript.name : runCommand.name;
  const argv = 'script' in program ? [program.script, ...program.args] : program.argv;
  const network = wantsNetwork(call, skill);
  const secrets = secretsOf(skill);
  const runs = 'script' in program ? [] : runFilesOf(program.argv, runPlaces(door.places, skill, parameters.layer));
  return {
    tool,
    skill,
    digest: digest.digest,
    args: { command: words, files: [...parameters.files], secrets, ...runArgs(runs) },
    words: [...words, ...secretWords(skill)],
    asked: { tool, argv, ...('script' in program && { script: program.script }), network },
    runs,
    granted: 'script' in program ? { script: program.script, argv: program.args } : { argv, runs },
    allowances: [allowanceOf(skill)],
    origin: 'skill',
    program,
    cwd: door.places.project,
    seconds: secondsFor(call, skill, 'command', door),
    secrets,
    network,
    files: parameters.files,
    output: parameters.output,
    counts: true,
    conclude: (executed, by) => conclude(skill, operationOf(program, skill), parameters, door, executed, by),
  };
}

/** A file of the skill is run from its snapshot by its interpreter; anything else is a program of the machine. */
/** No shell reads a command of a skill. */
type OwnProgram = Exclude<Program, { shell: string }>;

function programOf(filled: readonly FilledWord[], skill: SkillEntry, { files }: SkillDigest, door: Door): OwnProgram {
  const started = scriptStartedBy(filled, { folder: skill.folder, files }, door.interpreters);
  const resolved = filled.map((word) => {
    const file = fileOfSkill(word, { folder: skill.folder, files });
    return file === undefined ? word.text : path.join(skill.folder, file);
  });
  if (!started) return { argv: [resolved[0] ?? '', ...resolved.slice(1)] };
  const { script, interpreter, taken } = started;
  return { script, args: resolved.slice(taken), ...(interpreter !== undefined && { interpreter }) };
}

interface FilesOfSkill {
  readonly folder: string;
  readonly files: SkillDigest['files'];
}

interface StartedScript {
  readonly script: string;
  readonly interpreter?: string;
  /** How many words name it; behind them stand its arguments. */
  readonly taken: number;
}

/** The script of the skill that these words start, by its name or through its interpreter. */
export function scriptStartedBy(
  [first, second]: readonly FilledWord[],
  of: FilesOfSkill,
  interpreters: readonly string[],
): StartedScript | undefined {
  const own = fileOfSkill(first, of);
  if (own !== undefined) return { script: own, taken: 1 };
  const named = first?.isLiteral ? interpreterInShebang(`#!${first.text}`) : undefined;
  const script = fileOfSkill(second, of);
  if (named === undefined || script === undefined || !interpreters.includes(named)) return undefined;
  return { script, interpreter: named, taken: 2 };
}

function fileOfSkill(word: FilledWord | undefined, { folder, files }: FilesOfSkill): string | undefined {
  if (!word?.isLiteral) return undefined;
  const inside = isInside(folder, word.text) ? path.relative(folder, word.text) : word.text;
  const plain = path.posix.normalize(inside);
  return files.some((file) => file.path === plain) ? plain : undefined;
}

function conclude(
  skill: SkillEntry,
  operation: string,
  { target }: Parameters,
  door: Door,
  executed: Executed,
  by: Answering,
): Outcome {
  const failure = concludeFailure(skill.name, executed, by);
  if (failure) return failure;
  const { ended, outputs } = executed;
  const result = resultOf(target, door, executed);
  const printed = textOf(ended.stdout);
  const several = outputs.copied.length > 1 ? outputs.copied : [];
  const data: Data = {
    skill: skill.name,
    source: skill.source,
    operation,
    output_path: result?.path ?? null,
    output_size: result ? formatOutputSize(result.size) : null,
    stdout: printed,
    ...(several.length > 0 && { outputs: several }),
    ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    sandbox: sandboxOf(executed),
  };
  const what = visible(result ? `${operation} → ${result.path}` : operation);
  const artifacts = [...(result ? [result.path] : []), ...several.map((file) => file.path)];
  const summary = { en: `done: ${what}`, zh: `执行成功: ${what}` };
  return makeOutcome(by, 'success', summary, data, { product: { printed, artifacts, refused: outputs.refused } });
}

/** The file the call was to write, else the first it wrote; as a person would type it. */
function resultOf(
  wanted: string | undefined,
  { places, workspace }: Door,
  { outputs, outputFolder }: Executed,
): { path: string; size: number } | undefined {
  const shorten = (file: string) => (isInside(places.project, file) ? path.relative(places.project, file) : file);
  const found = outputs.copied.find((file) => path.join(outputFolder, file.path) === wanted) ?? outputs.copied[0];
  if (found) return { path: shorten(path.join(outputFolder, found.path)), size: found.size };
  if (wanted === undefined || isInside(outputFolder, wanted)) return undefined;
  const written = workspace.opened()?.content(path.relative(places.project, wanted)) ?? wanted;
  const stats = lstatSync(written, { throwIfNoEntry: false });
  return stats?.isFile() ? { path: shorten(wanted), size: stats.size } : undefined;
}

// Names that say nothing about what is done.
const PLAIN_NAMES = new Set(['main', 'run', 'index', 'cli', 'start', 'skill']);

function operationOf(program: OwnProgram, skill: SkillEntry): string {
  const file = 'script' in program ? program.script : program.argv[0];
  const stem = path.basename(file, path.extname(file));
  return PLAIN_NAMES.has(stem) ? skill.name : stem;
}

/** A template that needs a shell was left out of the manifest; its skill is no prompt because of that. */
function refuseShell({ name, manifest }: SkillEntry): void {
  const written = manifest.unknown?.command;
  const syntax = typeof written === 'string' ? findShellSyntax(written) : undefined;
  if (syntax === undefined) return;
  const shown = visible(name);
  throw new Fault(
    'InvalidArgs',
    { en: `the command of ${shown} needs a shell: ${syntax}`, zh: `${shown} 的命令需要 shell: ${syntax}` },
    {
      details: { syntax },
      hint: { en: 'No shell reads a command. Move it into a script.', zh: '命令不经过 shell。请改写为脚本。' },
    },
  );
}

function notForPeople(skill: SkillEntry): Fault {
  const shown = visible(skill.name);
  return new Fault(
    'PermissionDenied',
    { en: `${shown} is only for a model to choose`, zh: `${shown} 仅供模型选用` },
    { hint: { en: 'Its SKILL.md says user-invocable: false.', zh: '其 SKILL.md 写明 user-invocable: false。' } },
  );
}

function needsAction(skill: SkillEntry): Fault {
  const [shown, typed] = [visible(skill.name), typedWord(skill.name)];
  const actions = (skill.manifest.actions ?? []).map(({ name }) => name);
  return new Fault(
    'InvalidArgs',
    { en: `${shown} has actions, not a command`, zh: `${shown} 提供的是操作而非命令` },
    {
      details: { actions },
      hint: {
        en: `\`skillwright call ${typed} <action>\`${actions.length > 0 ? `: ${actions.join(', ')}` : ''}`,
        zh: `\`skillwright call ${typed} <操作>\`${actions.length > 0 ? `：${actions.join('、')}` : ''}`,
      },
    },
  );
}
