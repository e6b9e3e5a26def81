// Facts of Python sources by Python's own parser, in a process that parses and runs nothing of them; and other questions to that Python.
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { isRecord, isTextList, jsonIfValid, parseJson } from '../../base/json.ts';
import { resolveInterpreter } from '../../process/interpreter.ts';
import { plainLaunch } from '../../process/plain-launch.ts';
import { runProcess } from '../../process/run.ts';
import type { CodeFacts } from '../../skill/need/code-facts.ts';
import type { Runtime } from '../runtime.ts';

const PROGRAM = assetPath('skill/need/python-facts.py');
const TIMEOUT_MS = 10_000;
const OUTPUT_LIMIT = 32 * 1024 * 1024;
/** Neither its settings nor those of a user or folder are read; with `-S` nothing is imported but Python's own library. */
const FLAGS = ['-I', '-B', '-X', 'utf8', '-W', 'ignore'];

export interface PythonFacts {
  /** One for each text, undefined where Python cannot tell: it is not here, or cannot parse it. */
  readonly facts: readonly (CodeFacts | undefined)[];
  /** Names of its standard library; undefined where it does not say. */
  readonly standard?: ReadonlySet<string>;
}

export async function pythonFacts(texts: readonly string[], runtime: Runtime): Promise<PythonFacts> {
  if (texts.length === 0) return { facts: [] };
  try {
    const stdin = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
    const lines = await askPython(['-S', PROGRAM], stdin, runtime);
    const standard = jsonIfValid(lines[texts.length] ?? '');
    return {
      facts: texts.map((_, at) => readFacts(lines[at] ?? '')),
      ...(isTextList(standard) && standard.length > 0 && { standard: new Set(standard) }),
    };
  } catch {
    // Patterns read it as well, if less well.
    return { facts: texts.map(() => undefined) };
  }
}

/** The lines that a program of our own answers. Throws where there is no Python. */
export async function askPython(args: readonly string[], stdin: string, runtime: Runtime): Promise<string[]> {
  const python = await findPython(runtime);
  const launch = plainLaunch({ file: python, args: [...FLAGS, ...args], env: { LC_ALL: 'C.UTF-8' }, cwd: '/' });
  const { stdout } = await runProcess(launch, { timeoutMs: TIMEOUT_MS, stdin, outputLimit: OUTPUT_LIMIT });
  return Buffer.from(stdout).toString('utf8').split('\n');
}

async function findPython({ env, home, project }: Runtime): Promise<string> {
  const cacheFolder = path.join(home, '.agent', 'cache', 'process');
  const search = { path: env.PATH ?? '', home, project, cacheFolder };
  return (await resolveInterpreter('python', search)).file;
}

function readFacts(line: string): CodeFacts | undefined {
  try {
    const value = parseJson(line);
    return isFacts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFacts(value: unknown): value is CodeFacts & Record<string, unknown> {
  const lists = ['imports', 'strings', 'calls', 'words', 'assigns', 'functions'];
  return isRecord(value) && lists.every((name) => Array.isArray(value[name]));
}
