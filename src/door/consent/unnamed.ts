// Variables that a skill asks for in its own words and that no grant for its code names: only a person hands them over.

import type { Text } from '../../base/language.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { type Tier, tierOption } from '../../policy/tier.ts';
import { calledName } from '../../registry/called-name.ts';
import type { CallEffect, Work } from '../work.ts';
import type { Consent } from './consent.ts';

/** A call that asks for them. */
interface Asking {
  readonly work: CallEffect | Work;
  readonly policy: { readonly tier?: Tier };
  readonly consent: Pick<Consent, 'reach'>;
}

export function declaredOnly({ work, consent }: Asking): string[] {
  const declared = 'secrets' in work ? work.secrets : [];
  return declared.filter((name) => !consent.reach.variables.includes(name));
}

/** A grant that follows changes was given before the files named these: another grant has to name them. */
export function unnamedBy({ bound }: Grant, variables: readonly string[]): readonly string[] {
  return 'follow' in bound ? variables : [];
}

export function notByYes(asking: Asking, variables: readonly string[]): Text {
  const names = visible(variables.join(', '));
  const command = commandNaming(asking, variables);
  return {
    en: `--yes hands over no variables (${names}): a person says yes, or \`${command}\` does.`,
    zh: `--yes 不会交出变量（${names}）: 须由人同意，或使用 \`${command}\`。`,
  };
}

export function notByFollowing(asking: Asking, variables: readonly string[]): Text {
  const names = visible(variables.join(', '));
  const command = commandNaming(asking, variables);
  return {
    en: `A grant that follows changes hands over no variables (${names}): a person says yes, or \`${command}\` does.`,
    zh: `随文件更改仍有效的授权不会交出变量（${names}）: 须由人同意，或使用 \`${command}\`。`,
  };
}

function commandNaming({ work: { skill }, policy: { tier } }: Asking, variables: readonly string[]): string {
  const options = variables.map((name) => `--variable ${typedWord(name)}`);
  return ['skillwright grants add', skill ? typedWord(calledName(skill)) : '…', ...options, ...tierOption(tier)].join(
    ' ',
  );
}
