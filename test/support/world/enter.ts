// A project in a world of its own: the command line as a process, at one tier, as root or as an ordinary user.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import type { Change } from '../changed/changed-source.ts';
import { type Files, writeFiles } from '../door-support.ts';
import { type CliResult, repository, runCli, temporaryFolder } from '../support.ts';
import { isReadableByAll, missing, ORDINARY_USER } from './sandbox-support.ts';
import { type World, type WorldTier, whyUnreachable, worldWords } from './world.ts';

export interface NamedWorld extends World {
  readonly title: string;
}

export interface EnteredProject {
  readonly project: string;
  run(words: readonly string[], changes?: readonly Change[]): Promise<CliResult>;
}

const isRoot = process.geteuid?.() === 0;

/** Every tier this machine could have, for everybody we can be. */
export function worldsHere(): NamedWorld[] {
  // Only root can hide bubblewrap from itself and from others.
  const tiers: readonly WorldTier[] = isRoot || !findTrusted('bwrap') ? ['S3', 'S2', 'S1'] : ['S3', 'S1'];
  const users = isRoot ? [undefined, ORDINARY_USER] : [undefined];
  return tiers.flatMap((tier) =>
    users.map((user) => {
      const who = isRoot && user === undefined ? 'root' : 'an ordinary user';
      return { tier, title: `${tier} as ${who}`, ...(user !== undefined && { user }) };
    }),
  );
}

/** Undefined after saying why this machine cannot show that world. */
export function enterWorld(
  t: TestContext,
  world: World,
  files: Files,
  /** Words in front of all others: where that machine stands. */
  before: (folder: string) => readonly string[] = () => [],
): EnteredProject | undefined {
  const why = whyUnreachable(world);
  if (why) return missing(t, why);
  if (world.user !== undefined && !isReadableByAll(repository)) return missing(t, 'others may not read this clone');
  const place = temporaryFolder(t);
  const [project, home] = [path.join(place, 'project'), path.join(place, 'home')];
  for (const folder of [path.join(project, '.agent'), home]) mkdirSync(folder, { recursive: true });
  writeFiles(project, files);
  chmodSync(place, 0o755);
  if (world.user !== undefined) give(place, world.user);
  const run = async (words: readonly string[], changes?: readonly Change[]) => {
    const through = [...before(project), ...worldWords(world)];
    return runCli(words, { cwd: project, home, through, ...(changes && { change: changes }) });
  };
  return { project, run };
}

/** What a script of the project printed, at the tier that is meant. */
export async function execIn(
  { run }: EnteredProject,
  { tier }: World,
  [skill, script, ...args]: readonly [string, string, ...string[]],
  changes: readonly Change[] = [],
): Promise<string> {
  const words = ['exec', skill, script, '--yes', '--json', '--', ...args];
  const { stdout, stderr } = await run(words, changes);
  assert.ok(stdout, stderr);
  const { data } = JSON.parse(stdout);
  assert.equal(data.sandbox?.tier, tier, stdout);
  assert.equal(typeof data.stdout, 'string', stdout);
  return `${data.stdout}${data.stderr}`;
}

function give(folder: string, user: number): void {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  for (const entry of [folder, ...entries]) if (!lstatSync(entry).isSymbolicLink()) chownSync(entry, user, user);
}
