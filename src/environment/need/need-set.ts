// The packages that skills of one need have in common: the same set, in whatever order it was found, has one digest.
import { canonicalJson } from '../../base/json.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import type { Ecosystem, PackageNeed } from './package-need.ts';

export interface NeedSet {
  readonly ecosystem: Ecosystem;
  /** As the resolver reads them: `name[extra]>=1; marker` for Python, `name@range` for npm. Sorted. */
  readonly wanted: readonly string[];
  readonly digest: Digest;
}

/** Undefined where nothing of it is needed. */
export function needSet(ecosystem: Ecosystem, needs: readonly PackageNeed[]): NeedSet | undefined {
  const own = needs.filter((need) => need.ecosystem === ecosystem);
  const wanted = [...new Set(own.map(ecosystem === 'python' ? pythonWord : nodeWord))].sort();
  return wanted.length === 0 ? undefined : { ecosystem, wanted, digest: needDigest(ecosystem, wanted) };
}

export function needDigest(ecosystem: Ecosystem, wanted: readonly string[]): Digest {
  return makeDigest(canonicalJson({ ecosystem, wanted: [...wanted].sort() }));
}

function pythonWord({ name, extras, spec, marker }: PackageNeed): string {
  const chosen = extras.length === 0 ? '' : `[${[...extras].sort().join(',')}]`;
  const rest = spec.startsWith('@') ? ` ${spec}` : spec.replaceAll(/\s+/g, '');
  return `${name}${chosen}${rest}${marker === '' ? '' : `; ${marker}`}`;
}

function nodeWord({ name, spec }: PackageNeed): string {
  return spec === '' ? name : `${name}@${spec.trim()}`;
}
