// One action of a skill that speaks the protocol, its own or a role's: opens the door, performs, closes the record.
import { randomId } from '../../base/ids.ts';
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { CallAction, CallContext } from '../../door/call.ts';
import type { Door } from '../../door/door.ts';
import { fail, nameFault } from '../../door/fail.ts';
import { answering, perform } from '../../door/perform.ts';
import { parseRequest, type RequestDraft } from '../../protocol/request.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { typeParams, type WrittenParams } from './params.ts';

export interface CallRequest extends Pick<CallAction, 'skill' | 'source' | 'action' | 'byPerson' | 'from'> {
  readonly params: WrittenParams;
  /** As it was asked for, for the record. */
  readonly text: string;
  /** What the request says about who asks. */
  readonly ids?: Partial<CallContext> | undefined;
}

/** Throws a Fault of the type Usage where the words themselves are wrong; every other end is an outcome. */
export async function callSkill(request: CallRequest, runtime: Runtime, caller: Caller): Promise<Outcome> {
  const { params: written, text, ids, ...target } = request;
  const context = { request_id: randomId(), ...caller.context, ...ids };
  using door = openDoor(runtime, { ...caller, kind: 'call', request: text, version: VERSION, context });
  try {
    const params = await typeParams(written, target, door);
    const outcome = await perform({ kind: 'call', ...target, params, context }, door);
    door.finish(outcome);
    return outcome;
  } catch (error) {
    return failAsCall(error, target.skill, door);
  }
}

/** A whole request as JSON; where it is none, the outcome that says so. */
export function readWholeRequest(text: string, skill: string, runtime: Runtime): RequestDraft | { refused: Outcome } {
  try {
    return parseRequest(text);
  } catch (error) {
    return { refused: fail(runtime.answering('skills', 'call'), nameFault(error), {}, skill) };
  }
}

/** A bad value is answered with the same names, whether it is found here or behind the door. */
function failAsCall(error: unknown, skill: string, door: Door): Outcome {
  const fault = nameFault(error);
  if (fault.type === 'Usage') throw fault;
  return fail(answering(door, { agent: 'skills', surface: 'call' }), fault, {}, skill);
}
