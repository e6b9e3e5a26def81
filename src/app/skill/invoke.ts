// Runs a skill by its name, or gets its text where it is one to read; whoever is there is asked for what is missing.
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { InvokeSkill } from '../../door/call.ts';
import { perform } from '../../door/perform.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';

export interface InvokeRequest {
  readonly call: Omit<InvokeSkill, 'context'>;
  /** As it was asked for, for the record. */
  readonly text: string;
  /** Asks for the parameters that a pending outcome names; absent where nobody is there. */
  readonly askMissing?: (pending: Outcome) => Promise<Readonly<Record<string, string>> | undefined>;
}

export async function invokeSkill(request: InvokeRequest, runtime: Runtime, caller: Caller): Promise<Outcome> {
  const { call, text, askMissing } = request;
  using door = openDoor(runtime, { ...caller, kind: 'invoke', request: text, version: VERSION });
  const { context } = door;
  const first = await perform({ ...call, context }, door);
  const given = first.state === 'pending' ? await askMissing?.(first) : undefined;
  const outcome = given ? await perform({ ...call, params: { ...call.params, ...given }, context }, door) : first;
  door.finish(outcome);
  return outcome;
}
