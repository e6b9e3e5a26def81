// A walk through a document skill as its SKILL.md says: scripts, edits and commands in turn, by hand and by a run.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { answer, select, tool } from '../agent-support.ts';

export interface Walk {
  readonly name: string;
  /** Below the root of public repositories. */
  readonly skill: string;
  /** Python that makes what a person has in the project before. */
  readonly make: string;
  /** What this machine must have. */
  readonly needs: readonly string[];
  readonly steps: readonly WalkStep[];
  /** What is new or another file when it is over. */
  readonly results: readonly string[];
  /** Throws where a result is not what was wanted. */
  check(project: string): void;
}

export type WalkStep =
  | { readonly script: string; readonly args: readonly string[] }
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly old: string; readonly now: string }
  | { readonly argv: readonly string[] };

/** Debian's own Python, with Debian's packages. */
export const SYSTEM_PATH = '/usr/bin:/bin';

/** Why this machine cannot take that walk, by hand or otherwise. */
export function lackOf({ needs }: Walk): string | undefined {
  return needs.find((one) => {
    const [program = '', ...words] = one.startsWith('python:')
      ? ['python3', '-c', `import ${one.slice('python:'.length)}`]
      : ['which', one];
    try {
      execFileSync(program, words, { env: { PATH: SYSTEM_PATH }, stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}

export function makeWalkProject(walk: Walk, root: string, project: string): void {
  mkdirSync(project, { recursive: true });
  const skill = path.join(project, '.agent/skills', nameOf(walk));
  cpSync(path.join(root, walk.skill), skill, { recursive: true, verbatimSymlinks: true });
  execFileSync('python3', ['-c', walk.make], { cwd: project, env: environmentIn(project) });
}

export function byHand(walk: Walk, project: string): void {
  for (const step of walk.steps) {
    if ('write' in step) writeFileSync(path.join(project, step.write), step.content);
    else if ('edit' in step) replaceOnce(path.join(project, step.edit), step);
    else {
      const script = 'script' in step ? path.join(project, '.agent/skills', nameOf(walk), step.script) : '';
      const [program = '', ...words] = 'script' in step ? ['python3', script, ...step.args] : step.argv;
      execFileSync(program, words, { cwd: project, env: environmentIn(project), stdio: 'pipe' });
    }
  }
}

/** What a model answers so that the same is done. */
export function answersOf(walk: Walk): object[] {
  const skill = nameOf(walk);
  const steps = walk.steps.map((step) => {
    if ('write' in step) return tool('write_file', { path: step.write, content: step.content });
    if ('edit' in step)
      return tool('write_file', { path: step.edit, edits: [{ op: 'replace', old: step.old, new: step.now }] });
    if ('argv' in step) return tool('run_command', { argv: step.argv });
    return { action: { type: 'run_script', skill, relative_path: step.script, args: step.args } };
  });
  return [select(skill), ...steps, answer('done')];
}

function nameOf({ skill }: Walk): string {
  return path.basename(skill);
}

function replaceOnce(file: string, { old, now }: { readonly old: string; readonly now: string }): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(old, now));
}

function environmentIn(project: string): Record<string, string> {
  const home = path.join(path.dirname(project), 'hand-home');
  mkdirSync(home, { recursive: true });
  return { PATH: SYSTEM_PATH, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
}
