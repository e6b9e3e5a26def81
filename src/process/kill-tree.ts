// Ends every process of a call: its group and session, its descendants, and those that left both but carry its tag.
// A process that left its session and also replaced its environment, or that may not be read, is not found;
// only a tier with its own process namespace ends those.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../base/read-file.ts';

/** The environment variable that every process of a call inherits, with the call's tag as its value. */
export const TAG_NAME = 'SKILLWRIGHT_CALL';

export interface Tree {
  /** The first process; it leads its own group and session. */
  readonly leader: number;
  readonly tag: string;
  /** Start time of the leader in kernel ticks; nothing older belongs to it. */
  readonly since: number;
}

export function treeOf(leader: number, tag: string): Tree {
  return { leader, tag, since: statusOf(leader)?.since ?? 0 };
}

export interface TermOptions {
  /** The leader is a sandbox's own process, whose end would kill those inside without a signal. */
  readonly spareLeader: boolean;
}

/** Asks every process of the tree to end. */
export function terminateTree(tree: Tree, { spareLeader }: TermOptions): void {
  const members = findTree(tree).map((member) => member.pid);
  const spared = spareLeader && members.length > 1;
  if (!spared) signal(-tree.leader, 'SIGTERM');
  for (const pid of members) if (!(spared && pid === tree.leader)) signal(pid, 'SIGTERM');
}

const ROUNDS = 20;

/** Kills the whole tree; a process that left the group and forks meanwhile is searched for again. */
export async function killTree(tree: Tree): Promise<void> {
  // The kernel kills a whole group at once: nothing in it can fork its way out.
  signal(-tree.leader, 'SIGKILL');
  for (let round = 0; round < ROUNDS; round++) {
    const strays = findTree(tree).filter((member) => member.group !== tree.leader);
    if (strays.length === 0) return;
    for (const { pid } of strays) signal(pid, 'SIGKILL');
    await sleep(round < 3 ? 1 : 10);
  }
}

/** True when a process of the tree may still exist. Checks only pids given out after the leader's. */
export function hasLeftovers(tree: Tree): boolean {
  if (groupExists(tree.leader)) return true;
  const newest = newestProcess();
  if (newest === undefined || newest === tree.leader) return false;
  const isYounger = (pid: number): boolean =>
    newest > tree.leader ? pid > tree.leader && pid <= newest : pid > tree.leader || pid <= newest;
  return processes().some((pid) => isYounger(pid) && carriesTag(pid, tree.tag));
}

interface Member {
  readonly pid: number;
  readonly group: number;
}

/** Live processes of the tree; none without /proc. */
export function findTree({ leader, tag, since }: Tree): Member[] {
  const children = new Map<number, Member[]>();
  const found = new Map<number, Member>();
  for (const pid of processes()) {
    const status = statusOf(pid);
    if (!status || status.since < since) continue;
    const member = { pid, group: status.group };
    const siblings = children.get(status.parent);
    if (siblings) siblings.push(member);
    else children.set(status.parent, [member]);
    const isNear = pid === leader || status.group === leader || status.session === leader;
    if (isNear || carriesTag(pid, tag)) found.set(pid, member);
  }
  // A map iterates over entries added meanwhile: children, then theirs.
  for (const pid of found.keys()) for (const child of children.get(pid) ?? []) found.set(child.pid, child);
  return [...found.values()];
}

/** Ends the processes that a crashed Skillwright left under this tag. */
export async function killTagged(tag: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const members = processes().filter((pid) => carriesTag(pid, tag) && statusOf(pid) !== undefined);
    if (members.length === 0) return;
    for (const pid of members) signal(pid, 'SIGKILL');
    await sleep(10);
  }
}

/** Start time of a process in kernel ticks; undefined for one that is gone. */
export function startOf(pid: number): number | undefined {
  return statusOf(pid)?.since;
}

interface Status {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly since: number;
}

// Undefined for a process that is gone or a zombie.
function statusOf(pid: number): Status | undefined {
  const text = read(`/proc/${pid}/stat`)?.toString('latin1');
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return { parent: Number(parent), group: Number(group), session: Number(session), since: Number(fields[19]) };
}

function carriesTag(pid: number, tag: string): boolean {
  return pid !== process.pid && (read(`/proc/${pid}/environ`)?.includes(`${TAG_NAME}=${tag}\0`) ?? false);
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

// The last pid the kernel gave out: pids rise, and wrap around at the highest.
function newestProcess(): number | undefined {
  const newest = read('/proc/loadavg')?.toString('latin1').trim().split(' ').at(-1);
  return newest === undefined ? undefined : Number(newest);
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function groupExists(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  // 0, 1 and -1 mean our own group, the first process and everything.
  if (Math.abs(pid) <= 1) throw new RangeError(`${pid} names no process of a call`);
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to signal: nothing to do in both cases.
  }
}
