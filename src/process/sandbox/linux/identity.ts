// As whom a call runs when Skillwright itself runs as root: root is exempt from the process limit.
import { randomInt } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { giveTree } from '../../../base/files.ts';
import { isInside, realPath } from '../../../base/paths.ts';
import type { Order } from '../../order.ts';
import type { Shown } from './view.ts';

/** `self`: the ordinary user. `own`: a user nobody else has. `root`: root without any of its powers. */
export interface Identity {
  readonly kind: 'self' | 'own' | 'root';
  readonly uid: number;
  readonly gid: number;
}

interface Caller {
  readonly uid: number;
  readonly gid: number;
  readonly ownUsers: boolean;
}

// A range no account database, container or service manager hands out.
export const FIRST_OWN_USER = 0x73000000;
const OWN_USERS = 0x10000;

const OTHERS_MAY_READ = 0o004;
const OTHERS_MAY_ENTER = 0o005;

/** A fresh user per call, unless the call must touch what only root may touch: then root without capabilities. */
export function callIdentity(order: Order, caller: Caller, shown: readonly Shown[]): Identity {
  if (caller.uid !== 0) return { kind: 'self', uid: caller.uid, gid: caller.gid };
  const { view } = order;
  const given = [view.work, view.home, view.skill?.writable ? view.skill.from : undefined].flatMap((folder) =>
    folder === undefined ? [] : [realPath(folder) ?? folder],
  );
  const { user } = order.view.project?.layer?.holder ?? {};
  if (
    !caller.ownUsers ||
    shown.some((entry) =>
      needsRoot(entry, [...given, user === undefined ? undefined : order.view.project?.layer?.from]),
    )
  )
    return { kind: 'root', uid: 0, gid: 0 };
  const uid = user ?? newOwnUser();
  for (const folder of given) giveTree(folder, uid);
  return { kind: 'own', uid, gid: uid };
}

export function newOwnUser(): number {
  return FIRST_OWN_USER + randomInt(OWN_USERS);
}

function needsRoot({ from, as }: Shown, given: readonly (string | undefined)[]): boolean {
  if (as === 'write') return !given.some((folder) => folder !== undefined && isInside(folder, from));
  return as === 'read' && seesAsRoot(from);
}

/** What is closed to everybody but its owner and root is seen by root only. */
export function seesAsRoot(file: string): boolean {
  const entry = lstatSync(file);
  const wanted = entry.isDirectory() ? OTHERS_MAY_ENTER : OTHERS_MAY_READ;
  return (entry.mode & wanted) !== wanted;
}
