// Where attempts on the guards are made: a home and projects that are thrown away, and the command line between them.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Runtime } from '../../app/runtime.ts';
import { cleanUpOnSignal } from '../../base/clean-up.ts';
import type { ErrorType } from '../../base/error/catalogue.ts';
import { copyTree, makeFolder, removeTree, writeFileAtomic } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { realPath } from '../../base/paths.ts';
import { VERSION } from '../../base/version.ts';
import type { CommandEntry } from '../frame/command.ts';
import { main } from '../frame/main.ts';

export interface CommandAnswer {
  readonly code: number;
  /** Everything that was printed. */
  readonly text: string;
  /** What the outcome carries; empty where it was not printed as JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Project {
  readonly folder: string;
  /** Writes files of the project, as somebody who can change it would. */
  plant(files: StageFiles): void;
  /** One command in this project, by somebody whose home is the stage; as JSON. */
  ask(...args: string[]): Promise<CommandAnswer>;
  /** The same, printed for people. */
  show(...args: string[]): Promise<CommandAnswer>;
  /** A command that has to succeed before there is anything to attack. */
  must(...args: string[]): Promise<CommandAnswer>;
}

export interface Stage {
  readonly folder: string;
  readonly home: string;
  project(name: string, files?: StageFiles): Project;
  close(): void;
}

/** Texts by their path. */
export type StageFiles = Readonly<Record<string, string>>;

/** What a skill of the stage knows and must not lose. */
export const SECRET = { name: 'STAGE_TOKEN', value: 'tok-4f1c9d0be7a25538' };

export type Commands = readonly CommandEntry[];

export function openStage({ env, sandboxFolder }: Runtime, commands: Commands): Stage {
  const folder = path.join(realPath(tmpdir()) ?? tmpdir(), `skillwright-attack-${randomId(4)}`);
  const home = path.join(folder, 'home');
  const close = cleanUpOnSignal(() => removeTree(folder));
  makeFolder(home);
  // The tier of this machine is known; finding it again would take longer than all attempts.
  const remembered = path.join(home, '.agent', 'cache', 'sandbox');
  makeFolder(path.dirname(remembered));
  if (existsSync(sandboxFolder)) copyTree(sandboxFolder, remembered);
  // Nothing else of the caller's environment: no key, no receiver of telemetry.
  const own = { PATH: env.PATH, HOME: home, [SECRET.name]: SECRET.value };
  return {
    folder,
    home,
    project: (name, files = {}) =>
      openProject(path.join(folder, name), files, (args) => runCommand(args, own, commands)),
    close,
  };
}

function openProject(
  folder: string,
  files: StageFiles,
  run: (args: readonly string[]) => Promise<CommandAnswer>,
): Project {
  const project: Project = {
    folder,
    plant: (more) => plantFiles(folder, more),
    ask: (...args) => run(['--json', '--lang', 'en', '-C', folder, ...args]),
    show: (...args) => run(['--lang', 'en', '-C', folder, ...args]),
    async must(...args) {
      const answer = await project.ask(...args);
      if (answer.code !== 0) throw new Error(`${args.join(' ')}: ${answer.text}`);
      return answer;
    },
  };
  makeFolder(path.join(folder, '.agent', 'skills'));
  project.plant(files);
  return project;
}

export function plantFiles(folder: string, files: StageFiles): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    makeFolder(path.dirname(file));
    writeFileAtomic(file, text);
  }
}

async function runCommand(args: readonly string[], env: Runtime['env'], commands: Commands): Promise<CommandAnswer> {
  const printed: string[] = [];
  const out: string[] = [];
  const stdout = { write: (text: string) => out.push(text) };
  const stderr = () => ({ write: (text: string) => printed.push(text) });
  const code = await main(args, { env: { ...env }, stdin: () => ({}), stdout, stderr }, VERSION, commands);
  const outcome = args.includes('--json') ? parseJson(out.join('')) : {};
  const data = isRecord(outcome) && isRecord(outcome.data) ? outcome.data : {};
  return { code, text: [...out, ...printed].join(''), data };
}

/** Whether a command did what it should have refused as `refusal`; a failure for any other reason shows nothing. */
export function wasDone({ code, data, text }: CommandAnswer, refusal: ErrorType): boolean {
  if (code !== 0 && data.type !== refusal) throw new Error(`failed for another reason: ${text}`);
  return code === 0;
}

/** A skill of a project, with more frontmatter where it is needed, and its script. */
export function skillFiles(name: string, fields: string, script?: string): StageFiles {
  return {
    [`.agent/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use for ${name}.\n${fields}---\n# ${name}\n`,
    ...(script !== undefined && { [`.agent/skills/${name}/scripts/main.sh`]: script }),
  };
}
