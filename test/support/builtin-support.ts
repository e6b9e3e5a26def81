// What the tests of the built-in skills share: where they are, and how their scripts are started.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from './support.ts';

export const skills = path.join(repository, 'skills');
export const NAMES = ['build-analysis', 'csv-insights', 'git-changelog', 'markdown-converter', 'skill-author'];

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a script of a skill the way its interpreter is started for a call: no shell, a clean environment. */
export function runScript(script: string, args: readonly string[], cwd: string, input = ''): Ran {
  const isPython = script.endsWith('.py');
  const program = isPython ? 'python3' : process.execPath;
  const flags = isPython ? ['-E', '-s', '-B'] : [];
  const { status, stdout, stderr } = spawnSync(program, [...flags, path.join(skills, script), ...args], {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, TMPDIR: cwd, LANG: 'C.UTF-8' },
  });
  return { code: status, stdout, stderr };
}

export interface Answer {
  readonly success: boolean;
  readonly action?: string;
  // The data are what is under test, so each test checks their shape itself.
  readonly data: ReturnType<typeof JSON.parse>;
  readonly error?: { readonly code: string; readonly message: string };
}

export function callScript(script: string, action: string, params: unknown, cwd: string): Answer {
  return JSON.parse(runScript(script, [], cwd, JSON.stringify({ action, params })).stdout);
}

/** A module of a skill; they are plain JavaScript, so the caller says what it expects. */
export async function importScript<Module>(script: string): Promise<Module> {
  return (await import(pathToFileURL(path.join(skills, script)).href)) as Module;
}
