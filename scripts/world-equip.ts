// Brings what the stronger tests need onto a machine that may be changed: as root, where there is apt-get.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A program that is there when its package is. */
const PACKAGES: Record<string, string> = {
  bwrap: 'bubblewrap',
  zsh: 'zsh',
  fish: 'fish',
  chromium: 'chromium',
  'redis-server': 'redis-server',
  strace: 'strace',
  'ssh-keygen': 'openssh-client',
  git: 'git',
  python3: 'python3',
  pip3: 'python3-pip',
  cc: 'gcc',
};

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/usr/local/bin'];

/** What could not be brought, each with the reason; empty when everything is there. */
export function equip(root: string): string[] {
  return [...installPackages(), ...installPeers(path.join(root, 'bench'))];
}

function installPackages(): string[] {
  const missing = missingPackages();
  if (missing.length === 0) return [];
  if (process.geteuid?.() !== 0) return [`${missing.join(', ')}: only root can install packages`];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
  for (const words of [['update', '-qq'], install]) {
    const { status, error, stderr } = spawnSync('apt-get', words, {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const why = error?.message ?? stderr.trim().split('\n').at(-1);
    if (status !== 0) return [`${missingPackages().join(', ')}: apt-get ${words[0]} failed: ${why}`];
  }
  return [];
}

function missingPackages(): string[] {
  const isThere = (program: string) => FOLDERS.some((folder) => existsSync(path.join(folder, program)));
  return Object.entries(PACKAGES).flatMap(([program, name]) => (isThere(program) ? [] : [name]));
}

/** The tools we are compared with. */
function installPeers(folder: string): string[] {
  if (existsSync(path.join(folder, 'node_modules'))) return [];
  // Not `npm ci`: it refuses a lock file that leaves out optional packages of other platforms.
  const { status } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  return status === 0 ? [] : ['the packages of bench/: npm install failed'];
}
