// A cgroup from the user's service manager: in a login session nothing is delegated, but the manager gives a scope that is.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from '../../../base/ids.ts';
import { once } from '../../../base/once.ts';
import type { Launch } from '../../order.ts';
import { plainLaunch } from '../../plain-launch.ts';
import { runProcess } from '../../run.ts';
import { findTrusted } from '../host.ts';
import { type CgroupPlace, type Cgroups, findPlace, mountedAt, readCgroups, switchOn, words } from './cgroup-place.ts';

export interface Manager {
  /** Its own cgroup, of which it hands out parts. */
  readonly folder: string;
  /** The socket it is asked through. */
  readonly bus: string;
}

// Where it answers at all, that takes little longer than starting a program.
const DEADLINE_MS = 5000;
const LOOK_AGAIN_MS = 5;
const SCOPE = /^skillwright-\d+-[0-9a-f]+\.scope$/;

/** Only from a login session of this very user: out of a service, its main process would be gone. */
export function managerOf({ own, mounts }: Cgroups, uid: number): Manager | undefined {
  const [, slice, owner] = /^0::(\/.*\/user-(\d+)\.slice)\/session-[^/]+\.scope$/m.exec(own) ?? [];
  if (slice === undefined || Number(owner) !== uid) return undefined;
  const name = `user@${uid}.service`;
  const folder = mountedAt(mounts, 'cgroup2', `${slice}/${name}`);
  return folder && path.basename(folder) === name ? { folder, bus: `/run/user/${uid}/bus` } : undefined;
}

/** The place this process has once it is in a scope, asked for once; undefined where that is not to be had. */
export const enterScope = once(async (): Promise<CgroupPlace | undefined> => {
  const manager = readyManager();
  const busctl = findTrusted('busctl');
  if (!manager || !busctl) return undefined;
  try {
    return (await moveInto(manager, busctl)) ? findPlace() : undefined;
  } catch {
    // Whatever keeps it from us, calls run without it, and that is declared.
    return undefined;
  }
});

/** What a scope would give, for who only wants to know. */
export function expectedPlace(): CgroupPlace | undefined {
  const folder = readyManager()?.folder;
  return folder === undefined ? undefined : { version: 2, memory: folder, tasks: folder };
}

/** Other scopes of ours beside this place, where a killed owner may have left something. */
export function placesBeside({ version, memory }: CgroupPlace): CgroupPlace[] {
  if (version !== 2 || memory === undefined || !SCOPE.test(path.basename(memory))) return [];
  const slice = path.dirname(memory);
  return readdirSync(slice)
    .filter((name) => SCOPE.test(name) && name !== path.basename(memory))
    .map((name) => ({ version, memory: path.join(slice, name) }));
}

function readyManager(): Manager | undefined {
  const cgroups = readCgroups();
  const manager = cgroups && managerOf(cgroups, process.geteuid?.() ?? -1);
  return manager && isReady(manager) ? manager : undefined;
}

function isReady({ folder, bus }: Manager): boolean {
  const controllers = words(path.join(folder, 'cgroup.controllers'));
  // Seen as 0 from another process namespace, where our own number would name somebody else to the manager.
  const seen = words(path.join(folder, 'init.scope', 'cgroup.procs')).some((pid) => Number(pid) > 0);
  const socket = statSync(bus, { throwIfNoEntry: false });
  return seen && controllers.includes('memory') && socket?.isSocket() === true && socket.uid === process.geteuid?.();
}

async function moveInto({ bus }: Manager, busctl: string): Promise<boolean> {
  const until = performance.now() + DEADLINE_MS;
  const unit = `skillwright-${process.pid}-${randomId(6)}.scope`;
  const { exit } = await runProcess(launchOf(busctl, scopeCall(bus, unit)), { timeoutMs: DEADLINE_MS, graceMs: 0 });
  if (exit !== 0) return false;
  // The answer comes when the move is planned, not when it is done.
  for (;;) {
    const folder = ownFolder();
    if (folder && path.basename(folder) === unit) return settleBelow(folder);
    if (performance.now() > until) return false;
    await sleep(LOOK_AGAIN_MS);
  }
}

function ownFolder(): string | undefined {
  const cgroups = readCgroups();
  const own = cgroups && /^0::(.*)$/m.exec(cgroups.own)?.[1];
  return own === undefined ? undefined : mountedAt(cgroups?.mounts ?? '', 'cgroup2', own);
}

/** A cgroup hands controllers down only when it has no members itself. */
function settleBelow(scope: string): boolean {
  const own = path.join(scope, 'own');
  mkdirSync(own);
  writeFileSync(path.join(own, 'cgroup.procs'), String(process.pid));
  return switchOn(scope);
}

/** Moves this process and no other; the unit is forgotten when the last process in it has ended, however it ended. */
function scopeCall(bus: string, unit: string): string[] {
  const manager = 'org.freedesktop.systemd1';
  const settings = [
    ['PIDs', 'au', '1', String(process.pid)],
    ['Delegate', 'b', 'true'],
    ['CollectMode', 's', 'inactive-or-failed'],
    ['Description', 's', 'Skillwright and the calls it runs'],
  ];
  return [
    ...[`--address=unix:path=${bus}`, 'call', manager, '/org/freedesktop/systemd1', `${manager}.Manager`],
    ...['StartTransientUnit', 'ssa(sv)a(sa(sv))', unit, 'fail', String(settings.length), ...settings.flat(), '0'],
  ];
}

function launchOf(file: string, args: readonly string[]): Launch {
  return plainLaunch({ file, args, env: {}, cwd: '/' });
}
