// A project with the worker's scripts, and tasks in it as a person gives them: each is a process of the command line.
import type { TestContext } from 'node:test';
import { type Answer, readAnswer } from './rule-support.ts';
import { type CliResult, runCli } from './support.ts';
import { openTaskProject } from './task-support.ts';

export interface TaskCli {
  readonly project: string;
  readonly home: string;
  /** A file of the project, by its path below it. */
  write(name: string, content: string): string;
  /** Any command, in the project. */
  cli(...words: string[]): Promise<CliResult>;
  /** A task that may run whatever it names; options of `task` behind the prompt. */
  ask(prompt: string, ...words: string[]): Promise<Answer>;
}

export function openTaskCli(t: TestContext): TaskCli {
  const { project, home, write } = openTaskProject(t);
  const cli = (...words: string[]) => runCli(words, { cwd: project, home });
  return {
    project,
    home,
    write,
    cli,
    ask: async (prompt, ...words) =>
      readAnswer(await cli('task', 'one small task', prompt, '--yes', '--json', ...words)),
  };
}
