// `jobs run`: one action of a role's skill, or what a schedule does, now; it stands in the history like any other job.

import { newJob, openJobQueue, openWorkerDeps, targetOf } from '../../../app/job/open-jobs.ts';
import { missingAction } from '../../../app/missing-action.ts';
import { openDoor } from '../../../app/open-door.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { findSchedule, outcomeOf } from '../../../app/view/jobs.ts';
import { Fault } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { inLanguage, type Text } from '../../../base/language.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { readTraceparent } from '../../../base/telemetry.ts';
import { visible } from '../../../base/text.ts';
import { VERSION } from '../../../base/version.ts';
import { isAlive, whyNobody } from '../../../jobs/able.ts';
import { checkOrder, failAsJob, requireRole } from '../../../jobs/executor.ts';
import type { JobTarget } from '../../../jobs/payload.ts';
import { digestOfTarget } from '../../../jobs/pin.ts';
import { FOREGROUND_PRIORITY, HEAD_START_MS, runHere } from '../../../jobs/run-here.ts';
import type { Role } from '../../../registry/role/role.ts';
import { digestSkill } from '../../../skill/digest.ts';
import type { NewJob, Queue } from '../../../store/queue.ts';
import { type Command, type CommandContext, isOn, textOption } from '../../frame/command.ts';
import { readLabels } from '../../frame/label.ts';
import { replyWith } from '../../frame/through-door.ts';
import { readCount } from '../../view/count.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { readParams } from '../skill/call.ts';

export const command: Command = {
  about: {
    en: 'Nobody is asked: it runs on a grant, or waits until `resume` decides. Everything is checked before anything is queued. With the name of a schedule alone, what that schedule does.',
    zh: '不会询问: 凭授权运行，否则等待 `resume` 决定。入队之前先检查一切。只写定时任务名称时，立即执行该任务的内容。',
  },
  positionals: [
    {
      name: 'target',
      required: true,
      summary: { en: 'role/skill with an action, or a schedule', zh: '角色/技能 加操作，或定时任务' },
    },
    { name: 'action', summary: { en: 'the action of the skill', zh: '技能的操作' } },
    { name: 'params', many: true, summary: { en: 'key=value', zh: '名称=值' } },
  ],
  options: [
    { name: 'params', value: 'JSON', summary: { en: 'parameters as one JSON object', zh: '以一个 JSON 对象给出参数' } },
    { name: 'timeout', value: 'SECONDS', summary: { en: 'less time than the skill has', zh: '缩短技能的时限' } },
    { name: 'retry', value: 'N', summary: { en: 'try again so often; 0 unless given', zh: '失败后重试次数；默认 0' } },
    { name: 'key', value: 'KEY', summary: { en: 'the same key is the same job', zh: '相同键即同一任务' } },
    {
      name: 'label',
      value: 'LABEL',
      many: true,
      summary: {
        en: 'only a worker with this label runs it; may be repeated',
        zh: '只由具有此标签的执行者运行；可重复',
      },
    },
    { name: 'pin', summary: { en: 'only with the files as they are now', zh: '仅使用当前的文件' } },
    { name: 'detach', summary: { en: 'only queue it; `start` runs it', zh: '仅入队，由 `start` 执行' } },
    { name: 'model', value: 'MODEL', summary: { en: 'as with `run`, for a prompt', zh: '同 `run`，用于提示词任务' } },
  ],
  examples: [
    'skillwright jobs run dev_efficiency_analyst/build_analysis daily_briefing',
    'skillwright jobs run dev_efficiency_analyst/build_analysis analyze days=7 --json',
    'skillwright jobs run dev_efficiency_analyst/daily_briefing --detach',
    'skillwright jobs run dev_efficiency_analyst/build_analysis analyze --label gpu --pin --detach',
  ],
  async run(context) {
    const outcome = await runJob(context);
    const reply = replyWith(outcome, outcomeBody(outcome));
    if (outcome.data.job_state !== 'queued') return reply;
    return { ...reply, hint: inLanguage(whatNow(String(outcome.data.job)), context.runtime.language) };
  },
};

function whatNow(id: string): Text {
  return {
    en: `\`skillwright start\` runs it; \`skillwright jobs show ${id}\` says what became of it.`,
    zh: `由 \`skillwright start\` 执行；\`skillwright jobs show ${id}\` 查看结果。`,
  };
}

async function runJob(context: CommandContext): Promise<Outcome> {
  const { runtime } = context;
  runtime.requireConfig();
  const door = openDoor(runtime, { kind: 'job', request: context.positionals.join(' '), version: VERSION });
  try {
    const { role, target } = await readOrder(context, door);
    if ('skill' in target) {
      const { skill: skill_name, action, params } = target;
      const { folder } = await checkOrder({ agent_role: role.name, skill_name, action, params }, door);
      // Files that cannot belong to a skill are refused before anything is queued.
      digestSkill(folder);
    }
    const queue = await openJobQueue(runtime);
    try {
      const labels = readLabels(context.options);
      const digest = isOn(context.options, 'pin')
        ? await digestOfTarget(runtime.project, role.name, target)
        : undefined;
      const job = newJob({ role, target, labels, ...readLimits(context) }, runtime);
      return await enqueueAndRun({ ...job, ...(digest !== undefined && { digest }) }, queue, context);
    } finally {
      await queue.close();
    }
  } catch (error) {
    if (error instanceof Fault && error.type === 'Usage') throw error;
    return failAsJob(error, door, context.positionals[0]);
  }
}

interface Ordered {
  readonly role: Role;
  readonly target: JobTarget;
}

async function readOrder(context: CommandContext, door: ReturnType<typeof openDoor>): Promise<Ordered> {
  const [written = '', action] = context.positionals;
  const { project } = context.runtime;
  const [roleName = '', skill = '', ...rest] = written.split('/');
  if (skill === '' || rest.length > 0) throw notATarget(written);
  const role = await requireRole(project, roleName);
  if (action === undefined) {
    const isSkill = role.skills.some(({ name }) => name === skill) && !role.schedule.some(({ id }) => id === skill);
    if (isSkill) throw await missingAction(written, context.runtime);
    const schedule = await findSchedule(project, written);
    return { role, target: targetOf(schedule) };
  }
  const params: Record<string, Json> = await readParams(context, { skill: written, action }, undefined, door);
  return { role, target: { skill, action, params } };
}

function readLimits({ options }: CommandContext): Pick<NewJob, 'retry'> & { timeoutMs?: number } {
  const seconds = textOption(options, 'timeout');
  const limit = readCount('retry', textOption(options, 'retry') ?? '0');
  const timeoutMs = seconds === undefined ? undefined : readCount('timeout', seconds) * 1000;
  if (timeoutMs === 0) throw new Fault('Usage', { en: '--timeout must be more than 0', zh: '--timeout 须大于 0' });
  return { retry: { limit, delayMs: 1_000, maxMs: 60_000 }, ...(timeoutMs !== undefined && { timeoutMs }) };
}

async function enqueueAndRun(job: NewJob, queue: Queue, { runtime, options }: CommandContext): Promise<Outcome> {
  const key = textOption(options, 'key');
  const yes = isOn(options, 'yes');
  const isLater = isOn(options, 'detach');
  const isElsewhere = job.labels?.some((label) => !runtime.config.labels.includes(label)) === true;
  if (isElsewhere && !isLater) await requireWorker(job, queue, runtime);
  const traceparent = callerOf(runtime.env);
  const added = await queue.enqueue({
    ...job,
    // What --yes allows is allowed to this command only, so other workers come later.
    ...(!isLater && { priority: FOREGROUND_PRIORITY, ...(!isElsewhere && { delayMs: HEAD_START_MS }) }),
    ...(key !== undefined && { key }),
    ...(traceparent && { traceparent }),
  });
  if (added.state === 'conflict') throw new Fault('IdempotencyConflict', visible(key ?? ''));
  const by = runtime.answering('jobs', 'call');
  if (isLater) {
    const queued = await queue.find(added.id);
    if (queued) return outcomeOf(queued, by);
  }
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    const deps = openWorkerDeps(runtime, queue, () => {}, { yes, model: textOption(options, 'model') });
    return outcomeOf(await runHere(added.id, { ...deps, signal: stop.signal }), by);
  } finally {
    process.removeListener('SIGINT', abort).removeListener('SIGTERM', abort);
  }
}

/** Somebody waits for the result: without a worker that can take the job it would be for nothing. */
async function requireWorker(job: NewJob, queue: Queue, { clock }: Runtime): Promise<void> {
  const alive = (await queue.workers()).filter((worker) => isAlive(worker, clock.now()));
  const why = whyNobody(job, alive);
  if (!why) return;
  throw new Fault('Usage', why, {
    hint: { en: '--detach queues it until there is one.', zh: '--detach 将其入队，直到有执行者可用。' },
  });
}

/** Whatever worker runs it goes on with the caller's trace. */
function callerOf({ TRACEPARENT }: Runtime['env']): string | undefined {
  return readTraceparent(TRACEPARENT) && TRACEPARENT;
}

function notATarget(written: string): Fault {
  const shown = visible(written);
  return new Fault('Usage', {
    en: `${shown} names no job: write role/skill and an action, or a schedule of \`jobs list\``,
    zh: `${shown} 不是任务: 请写 角色/技能 与操作，或 \`jobs list\` 中的定时任务`,
  });
}
