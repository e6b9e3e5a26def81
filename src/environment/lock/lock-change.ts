// What another resolution of the same needs changes, in words: `plain 1.0 → 2.0`, `+ extra 1.0`, `- gone 3.0`.
import type { LockEntry, LockedPackage } from './lock-entry.ts';

export function lockChanges(before: Pick<LockEntry, 'packages'>, after: Pick<LockEntry, 'packages'>): string[] {
  const [old, now] = [before, after].map(({ packages }) => new Map(packages.map((one) => [placeOf(one), one])));
  const places = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort();
  return places.flatMap((place) => changeOf(old?.get(place), now?.get(place)) ?? []);
}

/** npm may have a package at several places. */
function placeOf({ name, at }: LockedPackage): string {
  return at ?? name;
}

function changeOf(old: LockedPackage | undefined, now: LockedPackage | undefined): string | undefined {
  if (!old) return now && `+ ${now.name} ${now.version}`;
  if (!now) return `- ${old.name} ${old.version}`;
  if (old.name !== now.name) return `${old.name} ${old.version} → ${now.name} ${now.version}`;
  if (old.version !== now.version) return `${old.name} ${old.version} → ${now.version}`;
  return old.hashes.join() === now.hashes.join() ? undefined : `${old.name} ${old.version} → other files`;
}
