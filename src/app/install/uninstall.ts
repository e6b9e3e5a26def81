// Takes installed skills away, or one version back; the trash under home keeps what they were.
import { findPlace, type InstallScope } from '../../distribution/place.ts';
import { type Removed, rollBackSkill, uninstallSkill } from '../../distribution/uninstall.ts';
import type { Runtime } from '../runtime.ts';
import { locateSkill } from './locate.ts';

export interface UninstallOrder {
  readonly source?: string | undefined;
  /** Keep it in the trash until it is thrown away by hand. */
  readonly backup: boolean;
  /** Keep nothing. */
  readonly purge: boolean;
}

export interface Uninstalled extends Removed {
  readonly name: string;
  readonly scope: InstallScope;
}

export function uninstall(written: string, order: UninstallOrder, runtime: Runtime): Uninstalled {
  const { place, skill } = locateSkill(runtime, written, order.source);
  const { name, folderName } = skill;
  const { backup, purge } = order;
  const removed = uninstallSkill(place, { name, folderName }, { now: runtime.clock.now(), backup, purge });
  runtime.index();
  return { ...removed, name, scope: place.scope };
}

export interface RolledBack extends ReturnType<typeof rollBackSkill> {
  readonly scope: InstallScope;
}

/** To the version before the last change; a second time leads back. */
export function rollBack(name: string, scope: InstallScope | undefined, runtime: Runtime): RolledBack {
  const place = findPlace(runtime, scope);
  const done = rollBackSkill(place, name, { now: runtime.clock.now() });
  runtime.index();
  return { ...done, scope: place.scope };
}
