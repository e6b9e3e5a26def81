// One action of a skill that speaks the protocol, its own or a role's: opens the door, performs, closes the record.
import { randomId } from '../../base/ids.ts';
import { inLanguage, type Text } from '../../base/language.ts';
import { type Outcome, tell } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { CallAction, CallContext } from '../../door/call.ts';
import type { Door } from '../../door/door.ts';
import { fail, nameFault } from '../../door/fail.ts';
import { answering, perform } from '../../door/perform.ts';
import { parseRequest, type RequestDraft } from '../../protocol/request.ts';
import { findTarget, type Target } from '../find-target.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { concludeChanges } from '../workspace/conclude.ts';
import { typeParams, type WrittenParams } from './params.ts';

export interface CallRequest
  extends Pick<CallAction, 'skill' | 'source' | 'action' | 'byPerson' | 'from' | 'timeoutSeconds'> {
  readonly params: WrittenParams;
  /** As it was asked for, for the record. */
  readonly text: string;
  /** What the request says about who asks. */
  readonly ids?: Partial<CallContext> | undefined;
  /** What was noticed while the request was read. */
  readonly notes?: readonly Text[] | undefined;
}

/** Throws a Fault of the type Usage where the words themselves are wrong; every other end is an outcome. */
export async function callSkill(request: CallRequest, runtime: Runtime, caller: Caller): Promise<Outcome> {
  const { params: written, text, ids, notes = [], ...target } = request;
  const found = await findOrFail(target, runtime);
  const { index, role, reference = target.skill } = 'fault' in found ? NOTHING : found;
  const context = { request_id: randomId(), ...(role && { agent_id: role.name }), ...caller.context, ...ids };
  const order = { ...caller, kind: 'call', request: text, version: VERSION, context, ...(index && { index }) };
  using door = openDoor(runtime, order);
  try {
    if ('fault' in found) throw found.fault;
    const meant = { ...target, skill: reference };
    const params = await typeParams(written, meant, door);
    const done = await perform({ kind: 'call', ...meant, params, context }, door);
    const outcome = await concludeChanges(done, door, runtime);
    door.finish(outcome);
    return withNotes(outcome, notes, runtime);
  } catch (error) {
    return withNotes(failAsCall(error, target.skill, door), notes, runtime);
  }
}

function withNotes(outcome: Outcome, notes: readonly Text[], { language }: Runtime): Outcome {
  if (notes.length === 0) return outcome;
  const warnings = notes.map((note) => inLanguage(note, language));
  return { ...tell(outcome, { warnings }), warnings };
}

const NOTHING: Partial<Target> = {};

/** Whose skill it is, or why there is none: told like any other failure of the call. */
async function findOrFail(
  { skill, source }: Pick<CallAction, 'skill' | 'source'>,
  runtime: Runtime,
): Promise<Target | { readonly fault: unknown }> {
  try {
    return await findTarget(skill, source, runtime);
  } catch (fault) {
    return { fault };
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
