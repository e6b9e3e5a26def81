// The one door: every effect anybody asks for passes through here and comes back as an outcome.
// resolve → decide → approval or grant → snapshot by digest → execute → guard output → audit
import type { Surface } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { type Agent, type Answering, makeOutcome, type Outcome } from '../base/outcome.ts';
import type { Span } from '../base/telemetry.ts';
import { decide } from '../policy/decide.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import { execute } from './execute.ts';
import { fail, nameFault } from './fail.ts';
import type { ToolWork } from './kind/tool.ts';
import { obtainPermit, wordsOf } from './permit.ts';
import { type CallRecord, recordDecision, recordIntent, recordProgress, recordResult } from './record.ts';
import { printedWithoutSecrets, progressWithoutSecrets, secretsFor, withoutSecrets } from './secret.ts';
import { beginCall, endCall, traceDecision } from './trace.ts';
import { understand } from './understand.ts';
import { policyOf, type Work } from './work.ts';

/** Who answers, when it is not the runtime of skills itself. */
export interface Speaker {
  readonly agent: Agent;
  readonly surface: Surface;
}

/** Never throws: whatever happens is an outcome, and the record says so. */
export async function perform(call: Call, door: Door, speaker: Speaker = speakerOf(call)): Promise<Outcome> {
  const span = beginCall(call, door);
  const outcome = await pass(call, door, answering(door, speaker), span);
  if (span) endCall(span, outcome);
  return outcome;
}

async function pass(call: Call, door: Door, by: Answering, span: Span | undefined): Promise<Outcome> {
  try {
    const work = await understand(call, door);
    if ('answer' in work) return work.answer(by);
    const policy = await policyOf(work, door);
    const decision = decide(work.asked, policy);
    const role = policy.role?.name ?? call.role;
    const record: CallRecord = {
      id: randomId(4),
      work,
      ...(policy.tier && { tier: policy.tier }),
      ...(role !== undefined && { role }),
      ...(span && { span }),
    };
    traceDecision(record, decision);
    recordDecision(record, decision, door);
    if (work.skill && work.digest !== '') door.requireUnchanged(work.skill, work);
    const permit = await obtainPermit({ id: record.id, call, work, policy, decision }, door);
    if (!permit.granted) return interrupted(by, permit.interrupt, wordsOf(work), permit.note);
    recordIntent(record, door);
    return await ('run' in work ? useHere(record, work, door, by) : carryOut(record, work, door, by));
  } catch (error) {
    return fail(by, nameFault(error), {}, 'skill' in call ? call.skill : undefined);
  }
}

export function answering(door: Door, speaker: Speaker): Answering {
  return { ...speaker, language: door.language, startedAt: door.clock.now(), now: () => door.clock.now() };
}

/** Each way to call speaks with the error names of the document it comes from. */
export function speakerOf(call: Call): Speaker {
  if (call.kind === 'run_worker') return { agent: 'worker_agent', surface: 'task' };
  return { agent: 'skills', surface: call.kind === 'call' ? 'call' : 'invoke' };
}

async function carryOut(record: CallRecord, work: Work, door: Door, by: Answering): Promise<Outcome> {
  try {
    const secrets = secretsFor(work, door);
    const onProgress = progressWithoutSecrets(recordProgress(record, door), secrets);
    const watched = { onProgress, tracer: record.span ?? door.tracer };
    const executed = withoutSecrets(await execute(work, secrets, door, watched), secrets);
    const outcome = work.conclude(executed, by);
    recordResult(record, door, outcome, { executed, printed: printedWithoutSecrets(executed, secrets) });
    if (!work.counts || !work.skill) return outcome;
    const use = { ok: outcome.state === 'success', durationMs: executed.ended.durationMs, at: door.clock.now() };
    const problem = await door.recordUse(work.skill, use);
    return problem === undefined ? outcome : { ...outcome, data: { ...outcome.data, not_counted: problem } };
  } catch (error) {
    const outcome = fail(by, nameFault(error));
    recordResult(record, door, outcome);
    return outcome;
  }
}

async function useHere(record: CallRecord, work: ToolWork, door: Door, by: Answering): Promise<Outcome> {
  try {
    const data = await work.run();
    const outcome = makeOutcome(by, 'success', { en: `did ${work.tool}`, zh: `执行成功: ${work.tool}` }, data);
    recordResult(record, door, outcome, { printed: JSON.stringify(data) });
    return outcome;
  } catch (error) {
    const outcome = fail(by, nameFault(error));
    recordResult(record, door, outcome);
    return outcome;
  }
}

function interrupted(by: Answering, saved: Interrupt, words: string, note?: Text): Outcome {
  const { id, question, choices, expires, resumeCommand } = saved;
  const data = {
    type: 'ApprovalRequired',
    code: 'APPROVAL_REQUIRED',
    id,
    question,
    choices,
    expires: new Date(expires).toISOString(),
    resume_command: resumeCommand,
    ...(note && { note: inLanguage(note, by.language) }),
  };
  return makeOutcome(by, 'interrupted', { en: `a decision is needed: ${words}`, zh: `需要批准: ${words}` }, data);
}
