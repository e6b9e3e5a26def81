// A staged and inspected skill, and what a person allowed for it.
import type { SkillDigest } from '../skill/digest.ts';
import type { Evidence } from './evidence.ts';
import type { Origin } from './source/offer.ts';
import type { ReadSkill } from './source/offered-skill.ts';
import type { Vetting } from './vet/vet.ts';

export interface InstallOptions {
  /** Replace the existing skill, although it was changed by hand or never installed. */
  readonly force?: boolean;
  /** Replace a skill of that name from another source or publisher. */
  readonly replace?: boolean;
  readonly allowDowngrade?: boolean;
  /** Keep what is replaced until it is deleted by hand. */
  readonly backup?: boolean;
  /** Leave skills out whose SKILL.md cannot be read, instead of installing nothing. */
  readonly skipDamaged?: boolean;
}

/** One skill, staged and inspected. */
export interface Candidate extends ReadSkill {
  readonly digest: SkillDigest;
  readonly origin: Origin;
  readonly signer?: string;
  /** The evidence of the signature, stored under home, so that it can be verified again. */
  readonly evidence?: Evidence;
  readonly vetting: Vetting;
}
