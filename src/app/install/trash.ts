// What was taken away and can come back: listed, restored, or thrown away for good.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { findPlaces, type InstallPlace, type InstallScope, placeAt } from '../../distribution/place.ts';
import { findInTrash, listTrash, type TrashRecord, throwAway } from '../../distribution/trash.ts';
import { restoreSkill } from '../../distribution/uninstall.ts';
import { recordOwn } from '../own/record.ts';
import { broughtBack, purged } from '../own/skill-change.ts';
import type { Runtime } from '../runtime.ts';

export interface Trashed {
  readonly record: TrashRecord;
  /** Where it was taken away from. */
  readonly scope: InstallScope;
}

/** Of the places of this project and this user. */
export function listTrashed(runtime: Runtime): Trashed[] {
  return findTrashed(runtime).map(({ record, place: { scope } }) => ({ record, scope }));
}

/** By its name or its number in the trash. */
export function restoreTrashed(written: string, runtime: Runtime): Trashed {
  const all = findTrashed(runtime);
  const found = findInTrash(recordsOf(all), written);
  const place = all.find(({ record }) => record === found)?.place;
  if (!place) throw new Fault('DataNotFound', visible(written));
  const change = { command: 'restore', scope: place.scope, skills: [broughtBack(found, place)] } as const;
  const record = recordOwn(runtime, change, () => restoreSkill(place, found.id));
  runtime.index();
  return { record, scope: place.scope };
}

/** Everything unless something is named. */
export function purgeTrashed(written: string | undefined, runtime: Runtime): TrashRecord[] {
  const all = recordsOf(findTrashed(runtime));
  const records = written === undefined ? all : [findInTrash(all, written)];
  for (const [{ scope, trash }, those] of groupByPlace(records, runtime)) {
    const skills = those.map((record) => purged(record, trash));
    recordOwn(runtime, { command: 'restore --purge', scope, skills }, () => {
      for (const record of those) throwAway(trash, record);
    });
  }
  return records;
}

function groupByPlace(records: readonly TrashRecord[], runtime: Runtime): [InstallPlace, TrashRecord[]][] {
  return allPlaces(runtime).flatMap((place): [InstallPlace, TrashRecord[]][] => {
    const those = records.filter(({ root }) => root === place.root);
    return those.length > 0 ? [[place, those]] : [];
  });
}

function findTrashed(runtime: Runtime): { readonly record: TrashRecord; readonly place: InstallPlace }[] {
  const [first] = findPlaces(runtime);
  const places = allPlaces(runtime);
  return (first ? listTrash(first.trash) : []).flatMap((record) => {
    const place = places.find(({ root }) => root === record.root);
    return place ? [{ record, place }] : [];
  });
}

function recordsOf(trashed: readonly { readonly record: TrashRecord }[]): TrashRecord[] {
  return trashed.map(({ record }) => record);
}

/** Also the roots nothing is installed into: what lay there was taken away from there. */
function allPlaces(runtime: Runtime): InstallPlace[] {
  return runtime.roots.filter(({ source }) => source !== 'builtin').map((root) => placeAt(root, runtime));
}
