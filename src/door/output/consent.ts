// What an outcome says about consent: what the call was let reach, and what of it was not there or did not count.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { type Outcome, tell } from '../../base/outcome.ts';
import { plainReach } from '../../policy/consent/reach.ts';
import type { Consent } from '../consent/consent.ts';

export interface UsedConsent extends Consent {
  /** Variables that nobody has set. */
  readonly unset: readonly string[];
}

export function tellConsent(outcome: Outcome, { reach, notCounted, unset }: UsedConsent, language: Language): Outcome {
  const say = (text: Text) => inLanguage(text, language);
  const reached = plainReach(reach);
  const gaps = [...notCounted, ...unset.map(notSet)].map(say);
  if (Object.keys(reached).length === 0 && gaps.length === 0) return outcome;
  const told = tell(outcome, {
    consent: {
      ...reached,
      ...(unset.length > 0 && { unset }),
      ...(notCounted.length > 0 && { not_counted: notCounted.map(say) }),
    },
  });
  if (!('failure' in told) || gaps.length === 0) return told;
  const next = [told.next, ...gaps].filter((part) => part !== undefined).join(' ');
  return { ...tell(told, { hint: next }), state: told.state, failure: told.failure, next };
}

function notSet(name: string): Text {
  return {
    en: `${name} is granted, and neither it nor ${name}_FILE is set in the environment of this command.`,
    zh: `${name} 已授权，但此命令的环境中未设置它或 ${name}_FILE。`,
  };
}
