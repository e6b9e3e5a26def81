// A project made of the examples of one seed, and the command line in it.
import { cpSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { home, makeProject } from './door-support.ts';
import { type Answer, readAnswer } from './rule-support.ts';
import { type CliOptions, type CliResult, repository, runCli } from './support.ts';

type More = Pick<CliOptions, 'env' | 'input'>;

export interface SeedProject {
  readonly project: string;
  /** Any command, as a person reads its answer. */
  run(words: readonly string[], more?: More): Promise<CliResult>;
  /** A command that is answered yes, as a program reads its answer; what it printed on stderr beside it. */
  ask(words: readonly string[], more?: More): Promise<Answer & { readonly stderr: string }>;
}

/** The examples of a seed lie in test/fixtures/seed, as the project that the seed describes. */
export function openSeed(t: TestContext, seed: string): SeedProject {
  const project = makeProject(t, {});
  cpSync(path.join(repository, 'test', 'fixtures', 'seed', seed), project, { recursive: true });
  return openCommandLine(project);
}

export function openCommandLine(project: string): SeedProject {
  const run = (words: readonly string[], more: More = {}) => runCli(words, { cwd: project, home, ...more });
  return {
    project,
    run,
    ask: async (words, more) => {
      const result = await run([...words, '--yes', '--json'], more);
      return { ...readAnswer(result), stderr: result.stderr };
    },
  };
}

/** What the skill itself answered. */
export function responseIn({ data, summary }: Answer): Record<string, unknown> {
  if (typeof data.response !== 'object' || data.response === null) throw new Error(summary);
  return data.response as Record<string, unknown>;
}
