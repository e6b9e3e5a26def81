// What an outcome says about consent: what the call was let reach, and what of it was not there or did not count.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { type Outcome, tell } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { plainReach } from '../../policy/consent/reach.ts';
import type { Consent } from '../consent/consent.ts';
import type { NotGiven } from '../consent/not-given.ts';

export interface UsedConsent extends Consent {
  /** Variables that nobody has set. */
  readonly unset: readonly string[];
  /** What its code reads and nobody consented to, where the call failed. */
  readonly notGiven?: NotGiven | undefined;
}

export function tellConsent(outcome: Outcome, used: UsedConsent, language: Language): Outcome {
  const { reach, notCounted, unset, notGiven } = used;
  const say = (text: Text) => inLanguage(text, language);
  const reached = plainReach(reach);
  const gaps = [...notCounted, ...unset.map(notSet), ...(notGiven ? [sayNotGiven(notGiven)] : [])].map(say);
  if (Object.keys(reached).length === 0 && gaps.length === 0) return outcome;
  const told = tell(outcome, {
    consent: {
      ...reached,
      ...(unset.length > 0 && { unset }),
      ...(notCounted.length > 0 && { not_counted: notCounted.map(say) }),
      ...(notGiven && {
        not_given: notGiven.uses.map(({ name, file, line }) => ({ name, found_in: `${file}:${line}` })),
        allow: notGiven.command,
      }),
    },
  });
  if (!('failure' in told) || gaps.length === 0) return told;
  const next = [told.next, ...gaps].filter((part) => part !== undefined).join(' ');
  const product = { ...told.product, gaps: [...(told.product?.gaps ?? []), ...gaps] };
  return { ...tell(told, { hint: next }), state: told.state, failure: told.failure, next, product };
}

function sayNotGiven({ uses, command, unset }: NotGiven): Text {
  const list = uses.map(({ name, file, line }) => `${name} (${file}:${line})`).join(', ');
  const [shown, allow] = [visible(list), visible(command)];
  const set: Text =
    unset.length === 0
      ? { en: '', zh: '' }
      : { en: ` once ${unset.join(', ')} is set in your environment`, zh: `，并须先在环境中设置 ${unset.join('、')}` };
  return {
    en: `Its code reads ${shown}, which this call was not given: \`${allow}\` allows it${set.en}.`,
    zh: `其代码读取 ${shown}，此次调用未获得: \`${allow}\` 可予以允许${set.zh}。`,
  };
}

function notSet(name: string): Text {
  return {
    en: `${name} is granted, and neither it nor ${name}_FILE is set in the environment of this command.`,
    zh: `${name} 已授权，但此命令的环境中未设置它或 ${name}_FILE。`,
  };
}
