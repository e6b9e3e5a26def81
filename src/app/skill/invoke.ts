// Runs a skill by its name, or gets its text where it is one to read; whoever is there is asked for what is missing.
import { Fault } from '../../base/errors.ts';
import type { Outcome, PendingOutcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { VERSION } from '../../base/version.ts';
import type { InvokeSkill } from '../../door/call.ts';
import { surplusWord } from '../../door/kind/command-param.ts';
import { perform } from '../../door/perform.ts';
import { type Caller, type OpenDoor, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { concludeChanges } from '../workspace/conclude.ts';
import { refuseRoleSkill } from './refuse-role-skill.ts';

export interface InvokeRequest {
  readonly call: Omit<InvokeSkill, 'context'>;
  /** As it was asked for, for the record. */
  readonly text: string;
  /** Asks for the parameters that a pending outcome names; absent where nobody is there. */
  readonly askMissing?: (pending: PendingOutcome) => Promise<Readonly<Record<string, string>> | undefined>;
}

export async function invokeSkill(request: InvokeRequest, runtime: Runtime, caller: Caller): Promise<Outcome> {
  const { call, text, askMissing } = request;
  await refuseRoleSkill(call, runtime);
  using door = openDoor(runtime, { ...caller, kind: 'invoke', request: text, version: VERSION });
  const { context } = door;
  if (call.more) refuseSurplus(call, door);
  const first = await perform({ ...call, context }, door);
  const given = first.state === 'pending' ? await askMissing?.(first) : undefined;
  const done = given ? await perform({ ...call, params: { ...call.params, ...given }, context }, door) : first;
  const outcome = await concludeChanges(done, door, runtime);
  door.finish(outcome);
  return outcome;
}

/** A mistake in what was typed, not in the skill. */
function refuseSurplus(call: InvokeRequest['call'], door: OpenDoor): void {
  const word = surplusWord(call, door.resolve(call.skill, call.source));
  if (word === undefined) return;
  throw new Fault('Usage', {
    en: `one input too many: ${visible(word)}; put it in quotes, or give it as key=value`,
    zh: `多余的输入: ${visible(word)}；请加引号，或写成 名称=值`,
  });
}
