// Whether a skill keeps to the Skill protocol, found by calling it through the door.
import { Fault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { inLanguage } from '../../base/language.ts';
import { type Data, failedOutcome, interruptedOutcome, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { VERSION } from '../../base/version.ts';
import { type ConformFinding, type Conformity, conform, type Tried } from '../../door/conform.ts';
import { findTarget } from '../find-target.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { dropChanges } from '../workspace/settle.ts';

export interface ConformRequest extends Pick<Tried, 'skill' | 'source' | 'byPerson'> {
  /** The command that gives the yes all the calls need, where nobody can be asked. */
  readonly resumeCommand: string;
}

export interface CheckedProtocol {
  readonly outcome: Outcome;
  readonly findings: readonly ConformFinding[];
}

export async function checkProtocol(
  { resumeCommand, ...tried }: ConformRequest,
  runtime: Runtime,
  caller: Caller,
): Promise<CheckedProtocol> {
  const { role, index, reference: skill } = await findTarget(tried.skill, tried.source, runtime);
  const context = { request_id: randomId(), ...(role && { agent_id: role.name }), ...caller.context };
  const order = { ...caller, kind: 'conform', request: `conform ${skill}`, version: VERSION, context };
  using door = openDoor(runtime, { ...order, ...(index && { index }) });
  const conformity = await conform({ ...tried, skill, context: door.context }, door);
  await dropChanges(door, runtime);
  const { stopped, findings } = conformity;
  const outcome =
    stopped?.state === 'interrupted'
      ? askFirst(skill, resumeCommand, runtime)
      : (stopped ?? conclude(conformity, runtime));
  door.finish(outcome);
  return { outcome, findings };
}

/** Nobody to ask: one yes is about all the calls, so no single one of them can be resumed. */
function askFirst(skill: string, resumeCommand: string, runtime: Runtime): Outcome {
  const shown = visible(skill);
  const question = { en: `run ${shown} several times, to try it?`, zh: `多次运行 ${shown} 以检验？` };
  return interruptedOutcome(
    runtime.answering('skillwright', 'own'),
    { en: `a decision is needed: ${question.en}`, zh: `需要批准: ${question.zh}` },
    { waitsFor: 'approval', question: question[runtime.language], next: resumeCommand },
    {
      type: 'ApprovalRequired',
      code: 'APPROVAL_REQUIRED',
      question: question[runtime.language],
      resume_command: resumeCommand,
    },
  );
}

function conclude({ skill, actions, findings }: Conformity, runtime: Runtime): Outcome {
  const by = runtime.answering('skillwright', 'own');
  const musts = findings.filter(({ level }) => level === 'must');
  const failed = musts.filter(({ ok }) => !ok);
  const advice = findings.filter(({ level, ok }) => level === 'advice' && !ok);
  const data: Data = {
    skill,
    actions,
    results: findings.map(({ title: _title, detail, ...finding }) => ({
      ...finding,
      ...(detail !== undefined && { detail: inLanguage(detail, 'en') }),
    })),
    passed: musts.length - failed.length,
    failed: failed.length,
    advice: advice.length,
  };
  const shown = visible(skill);
  if (failed.length > 0) {
    const detail = {
      en: `${shown} breaks ${failed.length} of ${musts.length} musts`,
      zh: `${shown} 有 ${failed.length}/${musts.length} 项“必须”未满足`,
    };
    return failedOutcome(by, new Fault('CheckFailed', detail), data);
  }
  const rest =
    advice.length === 0 ? { en: '', zh: '' } : { en: `, ${advice.length} advice`, zh: `，${advice.length} 条建议` };
  return makeOutcome(
    by,
    'success',
    { en: `${shown} keeps to the protocol${rest.en}`, zh: `${shown} 符合协议${rest.zh}` },
    data,
  );
}
