// The one door: every effect anybody asks for passes through here and comes back as an outcome.
// resolve → decide → approval or grant → snapshot by digest → execute → guard output → audit
import { createRedactor } from '../audit/redact.ts';
import { Fault, type Surface, toFault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { type Agent, type Answering, type Data, failedOutcome, makeOutcome, type Outcome } from '../base/outcome.ts';
import { decide } from '../policy/decide.ts';
import type { Interrupt } from '../policy/interrupt.ts';
import { excerptOf } from '../process/excerpt.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import { type Executed, execute } from './execute.ts';
import { obtainPermit } from './permit.ts';
import { faultOf } from './verdict.ts';
import { policyOf, understand, type Work } from './work.ts';

/** Who answers, when it is not the runtime of skills itself. */
export interface Voice {
  readonly agent: Agent;
  readonly surface: Surface;
}

const SKILLS: Voice = { agent: 'skills', surface: 'invoke' };

/** Never throws: whatever happens is an outcome, and the record says so. */
export async function perform(call: Call, door: Door, voice: Voice = SKILLS): Promise<Outcome> {
  const by: Answering = { ...voice, language: door.language, startedAt: door.clock.now(), now: () => door.clock.now() };
  const id = randomId(4);
  try {
    const work = understand(call, door);
    const { tier } = await door.sandbox();
    const policy = policyOf(work, door, tier);
    const decision = decide(work.asked, policy);
    const { effect, risk, layers } = decision;
    door.run.record(
      {
        type: 'decision',
        call: id,
        tool: work.tool,
        effect,
        risk,
        layers,
        ...(call.role !== undefined && { role: call.role }),
      },
      tier,
    );
    const permit = await obtainPermit({ id, call, work, policy, decision }, door);
    if (!permit.granted) return interruptedOutcome(by, permit.interrupt);
    recordIntent(id, work, door, tier);
    return await carryOut(id, work, door, by);
  } catch (error) {
    return failedOutcome(by, toFault(error));
  }
}

async function carryOut(id: string, work: Work, door: Door, by: Answering): Promise<Outcome> {
  const secrets = secretsFor(work, door);
  try {
    const executed = guard(await execute(work, secrets, door), secrets);
    const outcome = judge(work, executed, by);
    recordResult(id, work, door, outcome, executed);
    return outcome;
  } catch (error) {
    const outcome = failedOutcome(by, toFault(error));
    recordResult(id, work, door, outcome);
    return outcome;
  }
}

function judge(work: Work, executed: Executed, by: Answering): Outcome {
  const { ended, outputs, tier, notEnforced } = executed;
  const skill = work.skill?.name;
  const sandbox = { tier, not_enforced: notEnforced };
  const fault = faultOf(ended, work.seconds);
  if (fault?.type === 'Timeout') {
    return failedOutcome(by, fault, {
      skill,
      elapsed: Math.round(ended.durationMs) / 1000,
      limit: work.seconds,
      sandbox,
    });
  }
  if (fault) return failedOutcome(by, fault, { skill, sandbox });
  const data: Data = {
    ...(skill !== undefined && { skill }),
    exit: ended.exit,
    stdout: Buffer.from(ended.stdout).toString('utf8').toWellFormed(),
    stderr: excerptOf(ended.stderr),
    outputs: outputs.copied,
    ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    sandbox,
  };
  const what = work.words[0] ?? work.tool;
  return makeOutcome(by, 'success', { en: `ran ${what}`, zh: `执行成功: ${what}` }, data);
}

/** Nothing a skill was trusted with leaves through its output. */
function guard(executed: Executed, secrets: Readonly<Record<string, string>>): Executed {
  const named = Object.entries(secrets).map(([name, value]) => ({ name, value }));
  if (named.length === 0) return executed;
  const redactor = createRedactor(named);
  const { ended } = executed;
  return {
    ...executed,
    ended: { ...ended, stdout: redactor.bytes(ended.stdout), stderr: redactor.bytes(ended.stderr) },
  };
}

function secretsFor(work: Work, door: Door): Record<string, string> {
  const missing = work.secrets.filter((name) => !door.env[name]);
  if (missing.length > 0) {
    throw new Fault('ParamMissing', missing.join(', '), {
      hint: { en: 'Set it in the environment of this command.', zh: '请在运行此命令的环境中设置。' },
    });
  }
  return Object.fromEntries(work.secrets.map((name) => [name, door.env[name] ?? '']));
}

function interruptedOutcome(by: Answering, saved: Interrupt): Outcome {
  const { id, question, choices, expires, resumeCommand } = saved;
  const data = {
    type: 'ApprovalRequired',
    code: 'APPROVAL_REQUIRED',
    id,
    question,
    choices,
    expires: new Date(expires).toISOString(),
    resume_command: resumeCommand,
  };
  return makeOutcome(by, 'interrupted', { en: `a decision is needed: ${question}`, zh: `需要批准: ${question}` }, data);
}

function recordIntent(
  id: string,
  { tool, skill, digest, args, network, writes }: Work,
  door: Door,
  tier: string,
): void {
  const kept = door.run.keep(JSON.stringify(args));
  const who = skill && { skill: skill.skillId, digest };
  door.run.record({ type: 'call-intent', call: id, tool, ...who, args: kept, network, writes }, tier);
}

function recordResult(id: string, { tool, skill }: Work, door: Door, outcome: Outcome, executed?: Executed): void {
  const { data, state } = outcome;
  const output =
    executed && door.run.keep(Buffer.concat([executed.ended.stdout, executed.ended.stderr]).toString('utf8'));
  door.run.record(
    {
      type: 'call-result',
      call: id,
      tool,
      ...(skill && { skill: skill.skillId }),
      state,
      exit: executed?.ended.exit ?? null,
      duration_ms: Math.round(executed?.ended.durationMs ?? 0),
      ...(typeof data.code === 'string' && { error: data.code }),
      ...(output && { output }),
      ...(executed && { not_enforced: executed.notEnforced }),
    },
    executed?.tier,
  );
}
