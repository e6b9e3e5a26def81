// The one door: every effect anybody asks for passes through here and comes back as an outcome.
// resolve → decide → approval or grant → snapshot by digest → execute → guard output → audit
import type { Surface } from '../base/errors.ts';
import { statedOutcome } from '../base/flat-outcome.ts';
import { randomId } from '../base/ids.ts';
import { inLanguage } from '../base/language.ts';
import { type Agent, type Answering, type Data, interruptedOutcome, type Outcome, tell } from '../base/outcome.ts';
import type { Span } from '../base/telemetry.ts';
import { visible } from '../base/text.ts';
import { decide } from '../policy/decide.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Call, CallContext } from './call.ts';
import { consentGiven, consentInLayer, consentOf, NO_CONSENT } from './consent/consent.ts';
import { variablesNotGiven } from './consent/not-given.ts';
import { variablesOf } from './consent/variable.ts';
import type { Door } from './door.ts';
import { execute } from './execute.ts';
import type { Executed } from './executed.ts';
import { fail, nameFault } from './fail.ts';
import { askedOf } from './judge/asked-call.ts';
import { type FileReader, readingOf } from './kind/reading.ts';
import type { ToolWork } from './kind/tool.ts';
import { hostReachOf } from './network/host-reach.ts';
import { isWholeNetworkGiven } from './network/whole-network.ts';
import { textOf } from './output/conclude.ts';
import { tellConsent } from './output/consent.ts';
import { markChanged } from './output/hold-back.ts';
import { progressWithoutSecrets, toldWithoutSecrets, tooShortIn, withoutSecrets } from './output/without-secrets.ts';
import { obtainPermit, type SavedQuestion, wordsOf } from './permit.ts';
import {
  type CallRecord,
  recordAttempt,
  recordDecision,
  recordIntent,
  recordProgress,
  recordReach,
  recordResult,
} from './record.ts';
import { knownSecrets, type Secrets, secretsFor } from './secret.ts';
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
  reader: FileReader = 'model',
): Promise<Outcome | undefined> {
  const by = answering(door, speaker);
  try {
    const { call, effect } = readingOf(skill, file, context, reader);
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
    recordReach(record, door);
    recordIntent(record, door);
    if ('run' in work) return await useHere(record, work, door, by);
    return await carryOut(record, work, door, by);
  } catch (error) {
    return fail(by, nameFault(error), {}, 'skill' in call ? call.skill : undefined);
  }
}

type Admitted = { readonly record: CallRecord } | { readonly permit: SavedQuestion };

/** Decides, on the record, and asks where that is the decision. Throws a Fault for what is refused. */
async function admit(call: Call, work: CallEffect, door: Door, span: Span | undefined): Promise<Admitted> {
  const policy = await policyOf(work, door);
  const consent = await consentInLayer(work, policy.tier, door);
  const asked = await askedOf({ work, consent }, policy, door);
  const decision = decide(asked, policy);
  const role = policy.role?.name ?? call.role;
  const record: CallRecord = {
    id: randomId(4),
    work,
    given: NO_CONSENT,
    network: work.network,
    ...(policy.tier && { tier: policy.tier }),
    ...(role !== undefined && { role }),
    ...(span && { span }),
  };
  traceDecision(record, decision);
  recordDecision(record, decision, door);
  const { skill, digest } = work;
  if (skill && digest !== '') door.requireUnchanged(skill, { digest });
  const permit = await obtainPermit({ id: record.id, call, work, policy, decision, consent }, door);
  if ('again' in permit) return await admit(call, work, door, span);
  if (!permit.granted) return { permit };
  const { grant, inside, shown = false } = permit;
  const given = consentGiven(work, consent, { now: consentOf(work, policy.tier, door), shown });
  const admitted = { ...record, given, ...(grant && { grant }), ...(inside && { inside }) };
  if (!(await isWholeNetworkGiven(admitted, { asked, policy }, door))) return { record: admitted };
  // What the grant says about hosts is covered by more than it said.
  return { record: { ...admitted, network: true, given: { ...given, notCounted: [] } } };
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
    const { network, given } = record;
    const { reach } = given;
    const { values, unset } = variablesOf(reach.variables, door);
    const secrets = { ...values, ...secretsFor(work, door) };
    const known = knownSecrets(secrets, door);
    const onProgress = progressWithoutSecrets(recordProgress(record, door), known);
    const writes = record.grant?.writes ?? false;
    const watched = { onProgress, tracer: record.span ?? door.tracer, writes, unseen: record.inside ?? false };
    const underway = { ...watched, reach, network, hosts: hostReachOf(record, door, known) };
    const executed = withoutSecrets(await execute(work, secrets, door, underway), knownSecrets(secrets, door));
    door.onStderr?.(textOf(executed.ended.stderr));
    door.onEnded?.(executed.ended);
    const ended = work.conclude(executed, by);
    const had = { given: secrets, granted: reach.variables, tier: record.tier, door };
    const notGiven = await variablesNotGiven(work, ended, had);
    const concluded = tellConsent(ended, { ...given, unset, notGiven }, by.language);
    const outcome = tellUnredacted(concluded, secrets);
    recordResult(record, door, outcome, { executed, printed: printedBy(executed) });
    if (!work.counts || !work.skill) return outcome;
    const use = { ok: outcome.state === 'success', durationMs: executed.ended.durationMs, at: door.clock.now() };
    const problem = await door.recordUse(work.skill, use);
    return problem === undefined ? outcome : tell(outcome, { not_counted: problem });
  } catch (error) {
    const outcome = toldWithoutSecrets(fail(by, nameFault(error)), knownSecrets({}, door));
    recordResult(record, door, outcome);
    return outcome;
  }
}

/** Both streams as one. */
function printedBy({ ended: { stdout, stderr } }: Executed): Uint8Array {
  return stderr.length === 0 ? stdout : Buffer.concat([stdout, stderr]);
}

/** Whoever gave a value that cannot be told from other text is told so. */
function tellUnredacted(outcome: Outcome, secrets: Secrets): Outcome {
  const names = tooShortIn(secrets);
  return names.length === 0 ? outcome : tell(outcome, { not_redacted: names });
}

async function useHere(record: CallRecord, work: ToolWork, door: Door, by: Answering): Promise<Outcome> {
  try {
    const done = await work.run({ unseen: record.inside ?? false, onAttempt: recordAttempt(record, door) });
    const known = knownSecrets({}, door);
    const data = toldWithoutSecrets(done, known);
    markChanged(door.workspace.opened(), known);
    const outcome = didTool(work, data, by);
    recordResult(record, door, outcome, { printed: JSON.stringify(data) });
    return outcome;
  } catch (error) {
    const outcome = toldWithoutSecrets(fail(by, nameFault(error)), knownSecrets({}, door));
    recordResult(record, door, outcome);
    return outcome;
  }
}

function didTool({ tool, asked: { remote } }: ToolWork, data: Data, by: Answering): Outcome {
  const name = remote === undefined ? tool : `mcp:${remote}`;
  const at = typeof data.path === 'string' ? ` ${visible(data.path)}` : '';
  const done = statedOutcome(by, 'success', { en: `did ${name}${at}`, zh: `执行成功: ${name}${at}` }, data);
  return { ...done, product: { ...done.product, result: data } };
}

function interrupted(by: Answering, { interrupt, note: about }: SavedQuestion, work: CallEffect): Outcome {
  const { id, question, choices, expires, resumeCommand, facts } = interrupt;
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
    ...(facts !== undefined && { facts }),
    ...note,
  };
  const summary = { en: `a decision is needed: ${words}`, zh: `需要批准: ${words}` };
  const asks = { waitsFor: 'approval', asked: id, question, next: resumeCommand, ...note } as const;
  return interruptedOutcome(by, summary, asks, data);
}
