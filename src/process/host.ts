// Tags that say where a process runs: whoever cannot see that machine neither ends it nor believes that it did.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomId, sha256 } from '../base/ids.ts';
import { once } from '../base/once.ts';
import { killTagged } from './kill-tree.ts';

/** The same for all who see the same processes: this kernel since it was started, in this process namespace. */
export const hereId = once(() => sha256(`${bootId() ?? hostname()} ${pidNamespace() ?? ''}`).slice(0, 12));

/** For the processes of one claim, of a job or a flight; never made twice. */
export function newTag(): string {
  return `${hereId()}-${randomId()}`;
}

/** Ends what a worker that went silent left running. False, and nothing is done, where that is not to be seen from here. */
export async function endTagged(tag: string): Promise<boolean> {
  if (!isOurs(tag)) return false;
  await killTagged(tag);
  return true;
}

/** Whole: it may come from a queue that others write, and the beginning of a tag is that of every process here. */
function isOurs(tag: string): boolean {
  return tag.startsWith(`${hereId()}-`) && /^[0-9a-f]{12}-[0-9a-f]{32}$/.test(tag);
}

function bootId(): string | undefined {
  return ifThere(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
}

function pidNamespace(): string | undefined {
  return ifThere(() => readlinkSync('/proc/self/ns/pid'));
}

function ifThere(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
