// Asks git questions: arguments only, no shell, and nothing the repository's own settings could make it run.
import { spawnSync } from 'node:child_process';
import { standInFolder } from './git-folder.mjs';

const SETTINGS = [
  // The caller chose this folder; it may belong to another user inside a sandbox.
  'safe.directory=*',
  'core.fsmonitor=false',
  'log.showSignature=false',
  'i18n.logOutputEncoding=UTF-8',
];
const MAX_OUTPUT = 64 * 1024 * 1024;

/** What git printed, or undefined when it answered with an error. */
export function askGit(...args) {
  const done = spawnSync('git', ['--no-pager', ...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment(),
  });
  if (done.error?.code === 'ENOENT') throw new Error('git is not installed');
  if (done.error) throw done.error;
  return done.status === 0 ? done.stdout.trimEnd() : undefined;
}

/** The full hash of the commit a person named, or undefined. */
export function findCommit(name) {
  if (name.startsWith('-')) return undefined;
  return askGit('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
}

function cleanEnvironment() {
  const { PATH, HOME, TMPDIR } = process.env;
  const standIn = standInFolder();
  return {
    ...(standIn !== undefined && { GIT_DIR: standIn }),
    ...(PATH !== undefined && { PATH }),
    ...(HOME !== undefined && { HOME }),
    ...(TMPDIR !== undefined && { TMPDIR }),
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
  };
}
