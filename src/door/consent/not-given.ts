// Variables that the code of a failed call reads and was not given: nobody consented to them.

import type { Outcome } from '../../base/outcome.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { type Tier, tierOption } from '../../policy/tier.ts';
import { isDenied } from '../../process/environment.ts';
import { calledName } from '../../registry/called-name.ts';
import type { VariableUse } from '../../skill/need/need.ts';
import type { Door } from '../door.ts';
import type { Secrets } from '../secret.ts';
import type { Work } from '../work.ts';
import { isOwnCode } from './consent.ts';

export interface NotGiven {
  readonly uses: readonly VariableUse[];
  /** Gives them. */
  readonly command: string;
  /** Of these nobody has set a value either. */
  readonly unset: readonly string[];
}

/** More than this no person reads. */
const MOST = 5;

/** What a call was given, and where. */
interface CallWithVariables {
  readonly given: Secrets;
  /** By a grant, whether or not somebody has set them. */
  readonly granted: readonly string[];
  readonly tier: Tier | undefined;
  readonly door: Door;
}

/** Undefined for a call that ended well: nothing shows that it missed one. */
export async function variablesNotGiven(
  work: Work,
  { state }: Pick<Outcome, 'state'>,
  { given, granted, tier, door }: CallWithVariables,
): Promise<NotGiven | undefined> {
  const { skill } = work;
  if (state === 'success' || !skill || !isOwnCode(work)) return undefined;
  const has = (name: string) => Object.hasOwn(given, name) || granted.includes(name) || isDenied(name);
  const all = await door.variablesRead(skill);
  const script = 'script' in work.program ? work.program.script : undefined;
  // What another script of the skill reads was hardly missed by this one.
  const own = all.filter(({ file }) => file === script);
  const uses = firstOfEach((own.length > 0 ? own : all).filter(({ name }) => !has(name))).slice(0, MOST);
  if (uses.length === 0) return undefined;
  const options = uses.map(({ name }) => `--variable ${name}`);
  return {
    uses,
    command: ['skillwright grants add', typedWord(calledName(skill)), ...options, ...tierOption(tier)].join(' '),
    unset: uses.map(({ name }) => name).filter((name) => !door.env[name] && !door.env[`${name}_FILE`]),
  };
}

function firstOfEach(uses: readonly VariableUse[]): VariableUse[] {
  return uses.filter(({ name }, at) => uses.findIndex((one) => one.name === name) === at);
}
