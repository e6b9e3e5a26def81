// Where this process may make cgroups of its own: the place below which a call gets one, with memory and tasks bounded.
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Folders in which a cgroup is made for each call; one folder where both are bounded by the same hierarchy. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  readonly memory?: string;
  readonly tasks?: string;
}

export interface Cgroups {
  /** The texts of /proc/self/cgroup and /proc/self/mountinfo. */
  readonly own: string;
  readonly mounts: string;
}

export function readCgroups(): Cgroups | undefined {
  try {
    return {
      own: readFileSync('/proc/self/cgroup', 'utf8'),
      mounts: readFileSync('/proc/self/mountinfo', 'utf8'),
    };
  } catch {
    return undefined;
  }
}

/** Undefined where neither memory nor tasks can be bounded. Only looks, but for switching controllers on below ourselves. */
export function findPlace(cgroups: Cgroups | undefined = readCgroups()): CgroupPlace | undefined {
  if (!cgroups) return undefined;
  const memory = controllerFolder(cgroups, 'memory');
  const tasks = controllerFolder(cgroups, 'pids');
  if (memory !== undefined || tasks !== undefined) return firstVersion(memory, tasks);
  const folder = unifiedPlace(cgroups);
  return folder === undefined ? undefined : { version: 2, memory: folder, tasks: folder };
}

function firstVersion(memory: string | undefined, tasks: string | undefined): CgroupPlace | undefined {
  const place = {
    ...(memory !== undefined && isWritable(memory) && { memory }),
    ...(tasks !== undefined && isWritable(tasks) && { tasks }),
  };
  return Object.keys(place).length === 0 ? undefined : { version: 1, ...place };
}

/** The folder of our own cgroup in the first version's hierarchy that has this controller. */
function controllerFolder({ own, mounts }: Cgroups, controller: string): string | undefined {
  const line = own.split('\n').find((entry) => entry.split(':')[1]?.split(',').includes(controller));
  const place = line?.split(':').slice(2).join(':');
  return place === undefined ? undefined : mountedAt(mounts, 'cgroup', place, controller);
}

/** The path of a cgroup below its mount, which may show only a part of the hierarchy. */
export function mountedAt(mounts: string, type: string, place: string, option?: string): string | undefined {
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [kind, , options = ''] = after.split(' ');
    const [, , , root = '', point = ''] = before.split(' ');
    if (kind !== type || (option !== undefined && !options.split(',').includes(option))) continue;
    const below =
      root === '/' ? place : place.startsWith(`${root}/`) || place === root ? place.slice(root.length) : '/';
    return path.join(point, below);
  }
  return undefined;
}

const WANTED = ['memory', 'pids'];

/** Below our own cgroup, or beside it where its parent is ours to use and already hands both controllers down. */
function unifiedPlace({ own, mounts }: Cgroups): string | undefined {
  const line = own.split('\n').find((entry) => entry.startsWith('0::'));
  const folder = line && mountedAt(mounts, 'cgroup2', line.slice(3));
  if (!folder) return undefined;
  if (isUsable(folder) && (handsDown(folder) || switchOn(folder))) return folder;
  const parent = path.dirname(folder);
  return isUsable(parent) && handsDown(parent) ? parent : undefined;
}

/** Moving a process needs the right to write the members of the cgroup both places lie in. */
function isUsable(folder: string): boolean {
  return isWritable(folder) && isWritable(path.join(folder, 'cgroup.procs'));
}

function handsDown(folder: string): boolean {
  const handed = words(path.join(folder, 'cgroup.subtree_control'));
  return WANTED.every((controller) => handed.includes(controller));
}

/** Refused by the kernel where the cgroup has members itself and is not the root of all. */
export function switchOn(folder: string): boolean {
  try {
    writeFileSync(path.join(folder, 'cgroup.subtree_control'), WANTED.map((controller) => `+${controller}`).join(' '));
    return handsDown(folder);
  } catch {
    return false;
  }
}

export function words(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split(/\s+/);
  } catch {
    return [];
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
