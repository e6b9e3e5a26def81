// What tests of environments share: a project with one skill, a home whose settings name the test's own index, and its record.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { makeWorld, plant, type World } from '../agent-support.ts';
import type { Change } from '../changed/change.ts';
import { type CliResult, runCli } from '../support.ts';
import { type IndexContent, type PackageIndex, serveIndex } from './package-index.ts';

export interface EnvironmentDesk extends World {
  readonly index: PackageIndex;
  run(
    words: readonly string[],
    options?: {
      readonly change?: readonly Change[];
      readonly home?: string;
      readonly env?: Readonly<Record<string, string>>;
    },
  ): Promise<CliResult>;
  /** The parsed answer of a command that is asked for JSON. */
  ask(words: readonly string[], options?: { readonly home?: string }): Promise<Told>;
  /** What the script printed. */
  exec(script: string, ...args: string[]): Promise<string>;
}

export interface Told {
  readonly code: number | null;
  readonly state: string;
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Files of the skill `uses`, by their path in it. */
export type SkillFiles = Readonly<Record<string, string>>;

export async function openEnvironmentDesk(
  t: TestContext,
  files: SkillFiles,
  content: IndexContent = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<EnvironmentDesk> {
  const index = await serveIndex(t, content);
  const world = makeWorld(t, skillOf('uses', files));
  plant(world.home, { '.agent/config.json': index.settings(settings) });
  const run: EnvironmentDesk['run'] = (words, { change, env, home = world.home } = {}) =>
    runCli(words, { cwd: world.project, home, ...(change && { change }), ...(env && { env }) });
  const ask: EnvironmentDesk['ask'] = async (words, options) => toldBy(await run([...words, '--json'], options));
  const exec: EnvironmentDesk['exec'] = async (script, ...args) => {
    const { stdout, stderr } = await run(['exec', 'uses', script, '--yes', '--', ...args]);
    return stdout + stderr;
  };
  return { ...world, index, run, ask, exec };
}

export function skillOf(name: string, files: SkillFiles): Record<string, string> {
  const own = `.agent/skills/${name}`;
  const text = `---\nname: ${name}\ndescription: Uses packages.\n---\n# ${name}\n`;
  const planted = Object.entries(files).map(([file, content]) => [`${own}/${file}`, content]);
  return { [`${own}/SKILL.md`]: text, ...Object.fromEntries(planted) };
}

export function toldBy({ code, stdout, stderr }: CliResult): Told {
  if (stdout === '') throw new Error(stderr);
  return { code, ...JSON.parse(stdout) };
}

/** A second home of the same user's machine, with the same settings. */
export function anotherHome({ home }: EnvironmentDesk): string {
  const other = `${home}-2`;
  mkdirSync(path.join(other, '.agent'), { recursive: true });
  writeFileSync(path.join(other, '.agent/config.json'), readFileSync(path.join(home, '.agent/config.json')));
  return other;
}

export interface WrittenLock {
  readonly environments: readonly {
    readonly hash: string;
    readonly ecosystem: string;
    readonly trees: Readonly<Record<string, string>>;
    readonly packages: readonly {
      readonly name: string;
      readonly version: string;
      readonly hashes: readonly string[];
    }[];
  }[];
}

export function lockOf({ project }: Pick<World, 'project'>): WrittenLock {
  return JSON.parse(readFileSync(path.join(project, '.agent/environments.lock.json'), 'utf8'));
}

/** Every host that a call of a recorded run tried, as `host:port verdict`. */
export function attemptsIn({ project }: Pick<World, 'project'>): string[] {
  const runs = path.join(project, '.agent/runs');
  const files = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
  const lines = files.flatMap((name) => readFileSync(path.join(runs, name), 'utf8').split('\n'));
  return lines
    .filter((line) => line.includes('"network"'))
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'network')
    .map(({ host, port, verdict }) => `${host}:${port} ${verdict}`);
}

export function storedIn(home: string): string[] {
  try {
    return readdirSync(path.join(home, '.agent/environments')).filter((name) => /^[0-9a-f]{64}$/.test(name));
  } catch {
    return [];
  }
}
