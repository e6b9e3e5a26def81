// A project with a repository and one skill whose script does what its first argument says: for commits made in a layer.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { home, makeProject, skillFiles } from '../door-support.ts';
import { readAnswer } from '../rule-support.ts';
import { type CliOptions, runCli } from '../support.ts';

const AS_PERSON = ['-c', 'user.name=Person', '-c', 'user.email=person@example.org'];
/** What a script says before it uses git: the settings of the person are not shown to it. */
export const AS_SKILL =
  'export GIT_AUTHOR_NAME=Skill GIT_AUTHOR_EMAIL=s@example.org GIT_COMMITTER_NAME=Skill GIT_COMMITTER_EMAIL=s@example.org';

export interface ToldCommits {
  readonly taken: boolean;
  readonly refused?: string;
  readonly branch: string;
  readonly head: string;
  readonly count: number;
  readonly subjects: string[];
  readonly guarded: { path: string }[];
  readonly branches: { branch: string; of: string | null; head: string }[];
  readonly not_taken: string[];
}

/** With one commit; the skill is not part of it. `init`: options for `git init`. */
export function makeRepository(t: TestContext, ...init: readonly string[]) {
  const files = { 'a.txt': 'a\n' };
  const skill = skillFiles('does', 'name: does\ndescription: Does it.', { 'scripts/do.sh': 'eval "$1"\n' });
  const cwd = makeProject(t, { ...skill, ...files });
  const git = (...words: string[]) =>
    execFileSync('git', [...AS_PERSON, ...words], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  git('init', '-q', '-b', 'main', ...init);
  git('add', '--', ...Object.keys(files));
  git('commit', '-qm', 'first');
  const options = { cwd, home };
  const sw = (...args: string[]) => runCli(args, options);
  const exec = async (code: string, words: readonly string[] = ['--yes'], more: Partial<CliOptions> = {}) => {
    const all = ['exec', 'does', 'scripts/do.sh', ...words, '--json', '--', `set -e; ${AS_SKILL}; ${code}`];
    const answer = readAnswer(await runCli(all, { ...options, ...more }));
    return { ...answer, commits: answer.data.commits as ToldCommits | undefined };
  };
  /** Everything of the person's that a run must not touch. */
  const own = () => ({
    head: readFileSync(path.join(cwd, '.git/HEAD'), 'utf8'),
    main: git('rev-parse', 'main'),
    index: readFileSync(path.join(cwd, '.git/index')).toString('base64'),
    config: readFileSync(path.join(cwd, '.git/config'), 'utf8'),
  });
  const has = (name: string) => existsSync(path.join(cwd, name));
  const branches = () =>
    git('for-each-ref', '--format=%(refname)', 'refs/')
      .split('\n')
      .filter((name) => name !== 'refs/heads/main');
  return { cwd, git, sw, exec, own, has, branches };
}
