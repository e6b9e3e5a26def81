// What was taken away and can come back: listed, restored, or thrown away for good.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { findPlaces, type InstallPlace, type InstallScope, placeAt } from '../../distribution/place.ts';
import { findInTrash, listTrash, type TrashRecord, throwAway } from '../../distribution/trash.ts';
import { restoreSkill } from '../../distribution/uninstall.ts';
import { recordOwn } from '../own/record.ts';
import { broughtBack } from '../own/skill-change.ts';
import type { Runtime } from '../runtime.ts';

/** Of the places of this project and this user. */
export function listTrashed(runtime: Runtime): TrashRecord[] {
  const [place] = findPlaces(runtime);
  const places = allPlaces(runtime);
  return (place ? listTrash(place.trash) : []).filter(({ root }) => places.some((one) => one.root === root));
}

/** By its name or its number in the trash. */
export function restoreTrashed(
  written: string,
  runtime: Runtime,
): { readonly record: TrashRecord; readonly scope: InstallScope } {
  const found = findInTrash(listTrashed(runtime), written);
  const place = allPlaces(runtime).find((one) => one.root === found.root);
  if (!place) throw new Fault('DataNotFound', visible(written));
  const change = { command: 'restore', scope: place.scope, skills: [broughtBack(found, place)] } as const;
  const record = recordOwn(runtime, change, () => restoreSkill(place, found.id));
  runtime.index();
  return { record, scope: place.scope };
}

/** Everything unless something is named. */
export function purgeTrashed(written: string | undefined, runtime: Runtime): TrashRecord[] {
  const all = listTrashed(runtime);
  const records = written === undefined ? all : [findInTrash(all, written)];
  const [place] = findPlaces(runtime);
  if (place) for (const record of records) throwAway(place.trash, record);
  return records;
}

/** Also the roots nothing is installed into: what lay there was taken away from there. */
function allPlaces(runtime: Runtime): InstallPlace[] {
  return runtime.roots.filter(({ source }) => source !== 'builtin').map((root) => placeAt(root, runtime));
}
