// The project of a case: made anew at one and the same path for each way of running it, and read when it is over.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { removeTree } from '../../../src/base/files.ts';
import type { RealCase } from './case.ts';

export interface RealProject {
  readonly folder: string;
  /** The name the skill has for `exec`. */
  readonly skill: string;
  /** Where its copy lies. */
  readonly skillFolder: string;
}

/** By path: mode and content, or where a link leads. */
export type Tree = ReadonlyMap<string, { readonly mode: string; readonly content: Buffer }>;

/** Every file is equally old: scripts that tell or pack times do not see which run they belong to. */
const LONG_AGO = new Date('2026-01-02T03:04:06Z');

export function makeProject(folder: string, root: string, wanted: Omit<RealCase, 'name' | 'steps'>): RealProject {
  removeTree(folder);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(wanted.files ?? {})) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  if (wanted.git) commitAll(folder);
  const from = path.join(root, wanted.skill);
  const skill = nameOf(from);
  const skillFolder = path.join(folder, '.agent', 'skills', skill);
  cpSync(from, skillFolder, { recursive: true, verbatimSymlinks: true });
  if (!existsSync(path.join(skillFolder, 'SKILL.md'))) {
    writeFileSync(path.join(skillFolder, 'SKILL.md'), `---\nname: ${skill}\ndescription: Scripts to try.\n---\n`);
  }
  age(folder);
  return { folder, skill, skillFolder };
}

/** Compiled Python, the inside of .git and the product's own records are no results. */
const NO_RESULT = /(^|\/)(__pycache__|\.git|\.agent\/(?!skills(\/|$))[^/]+)(\/|$)/;

export function readTree(folder: string): Tree {
  const found = new Map<string, { mode: string; content: Buffer }>();
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const entry of entries.filter((it) => !NO_RESULT.test(it))) {
    const file = path.join(folder, entry);
    const stat = lstatSync(file);
    const content = stat.isFile()
      ? readFileSync(file)
      : Buffer.from(stat.isSymbolicLink() ? `-> ${readlinkSync(file)}` : '');
    found.set(entry, { mode: stat.mode.toString(8), content });
  }
  return found;
}

function nameOf(from: string): string {
  const text = path.join(from, 'SKILL.md');
  const named = existsSync(text) ? /^name:\s*["']?([\w-]+)/m.exec(readFileSync(text, 'utf8'))?.[1] : undefined;
  return named ?? path.basename(from);
}

function commitAll(folder: string): void {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  const date = LONG_AGO.toISOString();
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...who, 'commit', '-q', '-m', 'first'],
  ]) {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync('git', words, { cwd: folder, env });
  }
}

function age(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) age(file);
    if (!entry.isSymbolicLink()) utimesSync(file, LONG_AGO, LONG_AGO);
  }
}
