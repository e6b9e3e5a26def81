// Which skills of a source somebody can choose from, and those that are damaged.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import type { Offer, OfferedSkill } from './offer.ts';
import { type ReadSkill, readOffered } from './offered-skill.ts';

export interface DamagedSkill {
  /** Its folder inside the source. */
  readonly folder: string;
  readonly reason: Text;
}

interface ReadOptions {
  readonly blockAngleBrackets: boolean;
}

/** The offers without the skills nobody could read. A pack is taken whole or not at all: somebody made it as one. */
export function sortOut(
  offers: readonly Offer[],
  options: ReadOptions,
): { readonly sound: readonly Offer[]; readonly damaged: readonly DamagedSkill[] } {
  const damaged: DamagedSkill[] = [];
  const sound = offers.map((offer) => {
    if (offer.origin.kind === 'archive' || offer.skills.length < 2) return offer;
    const skills = offer.skills.filter((skill) => {
      const read = tryRead(skill, options);
      if ('reason' in read) damaged.push(read);
      return !('reason' in read);
    });
    // With nothing left, the reason is the answer.
    return skills.length === 0 ? offer : { ...offer, skills };
  });
  return { sound, damaged };
}

/** Every skill of a source, each with what it says about itself or why it says nothing. */
export function listChoices(offers: readonly Offer[], options: ReadOptions): (ReadSkill | DamagedSkill)[] {
  return offers.flatMap(({ skills }) => skills.map((skill) => tryRead(skill, options)));
}

function tryRead(skill: OfferedSkill, options: ReadOptions): ReadSkill | DamagedSkill {
  try {
    return readOffered(skill, options);
  } catch (error) {
    if (error instanceof Fault && error.type === 'MetadataMissing')
      return { folder: skill.folder, reason: error.detail };
    throw error;
  }
}
