// Programs of somebody who has the packed package and nothing else: compiled strictly, and run as they stand.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Installed, run } from '../package-support.ts';
import { repository } from '../support.ts';

export interface Program {
  /** The first line it prints. */
  readonly line: Promise<string>;
  readonly ended: Promise<Ended>;
  stop(): void;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Another one than ours, with the words that make it run a file: another version of Node, or `deno run -A`. */
const RUNTIME = process.env.SKILLWRIGHT_RUNTIME?.split(' ') ?? [];

interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What a person types. */
  readonly typed?: string;
}

/**
 * With a lib that has no browser in it, and every option that finds more; without a cast and other ways round.
 * `foreign`: with types of a framework, which do not hold by themselves.
 */
export async function compileStrictly(
  files: readonly string[],
  { project }: Installed,
  types: 'own' | 'foreign' = 'own',
): Promise<void> {
  for (const file of files) {
    const code = readFileSync(path.join(project, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    assert.doesNotMatch(code, /\bas (?!it\b|const\b)|[:<] ?any\b|@ts-|!\./, file);
  }
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2024', lib: ['es2024', 'esnext.disposable'], module: 'nodenext' },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: ['node'] },
    skipLibCheck: types === 'foreign',
    typeRoots: [path.join(repository, 'node_modules', '@types')],
  };
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  await run([process.execPath, tsc, '-p', 'tsconfig.json'], project);
}

export function startProgram(file: string, { project, home }: Installed, start: Start = {}): Program {
  const env = { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...start.env };
  const [runtime = process.execPath, ...words] = RUNTIME;
  const child = spawn(runtime, [...words, file, ...(start.args ?? [])], { cwd: project, env });
  child.stdin.end(start.typed ?? '');
  const { promise: line, resolve: sayLine } = Promise.withResolvers<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<Ended>();
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part) => {
    stdout += part;
    if (stdout.includes('\n')) sayLine(stdout.slice(0, stdout.indexOf('\n')));
  });
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  child.on('close', (code, signal) => {
    // Nobody waits for a line of a program that has ended.
    sayLine(stdout);
    end({ code, signal, stdout, stderr });
  });
  return { line, ended, stop: () => void child.kill('SIGTERM') };
}
