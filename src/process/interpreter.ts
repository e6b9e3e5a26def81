// Interpreters as real programs: resolved once, cached across processes, never taken from the project.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { realPath } from '../base/paths.ts';
import { readTextIfThere } from '../base/read-file.ts';
import type { InterpreterPlace, InterpreterQuestion } from './ask-interpreter.ts';
import { findPrograms, isSystemFile, isUsable } from './program.ts';

export interface Interpreter {
  readonly name: string;
  /** Absolute; never a shim. */
  readonly file: string;
  /** The folders it must read to run, besides the system's own. */
  readonly readOnly: readonly string[];
}

export interface InterpreterSearch {
  /** The host's PATH. */
  readonly path: string;
  readonly home: string;
  readonly project: string;
  /** The cache folder, our own under home. */
  readonly cacheFolder: string;
}

const remembered = new Map<string, { interpreter: Interpreter; stamp: string }>();

/** The interpreter of that name; throws a Fault that names it when there is none. */
export async function resolveInterpreter(name: string, search: InterpreterSearch): Promise<Interpreter> {
  if (name === 'node') return { name, file: process.execPath, readOnly: [process.execPath] };
  const key = JSON.stringify([name, search.path, search.project, search.cacheFolder]);
  const known = remembered.get(key);
  if (known && known.stamp === stampOf(known.interpreter.file)) return known.interpreter;
  const interpreter = await findInterpreter(name, search);
  remembered.set(key, { interpreter, stamp: stampOf(interpreter.file) });
  return interpreter;
}

export interface ScriptCommand {
  readonly script: string;
  readonly args: readonly string[];
}

/** The full argument vector that runs a script; the user's own start-up files are not read. */
export function scriptCommand(interpreter: Interpreter, command: ScriptCommand): string[] {
  return [interpreter.file, ...flagsOf(interpreter.name), command.script, ...command.args];
}

/** The full argument vector that makes a shell read this text. */
export function shellCommand(bash: Interpreter, script: string): string[] {
  return [bash.file, ...flagsOf('bash'), '-c', '--', script];
}

export interface ModuleCommand {
  /** The folder in which the module is looked for first. */
  readonly folder: string;
  /** As behind `python -m`. */
  readonly module: string;
  readonly args: readonly string[];
}

/** The same as `python -m`, which would look for the module in the working folder. */
export function moduleCommand(python: Interpreter, { folder, module, args }: ModuleCommand): string[] {
  return [python.file, ...flagsOf('python'), '-c', RUN_MODULE, folder, module, ...args];
}

// Nothing is imported while the working folder, which the project fills, is searched first.
const RUN_MODULE =
  'import sys; del sys.path[0]; import runpy; sys.path.insert(0, sys.argv.pop(1)); sys.argv[0] = "-m"; runpy._run_module_as_main(sys.argv.pop(1))';

function flagsOf(name: string): readonly string[] {
  switch (name) {
    case 'python':
      // Another folder for compiled files would make Python compile its own library at every start, four times as slow.
      return ['-E', '-s', '-B', '-X', 'utf8', '--check-hash-based-pycs', 'always'];
    case 'bash':
      return ['--noprofile', '--norc', '-p'];
    case 'deno':
      return ['run', '--no-prompt', '--allow-all'];
    case 'pwsh':
      return ['-NoProfile', '-NonInteractive', '-File'];
    case 'rscript':
      return ['--vanilla'];
    case 'uv':
      return ['run', '--no-config', '--script'];
    default:
      return [];
  }
}

async function findInterpreter(name: string, search: InterpreterSearch): Promise<Interpreter> {
  const names = PROGRAMS[name] ?? [name];
  for (const candidate of findPrograms(names, search)) {
    const interpreter = await recall(name, candidate, search);
    if (interpreter && isUsable(interpreter.file, search.project)) return interpreter;
  }
  throw missingInterpreter(names[0] ?? name, HOMES[name]);
}

/** Where the program has another name than the interpreter. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = { python: ['python3', 'python'], rscript: ['Rscript'] };

const HOMES: Readonly<Record<string, string>> = {
  python: 'https://www.python.org',
  deno: 'https://deno.com',
  bun: 'https://bun.sh',
  ruby: 'https://www.ruby-lang.org',
  perl: 'https://www.perl.org',
  pwsh: 'https://learn.microsoft.com/powershell',
  rscript: 'https://cran.r-project.org',
  uv: 'https://docs.astral.sh/uv',
};

function missingInterpreter(program: string, home: string | undefined): Fault {
  const from = home === undefined ? '' : ` (${home})`;
  return new Fault(
    'RuntimeFailed',
    { en: `${program} is not installed, or only inside the project`, zh: `未安装 ${program}，或仅存在于项目目录内` },
    {
      details: { missing: program },
      hint: {
        en: `Nothing is installed for a skill. Install ${program}${from} so that it is on your PATH, outside the project.`,
        zh: `不会为技能安装任何内容。请自行安装 ${program}${from}，使其位于 PATH 中且在项目之外。`,
      },
    },
  );
}

// A shim runs whichever version is selected now, so that selection is part of the cache key.
async function recall(name: string, candidate: string, search: InterpreterSearch): Promise<Interpreter | undefined> {
  const question = QUESTIONS[name];
  if (!question) return { name, ...programAt(name, candidate) };
  const file = path.join(search.cacheFolder, 'interpreters.json');
  const answers = readAnswers(file);
  const stamp = `${stampOf(candidate)} ${stampOf(path.join(path.dirname(candidate), '..', 'version'))}`;
  const known = answers[candidate];
  if (known?.stamp === stamp && known.target === stampOf(known.file)) {
    return { name, file: known.file, readOnly: known.readOnly };
  }
  const { askInterpreter } = await import('./ask-interpreter.ts');
  const asked = await askInterpreter(candidate, question, search);
  if (asked) {
    makeFolder(search.cacheFolder);
    answers[candidate] = { ...asked, stamp, target: stampOf(asked.file) };
    writeFileAtomic(file, JSON.stringify(answers));
  }
  return asked && { name, ...asked };
}

interface Answer extends InterpreterPlace {
  readonly stamp: string;
  readonly target: string;
}

function readAnswers(file: string): Record<string, Answer> {
  const answers: Record<string, Answer> = Object.create(null);
  try {
    const stored = parseJson(readTextIfThere(file) ?? '{}');
    if (isRecord(stored)) for (const [key, value] of Object.entries(stored)) if (isAnswer(value)) answers[key] = value;
  } catch {
    // An unreadable cache counts as empty.
  }
  return answers;
}

function isAnswer(value: unknown): value is Answer {
  return (
    isRecord(value) &&
    [value.file, value.stamp, value.target].every((part) => typeof part === 'string') &&
    Array.isArray(value.readOnly) &&
    value.readOnly.every((part) => typeof part === 'string')
  );
}

// What each interpreter reports about itself: major version, program, then the folders it was installed under.
const QUESTIONS: Readonly<Record<string, InterpreterQuestion>> = {
  python: {
    args: [
      '-E',
      '-s',
      '-B',
      '-c',
      'import sys; print(sys.version_info[0], sys.executable, sys.prefix, sys.base_prefix, sep="\\n")',
    ],
    major: '3',
  },
  ruby: { args: ['-e', 'puts RUBY_VERSION.to_i, RbConfig.ruby, RbConfig::CONFIG["prefix"]'] },
  perl: { args: ['-MConfig', '-e', 'print join "\\n", 5, $^X, $Config{prefix}'] },
};

// A multi-call program is started by the name that was asked for.
function programAt(name: string, candidate: string): InterpreterPlace {
  const real = realPath(candidate) ?? candidate;
  const file = path.basename(real).startsWith(name) ? real : candidate;
  return { file, readOnly: isSystemFile(real) ? [] : [real] };
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}` : 'none';
}
