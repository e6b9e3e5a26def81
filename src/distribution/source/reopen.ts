// Opens the sources of installed skills again: at the installed version, or at the newest.
import type { LockedSkill } from '../lock.ts';
import type { Offer, Origin } from './offer.ts';
import { openSource, type SourcePlaces, type SourceWish } from './source.ts';

type Aim = 'pinned' | 'newest';

export interface Reopening {
  readonly aim: Aim;
  /** The user vouches for what the lock names: it is under home, or in a project the user trusts. */
  readonly isTrusted: boolean;
}

interface Again {
  readonly wish: SourceWish;
  /** Keeps the requested ref: the commit it was pinned to was resolved, not requested by the user. */
  readonly ref?: string;
}

/** Each source is opened once, for all the skills that came from it. */
export async function reopenSources(
  skills: readonly Pick<LockedSkill, 'source'>[],
  { aim, isTrusted }: Reopening,
  places: SourcePlaces,
): Promise<Offer[]> {
  const offers: Offer[] = [];
  for (const { wish, ref } of groupBySource(skills, aim)) {
    for (const offer of await openSource({ ...wish, isUnasked: !isTrusted }, places)) {
      const { ref: _opened, ...origin } = offer.origin;
      offers.push({ ...offer, origin: { ...origin, ...(ref !== undefined && { ref }) } });
    }
  }
  return offers;
}

function groupBySource(skills: readonly Pick<LockedSkill, 'source'>[], aim: Aim): Again[] {
  const key = ({ kind, location, ref, commit }: Origin) =>
    JSON.stringify([kind, location, ref, aim === 'pinned' && commit]);
  const groups = Map.groupBy(
    skills.map(({ source }) => source),
    key,
  );
  return [...groups.values()].flatMap((sources) => {
    const [first] = sources;
    if (!first) return [];
    const { kind, location, ref, commit } = first;
    const at = kind === 'git' && aim === 'pinned' ? (commit ?? ref) : ref;
    const names = sources.flatMap(({ path }) => (path === undefined ? [] : [path]));
    const wish = {
      location: kind === 'git' ? `git+${location}` : location,
      names,
      ...(at !== undefined && { ref: at }),
    };
    return [{ wish, ...(ref !== undefined && { ref }) }];
  });
}
