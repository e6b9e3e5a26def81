// Asks an interpreter which program it is and where it was installed; needed once for each, since the answer is kept.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { realPath } from '../base/paths.ts';
import type { Launch } from './order.ts';
import { plainLaunch } from './plain-launch.ts';
import { belongsToProject, isSystemFile } from './program.ts';
import { runProcess } from './run.ts';

/** It prints its major version, its program, then the folders it was installed under, one on a line. */
export interface InterpreterQuestion {
  readonly args: readonly string[];
  readonly major?: string;
}

export interface InterpreterPlace {
  /** Absolute; never a shim. */
  readonly file: string;
  /** The folders it must read to run, besides the system's own. */
  readonly readOnly: readonly string[];
}

interface Surroundings {
  /** The host's PATH. */
  readonly path: string;
  readonly home: string;
  readonly project: string;
}

const ASK_TIMEOUT_MS = 15_000;

/** Undefined where it is another program, or does not answer. */
export async function askInterpreter(
  candidate: string,
  question: InterpreterQuestion,
  surroundings: Surroundings,
): Promise<InterpreterPlace | undefined> {
  const ended = await runProcess(questionLaunch(candidate, question.args, surroundings), {
    timeoutMs: ASK_TIMEOUT_MS,
    outputLimit: 64 * 1024,
  });
  const [major, file = '', ...prefixes] = Buffer.from(ended.stdout).toString('utf8').trimEnd().split('\n');
  const wrong = question.major !== undefined && question.major !== major;
  if (ended.exit !== 0 || wrong || !path.isAbsolute(file) || !existsSync(file)) return undefined;
  // A virtual environment is found through the link it is started by; any other link is resolved.
  const isVirtual = new Set(prefixes).size > 1;
  return { file: isVirtual ? file : (realPath(file) ?? file), readOnly: foldersOf(prefixes) };
}

// From the root folder, because version managers look for settings in the working folder.
function questionLaunch(
  file: string,
  args: readonly string[],
  { path: searched, home, project }: Surroundings,
): Launch {
  const folders = searched
    .split(':')
    .filter((folder) => path.isAbsolute(folder) && !belongsToProject(realPath(folder) ?? folder, project));
  return plainLaunch({ file, args, env: { PATH: folders.join(':'), HOME: home }, cwd: '/' });
}

// Not the whole prefix: ~/.local holds more than an interpreter.
function foldersOf(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes)]
    .filter((prefix) => path.isAbsolute(prefix) && !isSystemFile(prefix))
    .flatMap((prefix) => ['bin', 'lib', 'lib64', 'pyvenv.cfg'].map((part) => path.join(prefix, part)))
    .filter((part) => existsSync(part));
}
