// Puts the places at which packages show together: one need for each package, with what all of them ask of its version.

import type { LockedVersions } from './lock-file.ts';
import type { FoundPackages, NeededPackage, PackageMention, Requirement } from './mention.ts';
import type { Certainty, Ecosystem, FoundIn, PackageConflict } from './package-need.ts';
import { beside } from './requirements-file.ts';
import { canAllHold, isExact, satisfies } from './version.ts';

const CERTAINTIES: readonly Certainty[] = ['declared', 'stated', 'imported', 'guessed'];
const MOST_PLACES = 50;

export type MergedMention = PackageMention & { readonly module?: string };

export interface AllMentions {
  readonly mentions: readonly MergedMention[];
  /** Hold for what is needed anyway. */
  readonly constraints: readonly (Requirement & FoundIn)[];
  readonly locks: readonly LockedVersions[];
}

export function mergeMentions({ mentions, constraints, locks }: AllMentions): Omit<FoundPackages, 'unread'> {
  const groups = Map.groupBy(mentions, ({ ecosystem, name }) => `${ecosystem} ${name}`);
  const needs: NeededPackage[] = [];
  const development: NeededPackage[] = [];
  const conflicts: PackageConflict[] = [];
  for (const all of groups.values())
    for (const group of byMarker(all)) {
      const { need, conflict } = mergeGroup(group, constraints, locks);
      if (conflict) conflicts.push(conflict);
      (group.every(({ use }) => use === 'development') ? development : needs).push(need);
    }
  return { needs: needs.sort(byRank), development: development.sort(byRank), conflicts };
}

/** What says no marker belongs to each that has one. */
function byMarker(all: readonly MergedMention[]): MergedMention[][] {
  const markers = [...new Set(all.map(({ marker }) => marker).filter(Boolean))];
  const plain = all.filter(({ marker }) => marker === '');
  if (markers.length === 0 || plain.some(({ certainty }) => certainty === 'declared')) return [[...all]];
  return markers.map((marker) => [...all.filter((one) => one.marker === marker), ...plain]);
}

function mergeGroup(
  group: readonly MergedMention[],
  constraints: AllMentions['constraints'],
  locks: readonly LockedVersions[],
): { need: NeededPackage; conflict: PackageConflict | undefined } {
  const places = group.toSorted((a, b) => rankOf(a) - rankOf(b) || order(a, b));
  const [first] = places;
  if (!first) throw new RangeError('a package is needed somewhere');
  const { ecosystem, name, certainty } = first;
  const bound = ecosystem === 'python' ? constraints.filter((one) => one.name === name) : [];
  const asked = [...places, ...bound].filter(({ spec }) => spec !== '');
  const locked = lockedFor(places, locks);
  const specs = [...new Set(asked.map(({ spec }) => spec))];
  const fits = locked && specs.every((spec) => satisfies(locked.version, spec, ecosystem));
  const isPlain = places.some(({ certainty: one, marker }) => one === 'declared' && marker === '');
  const need: NeededPackage = {
    ecosystem,
    name,
    spec: fits ? exactly(locked.version, ecosystem) : joined(specs, ecosystem),
    extras: [...new Set(places.flatMap(({ extras }) => extras))].sort(),
    marker: isPlain ? '' : (places.find(({ marker }) => marker !== '')?.marker ?? ''),
    certainty,
    foundIn: placesOf([...places, ...(fits ? [{ file: locked.file, line: 1 }] : [])]),
    optional: places.filter(({ use }) => use !== 'development').every(({ use }) => use === 'optional'),
    imports: [...new Set(places.flatMap(({ module }) => module ?? []))].sort(),
  };
  const isOdd = !canAllHold(specs, ecosystem) || (locked !== undefined && !fits);
  const more =
    locked && !fits ? [{ spec: exactly(locked.version, ecosystem), foundIn: { file: locked.file, line: 1 } }] : [];
  const named = asked.map(({ spec, file, line }) => ({ spec, foundIn: { file, line } }));
  return { need, conflict: isOdd ? { ecosystem, name, specs: firstOfEach([...named, ...more]) } : undefined };
}

function rankOf({ certainty }: Pick<PackageMention, 'certainty'>): number {
  return CERTAINTIES.indexOf(certainty);
}

function order(a: FoundIn, b: FoundIn): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

function byRank(a: NeededPackage, b: NeededPackage): number {
  const key = (one: NeededPackage) => `${one.ecosystem} ${one.name} ${one.marker}`;
  return rankOf(a) - rankOf(b) || (key(a) < key(b) ? -1 : 1);
}

function placesOf(places: readonly FoundIn[]): FoundIn[] {
  const seen = new Map(places.map(({ file, line }) => [`${file}:${line}`, { file, line }]));
  return [...seen.values()].slice(0, MOST_PLACES);
}

function firstOfEach(specs: PackageConflict['specs']): PackageConflict['specs'] {
  return specs.filter(({ spec }, at) => specs.findIndex((one) => one.spec === spec) === at);
}

/** By the lock nearest to one of its places: in the folder of that file or one above it. */
function lockedFor(
  places: readonly PackageMention[],
  locks: readonly LockedVersions[],
): { version: string; file: string } | undefined {
  for (const { ecosystem, name, spec, file } of places)
    for (const folder of foldersAbove(file))
      for (const lock of locks) {
        if (lock.ecosystem !== ecosystem || !isFor(lock.file, file, folder)) continue;
        const version = lock.of(name, spec);
        if (version !== undefined) return { version, file: lock.file };
      }
  return undefined;
}

/** `x.py.lock` is for `x.py` alone. */
function isFor(lock: string, file: string, folder: string): boolean {
  if (lock.endsWith('.py.lock')) return lock === `${file}.lock`;
  return beside(lock, '.') === folder;
}

function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('/')), ''];
}

function exactly(version: string, ecosystem: Ecosystem): string {
  return ecosystem === 'python' ? `==${version}` : version;
}

/** All of them, the exact one where there is one; of several that cannot be written as one, the surest. */
function joined(specs: readonly string[], ecosystem: Ecosystem): string {
  const [first = ''] = specs;
  if (!canAllHold(specs, ecosystem)) return first;
  const exact = specs.find((spec) => isExact(spec, ecosystem));
  if (exact !== undefined || specs.length < 2) return exact ?? first;
  if (ecosystem === 'python')
    return specs.some((spec) => spec.startsWith('@')) ? first : [...new Set(specs.join(',').split(','))].join(',');
  return specs.some((spec) => /\|\||:|\s-\s/.test(spec)) ? first : specs.join(' ');
}
