// The one rule by which a file counts as unchanged without being opened.
import { lstatSync, readFileSync, type Stats, statfsSync, statSync } from 'node:fs';

/*
 * Whatever changes what is at a path (a write, a rename, a link, utimes) gives it another inode or moves its change
 * time (ctime), which the kernel sets from its clock and nobody can set back. So a file that still has the device,
 * inode, size and times it had before it was read is the file that was read, as long as:
 *
 * 1. a later change cannot get the same time: the reading began when the file was older than the coarsest step of
 *    file times, otherwise what was seen is no witness and the file is read again (git calls it "racily clean");
 * 2. that clock has not been set back since, by this machine's clock or by a restart;
 * 3. the file system keeps change times by that clock. Only those listed below are known to: the other side decides
 *    on a network, FUSE or 9p; FAT has no such time; the layers of overlay have inodes and times of their own; and on
 *    tmpfs a write through a mapping moves no time.
 *
 * Everything else is read each time.
 */

/** Coarsest step of file times in use; a file changed twice within it can look unchanged. */
export const CLOCK_STEP_MS = 2000;

/** ext2 to ext4, XFS and btrfs, by the number that statfs(2) gives. */
const TRUSTED_FILE_SYSTEMS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e]);

/** What stays the same while a file does; fractions of a millisecond count. */
export type Witness = Readonly<Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>>;

/** `now` is the time before the file was read. */
export function isSettled({ ctimeMs }: Pick<Witness, 'ctimeMs'>, now: number): boolean {
  return ctimeMs < now - CLOCK_STEP_MS;
}

/** What is seen of a folder on a file system whose change times can be trusted; on others there are no witnesses. */
export function trustedFolder(folder: string): Stats | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    return stats && TRUSTED_FILE_SYSTEMS.has(statfsSync(folder).type) ? stats : undefined;
  } catch {
    return undefined;
  }
}

/** What was seen of a file before it was read, if that can witness later that it is unchanged. */
export function witnessOf(
  { stats, device }: { readonly stats: Stats | undefined; readonly device: number | undefined },
  now: number,
): Witness | undefined {
  return stats !== undefined && stats.dev === device && isSettled(stats, now) ? stats : undefined;
}

/** What is seen of a file now. A link is never the file that was read: it is followed, and checked, each time. */
export function lookAt(file: string, device: number): Witness | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats?.dev === device ? stats : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Witnesses hold for one start of the system (the clock may begin anew, device numbers are given out again) and for one
 * user (what one may read, another may not). Undefined where the start cannot be told: there are no witnesses then.
 */
export function witnessScope(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return JSON.stringify([boot, process.geteuid?.(), process.getegid?.(), process.getgroups?.()]);
  } catch {
    return undefined;
  }
}
