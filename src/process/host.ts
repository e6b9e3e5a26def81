// Process tags carry boot id and pid namespace: only a host that sees the same processes may kill them or report them ended.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomId, sha256 } from '../base/ids.ts';
import { once } from '../base/once.ts';
import { killTagged } from './kill-tree.ts';

/** The same for all who see the same processes: this boot of the kernel, in this pid namespace. */
export const hereId = once(() => sha256(`${bootId() ?? hostname()} ${pidNamespace() ?? ''}`).slice(0, 12));

/** A unique tag for the processes of one claim, of a job or a flight. */
export function newTag(): string {
  return `${hereId()}-${randomId()}`;
}

/** Ends the processes of a crashed worker. False, with nothing done, when the tag belongs to another host. */
export async function endTagged(tag: string): Promise<boolean> {
  if (!isOurs(tag)) return false;
  await killTagged(tag);
  return true;
}

/** The whole tag must match: it may come from a shared queue, and every process here starts with the same prefix. */
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
