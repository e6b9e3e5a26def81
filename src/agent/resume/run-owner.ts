// A lock so that one process drives a run at a time: an owner file beside the record; that of a dead process is ignored.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { createFileOnce, takeFile } from '../../base/files.ts';
import { readTextIfThere } from '../../base/read-file.ts';

/** Releases the run. */
export type Release = () => void;

/** Throws a Fault while another process, or another part of this one, drives the run. */
export function claimRun(folder: string): Release {
  const file = path.join(folder, 'owner');
  const me = nameOf(process.pid) ?? String(process.pid);
  if (!createFileOnce(file, me)) {
    const owner = readTextIfThere(file) ?? '';
    if (isAlive(owner)) throw stillRunning(folder);
    // Of several that find a dead owner, one takes over.
    if (takeFile(file) !== owner || !createFileOnce(file, me)) throw stillRunning(folder);
  }
  return () => void takeFile(file);
}

function isAlive(owner: string): boolean {
  const [pid = ''] = owner.split(' ');
  return /^\d+$/.test(pid) && nameOf(Number(pid)) === owner;
}

/** A pid with its start time: pids are reused. */
function nameOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  } catch {
    return isThere(pid) ? String(pid) : undefined;
  }
}

/** Without /proc, only whether the pid is in use is checked. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function stillRunning(folder: string): Fault {
  const id = path.basename(folder);
  return new Fault(
    'AlreadyExists',
    { en: `${id} is still running`, zh: `${id} 仍在运行` },
    { hint: { en: 'Wait for it, or stop it with Ctrl-C.', zh: '请等待其结束，或用 Ctrl-C 停止。' } },
  );
}
