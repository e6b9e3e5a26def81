// The two ways to start a script: by hand, with the interpreter and an environment as clean as the product's, and by `exec`.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runCli } from '../support.ts';
import { atTerminal } from '../terminal.ts';
import type { Ran, Step } from './case.ts';
import type { RealProject } from './project.ts';

const SECONDS = 30;

export type Way = (step: Step, project: RealProject, home: string) => Promise<Ran>;

/** What a person would type, standing in the project. */
export const byHand: Way = (step, project, home) => {
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const script = path.join(project.skillFolder, step.script);
  const program = interpreterOf(script);
  const words = [script, ...(step.args ?? [])];
  const child = spawn(program, words, {
    cwd: project.folder,
    timeout: SECONDS * 1000,
    detached: true,
    env: {
      PATH: `${path.dirname(python())}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: home,
      LANG: 'C.UTF-8',
      PWD: project.folder,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  const read = (stream: NodeJS.ReadableStream) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    return () => Buffer.concat(parts).toString();
  };
  const stdout = read(child.stdout);
  const stderr = read(child.stderr);
  child.on('error', ({ message }) => resolve({ code: 127, stdout: '', stderr: message }));
  child.on('close', (code) => {
    endGroup(child.pid);
    resolve({ code, stdout: stdout(), stderr: stderr() });
  });
  child.stdin.on('error', () => {});
  child.stdin.end(step.input ?? '');
  return promise;
};

/** What `exec` adds of its own is at the end: what was applied, after a script that failed with a list of it. */
const APPLIED = /(?:^ {2}[a-z]+ \S.*\n)*^applied \d+ changes?; `skillwright runs undo \S+` takes (?:it|them) back\n/m;

/** Which variables its code reads that nobody consented to, where the script failed. */
const NOT_GIVEN = /^Its code reads \S.*, which this call was not given: .*\n/gm;

/** Where it kept what the script left in a folder that goes with the call: nothing is lost. */
const KEPT = /^\S+ was not delivered: .*; a copy is kept with the run: \S+\n/gm;

/** That it did not see a file of the project, where the script failed. */
const HIDDEN = /^\S+ (?:is|are) hidden from skills\n/gm;

export const byExec: Way = async (step, project, home) => {
  const words = ['exec', project.skill, step.script, '--yes', '--apply', 'always', '--timeout', String(SECONDS)];
  const options = { cwd: project.folder, home, input: step.input ?? '' };
  const ran = await runCli([...words, '--', ...(step.args ?? [])], options);
  return {
    ...ran,
    stderr: ran.stderr.replace(APPLIED, '').replace(HIDDEN, '').replace(KEPT, '').replace(NOT_GIVEN, ''),
  };
};

/** As the note says that a call leaves which wrote under home. */
export async function keepHome({ folder, skill }: RealProject, home: string): Promise<void> {
  const { code, stderr } = await runCli(['grants', 'add', skill, '--home', '--yes'], { cwd: folder, home });
  assert.equal(code, 0, stderr);
}

const GUARDED = 'as soon as it is in the project. Apply it?';
/** What waits, and the command that applies it. */
const WAITING = /(?:^ {2}\S.*\n)*^\d+ waiting, .*\n/m;

/** The same, and then a person says yes to what other tools obey. */
export const byPerson: Way = async (step, project, home) => {
  const ran = await byExec(step, project, home);
  if (ran.code !== 4) return ran;
  const { code } = await atTerminal(['runs', 'apply', 'latest'], {
    cwd: project.folder,
    home,
    until: GUARDED,
    type: 'y\n',
  });
  return { ...ran, code, stderr: ran.stderr.replace(WAITING, '') };
};

/** Servers that a script leaves behind would answer the next case. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // There is nobody left.
  }
}

function interpreterOf(script: string): string {
  if (readFileSync(script, 'utf8').startsWith('#!/usr/bin/env bun')) return 'bun';
  switch (path.extname(script)) {
    case '.py':
      return python();
    case '.sh':
      return 'bash';
    default:
      return process.execPath;
  }
}

let known: string | undefined;

/** Python itself, as `exec` starts it, and not the shim of a version manager. */
function python(): string {
  known ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  return known;
}
