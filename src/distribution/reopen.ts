// Opens the sources of installed skills again: at what was installed, or at what is newest.
import type { LockedSkill } from './lock.ts';
import type { Offer, Origin } from './offer.ts';
import { openSource, type SourcePlaces, type SourceWish } from './source.ts';

export type Aim = 'pinned' | 'newest';

/** Each source is opened once, for all the skills that came from it. */
export async function reopenSources(
  skills: readonly Pick<LockedSkill, 'source'>[],
  aim: Aim,
  places: SourcePlaces,
): Promise<Offer[]> {
  const offers: Offer[] = [];
  for (const wish of wishesFor(skills, aim)) {
    const opened = await openSource(wish, places);
    // What was asked for stays what is asked for: a pinned commit is no wish of the user.
    offers.push(...opened.map((offer) => withRef(offer, wish, skills)));
  }
  return offers;
}

function wishesFor(skills: readonly Pick<LockedSkill, 'source'>[], aim: Aim): SourceWish[] {
  const groups = Map.groupBy(skills, ({ source }) => `${source.kind} ${source.location} ${refFor(source, aim) ?? ''}`);
  return [...groups.values()].map((group) => {
    const sources = group.map(({ source }) => source);
    const [first] = sources;
    const ref = first && refFor(first, aim);
    const prefix = first?.kind === 'git' ? 'git+' : '';
    return {
      location: `${prefix}${first?.location ?? ''}`,
      names: sources.flatMap(({ path }) => (path === undefined ? [] : [path])),
      ...(ref !== undefined && { ref }),
    };
  });
}

function refFor({ kind, ref, commit }: Origin, aim: Aim): string | undefined {
  if (kind !== 'git') return undefined;
  return aim === 'pinned' ? (commit ?? ref) : ref;
}

function withRef(offer: Offer, wish: SourceWish, skills: readonly Pick<LockedSkill, 'source'>[]): Offer {
  const { ref: _pinned, ...origin } = offer.origin;
  const asked = skills.find(({ source }) => wish.location.endsWith(source.location))?.source.ref;
  return { ...offer, origin: { ...origin, ...(asked !== undefined && { ref: asked }) } };
}
