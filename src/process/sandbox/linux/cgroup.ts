// A cgroup for each call: everything it uses is counted together, whatever kind of memory and however many processes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ErrorType } from '../../../base/error/catalogue.ts';
import { removeEmptyFolder } from '../../../base/files.ts';
import { randomId } from '../../../base/ids.ts';
import { once } from '../../../base/once.ts';
import { hereId } from '../../host.ts';
import { startOf } from '../../kill-tree.ts';
import type { Limits } from '../../order.ts';
import type { CgroupPlace } from './cgroup-place.ts';

/** The cgroup of one call. */
export interface CallGroup {
  /** A process enters by writing 0 into each of these. */
  readonly entrances: readonly string[];
  reached(): ErrorType | undefined;
  /** Ends whatever is still in it, and takes it away. */
  close(): void;
}

const PREFIX = 'skillwright-';

export function openCallGroup(place: CgroupPlace, { memoryBytes, processes }: Limits): CallGroup {
  removeLeftOver();
  const name = `${PREFIX}${hereId()}-${process.pid}-${ownStart()}-${randomId(6)}`;
  const memory = place.memory === undefined ? undefined : path.join(place.memory, name);
  const tasks = place.tasks === undefined ? undefined : path.join(place.tasks, name);
  const folders = [...new Set([memory, tasks].filter((folder) => folder !== undefined))];
  try {
    for (const folder of folders) mkdirSync(folder);
    removeAtExit(folders);
    if (memory) boundMemory(memory, memoryBytes, place.version);
    if (tasks) writeFileSync(path.join(tasks, 'pids.max'), String(processes));
  } catch (error) {
    for (const folder of folders) removeEmptyFolder(folder);
    throw error;
  }
  return {
    // A single thread that moves itself waits for no other process; a whole process would, up to some 16 ms each.
    entrances: folders.map((folder) => path.join(folder, place.version === 1 ? 'tasks' : 'cgroup.procs')),
    reached: () => (memory && endedForMemory(memory) ? 'LIMIT_MEMORY' : undefined),
    close: () => {
      for (const folder of folders) discard(folder);
      removeLeftOver();
    },
  };
}

function boundMemory(folder: string, bytes: number, version: CgroupPlace['version']): void {
  if (version === 2) {
    writeFileSync(path.join(folder, 'memory.max'), String(bytes));
    // One process that is ended for the memory of all would leave the others in a state nobody asked for.
    writeIfThere(path.join(folder, 'memory.oom.group'), '1');
    writeIfThere(path.join(folder, 'memory.swap.max'), '0');
    return;
  }
  writeFileSync(path.join(folder, 'memory.limit_in_bytes'), String(bytes));
  writeIfThere(path.join(folder, 'memory.memsw.limit_in_bytes'), String(bytes));
  // The first version counts the buffers of network connections apart.
  writeIfThere(path.join(folder, 'memory.kmem.tcp.limit_in_bytes'), String(bytes));
}

const OOM_COUNTS = ['memory.events', 'memory.oom_control'];

function endedForMemory(folder: string): boolean {
  return OOM_COUNTS.some((name) => /^oom_kill [1-9]/m.test(readIfThere(path.join(folder, name))));
}

/** Groups that were not empty yet when their call was over; tried again with the next one, and when we end. */
const leftOver = new Set<string>();

function discard(folder: string): void {
  endMembers(folder);
  leftOver.add(folder);
}

/** Every group that is there, also of calls that were prepared and never run. */
const made = new Set<string>();

const watchExit = once(() => {
  process.once('exit', () => {
    for (const folder of made) removeEmptyFolder(folder);
  });
});

function removeAtExit(folders: readonly string[]): void {
  watchExit();
  for (const folder of folders) made.add(folder);
}

function removeLeftOver(): void {
  for (const folder of leftOver) {
    if (!removeEmptyFolder(folder)) continue;
    leftOver.delete(folder);
    made.delete(folder);
  }
}

function endMembers(folder: string): void {
  for (const word of readIfThere(path.join(folder, 'cgroup.procs')).split('\n')) {
    const pid = Number(word);
    if (!(pid > 1) || pid === process.pid) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
}

/** Takes away what owners that were killed have left, with whatever still runs in it. */
export function removeForsaken({ memory, tasks }: CgroupPlace): void {
  for (const parent of new Set([memory, tasks])) {
    if (parent === undefined) continue;
    for (const name of namesIn(parent)) {
      if (!isForsaken(name)) continue;
      endMembers(path.join(parent, name));
      removeEmptyFolder(path.join(parent, name));
    }
  }
}

/** Judged only where its owner could be seen: same kernel, same process namespace. */
function isForsaken(name: string): boolean {
  const [, here, pid, start] = /^skillwright-([0-9a-f]+)-(\d+)-(\d+)-[0-9a-f]+$/.exec(name) ?? [];
  return here === hereId() && startOf(Number(pid)) !== Number(start);
}

const ownStart = once(() => startOf(process.pid) ?? 0);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function writeIfThere(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    // Not every kernel has it.
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
