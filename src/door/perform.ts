// The one door: every effect anybody asks for passes through here and comes back as an outcome.
// resolve → decide → approval or grant → snapshot by digest → execute → guard output → audit
import type { Surface } from '../base/errors.ts';
import { statedOutcome } from '../base/flat-outcome.ts';
import { randomId } from '../base/ids.ts';
import { inLanguage } from '../base/language.ts';
import { type Agent, type Answering, type Data, interruptedOutcome, type Outcome, tell } from '../base/outcome.ts';
import type { Span } from '../base/telemetry.ts';
import { decide } from '../policy/decide.ts';
import type { AskedCall, Policy } from '../policy/policy.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Call, CallContext } from './call.ts';
import type { Door } from './door.ts';
import { execute } from './execute.ts';
import { fail, nameFault } from './fail.ts';
import { readingOf } from './kind/reading.ts';
import type { ToolWork } from './kind/tool.ts';
import { nameProgram } from './named-program.ts';
import { textOf } from './output/conclude.ts';
import { obtainPermit, type SavedQuestion, wordsOf } from './permit.ts';
import { type CallRecord, recordDecision, recordIntent, recordProgress, recordResult } from './record.ts';
import { printedWithoutSecrets, progressWithoutSecrets, secretsFor, withoutSecrets } from './secret.ts';
import { beginCall, endCall, traceDecision } from './trace.ts';
import { understand } from './understand.ts';
import { type CallEffect, policyOf, type Work } from './work.ts';

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

/** The outcome that refuses or waits, where a file of a skill may not be read; it is decided like any read. */
export async function permitReading(
  skill: SkillEntry,
  file: string,
  context: CallContext,
  door: Door,
  speaker: Speaker,
): Promise<Outcome | undefined> {
  const by = answering(door, speaker);
  try {
    const { call, effect } = readingOf(skill, file, context);
    const admitted = await admit(call, effect, door, undefined);
    return 'permit' in admitted ? interrupted(by, admitted.permit, effect) : undefined;
  } catch (error) {
    return fail(by, nameFault(error), {}, skill.name);
  }
}

async function pass(call: Call, door: Door, by: Answering, span: Span | undefined): Promise<Outcome> {
  try {
    const work = await understand(call, door);
    if ('answer' in work) return work.answer(by);
    const admitted = await admit(call, work, door, span);
    if ('permit' in admitted) return interrupted(by, admitted.permit, work);
    const { record } = admitted;
    recordIntent(record, door);
    return await ('run' in work ? useHere(record, work, door, by) : carryOut(record, work, door, by));
  } catch (error) {
    return fail(by, nameFault(error), {}, 'skill' in call ? call.skill : undefined);
  }
}

type Admitted = { readonly record: CallRecord } | { readonly permit: SavedQuestion };

/** Decides, on the record, and asks where that is the decision. Throws a Fault for what is refused. */
async function admit(call: Call, work: CallEffect, door: Door, span: Span | undefined): Promise<Admitted> {
  const policy = await policyOf(work, door);
  const decision = decide(askedOf(work, policy, door), policy);
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
  const { skill, digest } = work;
  if (skill && digest !== '') door.requireUnchanged(skill, { digest });
  const permit = await obtainPermit({ id: record.id, call, work, policy, decision }, door);
  if (!permit.granted) return { permit };
  return { record: permit.grant ? { ...record, grant: permit.grant } : record };
}

/** Which program it is, or which interpreter, is found out only where a list asks for it: for that a file is read. */
function askedOf(work: CallEffect | Work, policy: Policy, door: Door): AskedCall {
  if (!('program' in work)) return work.asked;
  const isNamed = namesPrograms(policy) || ('script' in work.program && hasPatterns(policy));
  const program = isNamed ? nameProgram(work.program, work.skill?.folder, door) : undefined;
  return program === undefined ? work.asked : { ...work.asked, program };
}

function namesPrograms({ settings, project }: Policy): boolean {
  return settings.programs !== undefined || project?.programs !== undefined;
}

function hasPatterns({ role, skills = [], runtime }: Policy): boolean {
  const rules = [role, runtime, ...skills].flatMap((list) => list?.allowedTools ?? []);
  return rules.some(({ pattern }) => pattern !== undefined);
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
    const writes = record.grant?.writes ?? false;
    const underway = { onProgress, tracer: record.span ?? door.tracer, writes };
    const executed = withoutSecrets(await execute(work, secrets, door, underway), secrets);
    door.onStderr?.(textOf(executed.ended.stderr));
    door.onEnded?.(executed.ended);
    const outcome = work.conclude(executed, by);
    recordResult(record, door, outcome, { executed, printed: printedWithoutSecrets(executed, secrets) });
    if (!work.counts || !work.skill) return outcome;
    const use = { ok: outcome.state === 'success', durationMs: executed.ended.durationMs, at: door.clock.now() };
    const problem = await door.recordUse(work.skill, use);
    return problem === undefined ? outcome : tell(outcome, { not_counted: problem });
  } catch (error) {
    const outcome = fail(by, nameFault(error));
    recordResult(record, door, outcome);
    return outcome;
  }
}

async function useHere(record: CallRecord, work: ToolWork, door: Door, by: Answering): Promise<Outcome> {
  try {
    const data = await work.run();
    const outcome = didTool(work, data, by);
    recordResult(record, door, outcome, { printed: JSON.stringify(data) });
    return outcome;
  } catch (error) {
    const outcome = fail(by, nameFault(error));
    recordResult(record, door, outcome);
    return outcome;
  }
}

function didTool({ tool }: ToolWork, data: Data, by: Answering): Outcome {
  const done = statedOutcome(by, 'success', { en: `did ${tool}`, zh: `执行成功: ${tool}` }, data);
  return { ...done, product: { ...done.product, result: data } };
}

function interrupted(by: Answering, { interrupt, note: about }: SavedQuestion, work: CallEffect): Outcome {
  const { id, question, choices, expires, resumeCommand } = interrupt;
  const words = wordsOf(work);
  const note = about && { note: inLanguage(about, by.language) };
  const data = {
    type: 'ApprovalRequired',
    code: 'APPROVAL_REQUIRED',
    id,
    question,
    choices,
    expires: new Date(expires).toISOString(),
    resume_command: resumeCommand,
    ...note,
  };
  const summary = { en: `a decision is needed: ${words}`, zh: `需要批准: ${words}` };
  return interruptedOutcome(by, summary, { waitsFor: 'approval', question, next: resumeCommand, ...note }, data);
}
