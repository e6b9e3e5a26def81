// What tests of installing share: skills on disk, places in random folders, trees as text, real repositories.
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { sha256 } from '../../src/base/ids.ts';
import type { InstallOptions } from '../../src/distribution/candidate.ts';
import { type InstallPlaces, prepareInstall } from '../../src/distribution/install.ts';
import type { JudgedSkill } from '../../src/distribution/judge.ts';
import { rewriteLock } from '../../src/distribution/lock.ts';
import { findPlace, type InstallPlace } from '../../src/distribution/place.ts';
import type { Offer } from '../../src/distribution/source/offer.ts';
import { discover } from '../../src/registry/discover.ts';
import { findRoots } from '../../src/registry/roots.ts';
import { digestSkill } from '../../src/skill/digest.ts';
import { temporaryFolder } from './support.ts';

export interface Ground {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly place: InstallPlace;
  places(): InstallPlaces;
}

/** A project and a home with nothing in them. */
export function makeGround(t: TestContext, scope: 'project' | 'user' = 'project'): Ground {
  const folder = temporaryFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(path.join(project, '.agent'), { recursive: true });
  mkdirSync(home);
  const roots = findRoots({ project, home, builtin: path.join(folder, 'builtin'), config: {} });
  const place = findPlace({ project, home, roots }, scope);
  return {
    folder,
    project,
    home,
    place,
    places: () => ({
      place,
      home,
      clock: { now: () => Date.now() },
      ...(scope === 'project' && { base: project }),
      known: discover(roots, { blockAngleBrackets: true }).skills,
      blockAngleBrackets: true,
      trashDays: 30,
    }),
  };
}

export function install(
  ground: Ground,
  offers: readonly Offer[],
  options: InstallOptions = {},
  prepare = prepareInstall,
): JudgedSkill[] {
  const prepared = prepare(offers, ground.places(), options);
  try {
    return prepared.commit();
  } finally {
    prepared.discard();
  }
}

export interface SkillText {
  readonly name: string;
  readonly version?: string;
  /** More lines of frontmatter. */
  readonly fields?: readonly string[];
  readonly body?: string;
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

export function skillText({ name, version, fields = [], body = 'Say hello.' }: SkillText): string {
  const lines = [
    `name: ${name}`,
    `description: Does what ${name} does.`,
    ...(version ? [`version: ${version}`] : []),
    ...fields,
  ];
  return `---\n${lines.join('\n')}\n---\n# ${name}\n\n${body}\n`;
}

export function writeSkill(parent: string, skill: SkillText): string {
  const folder = path.join(parent, skill.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), skillText(skill));
  for (const [name, content] of Object.entries(skill.files ?? {})) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (name.endsWith('.sh')) chmodSync(file, 0o755);
  }
  return folder;
}

/** Every path with its kind, mode and content: two equal texts are two equal trees. */
export function treeOf(folder: string): string {
  const lines: string[] = [];
  const walk = (inside: string) => {
    const file = path.join(folder, inside);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return;
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) lines.push(`${inside} -> ${readlinkSync(file)}`);
    else if (stats.isFile()) lines.push(`${inside} ${mode} ${sha256(readFileSync(file))}`);
    else {
      lines.push(`${inside}/ ${mode}`);
      for (const name of readdirSync(file).sort()) walk(path.join(inside, name));
    }
  };
  walk('.');
  return lines.join('\n');
}

/** git as a person uses it, with no settings of this machine. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** A lock that holds this skill of a project as it is now, as `install` leaves it. */
export function lockSkill(project: string, name: string): void {
  const source = { kind: 'folder' as const, location: `./${name}` };
  const digest = digestSkill(path.join(project, '.agent', 'skills', name));
  const locked = { name, folder: name, source, installed: '2026-01-01T00:00:00Z', ...digest };
  rewriteLock(path.join(project, '.agent', 'skills.lock.json'), [locked]);
}
