// Facts of Python sources by Python's own parser, in a process that parses and runs nothing of them.
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { resolveInterpreter } from '../../process/interpreter.ts';
import { plainLaunch } from '../../process/plain-launch.ts';
import { runProcess } from '../../process/run.ts';
import type { CodeFacts } from '../../skill/need/code-facts.ts';
import type { Runtime } from '../runtime.ts';

const PROGRAM = assetPath('skill/need/python-facts.py');
const TIMEOUT_MS = 10_000;
const OUTPUT_LIMIT = 32 * 1024 * 1024;
/** Neither its settings nor those of a user or folder are read, and nothing is imported but Python's own library. */
const FLAGS = ['-I', '-S', '-B', '-X', 'utf8', '-W', 'ignore'];

/** One entry per text, undefined where Python cannot tell: it is not here, or cannot parse it. */
export async function pythonFacts(texts: readonly string[], runtime: Runtime): Promise<(CodeFacts | undefined)[]> {
  if (texts.length === 0) return [];
  try {
    const python = await findPython(runtime);
    const launch = plainLaunch({ file: python, args: [...FLAGS, PROGRAM], env: { LC_ALL: 'C.UTF-8' }, cwd: '/' });
    const stdin = texts.map((text) => `${JSON.stringify(text)}\n`).join('');
    const { stdout } = await runProcess(launch, { timeoutMs: TIMEOUT_MS, stdin, outputLimit: OUTPUT_LIMIT });
    const lines = Buffer.from(stdout).toString('utf8').split('\n');
    return texts.map((_, at) => readFacts(lines[at] ?? ''));
  } catch {
    // Patterns read it as well, if less well.
    return texts.map(() => undefined);
  }
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
