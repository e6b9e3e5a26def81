// Takes installed skills away, or one version back; the trash under home keeps what they were.
import path from 'node:path';
import { unlinkSkill } from '../../distribution/agent-folder.ts';
import { findPlace, type InstallScope } from '../../distribution/place.ts';
import { findEarlier, type Removed, rollBackSkill, uninstallSkill } from '../../distribution/uninstall.ts';
import { recordOwn } from '../own/record.ts';
import { broughtBack, removed } from '../own/skill-change.ts';
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
  const change = { command: 'uninstall', scope: place.scope, skills: [removed(skill, place)] } as const;
  const done = recordOwn(runtime, change, () =>
    uninstallSkill(place, { name, folderName }, { now: runtime.clock.now(), backup, purge }),
  );
  unlinkSkill({
    folder: path.join(place.root, folderName),
    base: place.scope === 'project' ? runtime.project : runtime.home,
  });
  runtime.index();
  return { ...done, name, scope: place.scope };
}

export interface RolledBack extends ReturnType<typeof rollBackSkill> {
  readonly scope: InstallScope;
}

/** To the version before the last change; a second time leads back. */
export function rollBack(name: string, scope: InstallScope | undefined, runtime: Runtime): RolledBack {
  const place = findPlace(runtime, scope);
  const skills = [broughtBack(findEarlier(place, name), place)];
  const done = recordOwn(runtime, { command: 'rollback', scope: place.scope, skills }, () =>
    rollBackSkill(place, name, { now: runtime.clock.now() }),
  );
  runtime.index();
  return { ...done, scope: place.scope };
}
