// What this machine offers a sandbox: its architecture, its user, and the programs it may trust.
import { lstatSync, statSync } from 'node:fs';
import { realPath } from '../../base/paths.ts';
import type { Architecture } from './linux/seccomp-table.ts';

/** What can be hidden, so that a lower tier is met on a machine that has a higher one. */
export type Ingredient = 'bubblewrap' | 'userns' | 'landlock' | 'perl' | 'cgroup';

/** The process this code runs in decides: there is no host here that is asked over a wire. */
export interface Host {
  readonly platform: NodeJS.Platform;
  readonly architecture?: Architecture;
  readonly uid: number;
  readonly gid: number;
  readonly perl?: string;
  readonly bubblewrap?: string;
  /** Starts a program in the namespaces of another process. */
  readonly nsenter?: string;
}

// Never from PATH or the working folder: a planted program would run outside of everything.
const TRUSTED_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin'];

export function describeHost(without: readonly Ingredient[] = []): Host {
  const architecture = architectureOf(process.arch);
  const perl = without.includes('perl') ? undefined : findTrusted('perl');
  const bubblewrap = without.includes('bubblewrap') ? undefined : findTrusted('bwrap');
  const nsenter = findTrusted('nsenter');
  return {
    platform: process.platform,
    uid: process.geteuid?.() ?? -1,
    gid: process.getegid?.() ?? -1,
    ...(architecture && { architecture }),
    ...(perl && { perl }),
    ...(bubblewrap && { bubblewrap }),
    ...(nsenter && { nsenter }),
  };
}

export function architectureOf(name: string): Architecture | undefined {
  if (name === 'x64') return 'x86_64';
  return name === 'arm64' ? 'arm64' : undefined;
}

/** The real path of a program only the administrator can have put there. */
export function findTrusted(name: string, folders: readonly string[] = TRUSTED_FOLDERS, owner = 0): string | undefined {
  for (const folder of folders) {
    const file = realPath(`${folder}/${name}`);
    if (file && isTrusted(file, owner)) return file;
  }
  return undefined;
}

function isTrusted(file: string, owner: number): boolean {
  const entry = lstatSync(file);
  if (!entry.isFile() || entry.uid !== owner || (entry.mode & 0o022) !== 0 || (entry.mode & 0o111) === 0) return false;
  const folder = statSync(file.slice(0, file.lastIndexOf('/')) || '/');
  return folder.uid === owner && (folder.mode & 0o022) === 0;
}
