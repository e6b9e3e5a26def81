// `jobs list`: every schedule with its next time, whether it is on, and what came of it last.
import { openJobQueue, schedulesOf, targetOf } from '../../../app/job/open-jobs.ts';
import { describeWhen, JOB_STATES, readResult, sayReason, time } from '../../../app/view/jobs.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { isAlive } from '../../../jobs/able.ts';
import { nextMoment } from '../../../jobs/moment.ts';
import { nameTarget } from '../../../jobs/payload.ts';
import type { Schedule } from '../../../jobs/schedule.ts';
import { STOP_REASONS } from '../../../jobs/scheduler.ts';
import { wallTime } from '../../../jobs/zone.ts';
import { listRoles } from '../../../registry/role/role.ts';
import type { Job, ScheduleState } from '../../../store/queue.ts';
import type { Command } from '../../frame/command.ts';
import { inLanguageOf, renderDiagnostics } from '../../view/diagnostic.ts';
import { titledColumns } from '../../view/titled-columns.ts';

const STATES = {
  active: { en: 'on', zh: '启用' },
  disabled: { en: 'off', zh: '停用' },
  stopped: { en: 'stopped', zh: '已停止' },
} as const satisfies Record<string, Text>;

export const command: Command = {
  about: {
    en: 'Schedules stand in agents/<role>/agent.yaml; `start` plans and runs them.',
    zh: '定时任务写在 agents/<角色>/agent.yaml 中，由 `start` 计划并执行。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright jobs list', 'skillwright jobs list --json'],
  async run({ runtime, terminal }) {
    runtime.requireConfig();
    const { schedules, diagnostics: found } = schedulesOf(await listRoles(runtime.project));
    const diagnostics = await inLanguageOf(found, runtime.language);
    const queue = await openJobQueue(runtime);
    try {
      const known = new Map((await queue.schedules.all()).map((state) => [state.id, state]));
      const now = runtime.clock.now();
      const listed: Listed[] = [];
      for (const schedule of schedules) {
        const [last] = await queue.history({ schedule: schedule.id, limit: 1 });
        listed.push({ schedule, last, now, ...stateOf(schedule, known.get(schedule.id), runtime.trusted) });
      }
      const data = { schedules: listed.map(describe), total: listed.length, diagnostics };
      const by = runtime.answering('jobs', 'own');
      const rows = listed.map((one) => renderRow(one, runtime.language));
      const parts = [
        rows.length === 0 ? '' : renderTable(titledColumns(TITLES, runtime.language), rows, terminal),
        renderDiagnostics(diagnostics, runtime.project, terminal),
      ];
      const waits =
        listed.some(({ state }) => state === 'active') && !(await queue.workers()).some((one) => isAlive(one, now));
      return {
        outcome: makeOutcome(
          by,
          'success',
          count(listed.length, diagnostics.filter(({ severity }) => severity === 'error').length),
          data,
        ),
        human: parts.filter((part) => part !== '').join('\n'),
        ...(waits && { hint: NOBODY_WORKS[runtime.language] }),
      };
    } finally {
      await queue.close();
    }
  },
};

const NOBODY_WORKS: Text = {
  en: 'Nobody runs them now: `skillwright start` does.',
  zh: '目前无人执行: 请运行 `skillwright start`。',
};

interface Listed {
  readonly schedule: Schedule;
  readonly last: Job | undefined;
  readonly now: number;
  readonly state: keyof typeof STATES;
  readonly reason?: string;
}

const HERE = {
  off: { en: 'enabled: false in agent.yaml', zh: 'agent.yaml 中为 enabled: false' },
  untrusted: {
    en: 'the folder is not trusted as it is now: skillwright trust',
    zh: '目录在当前状态下未受信任: skillwright trust',
  },
} as const satisfies Record<string, Text>;
const REASONS = [...Object.values(HERE), ...Object.values(STOP_REASONS)];

/** A change of agent.yaml begins a stopped schedule anew, but a person's no stays. */
function stateOf(
  { enabled, written }: Schedule,
  known: ScheduleState | undefined,
  trusted: boolean,
): Pick<Listed, 'state' | 'reason'> {
  if (known?.state === 'disabled') return { state: 'disabled', ...(known.reason && { reason: known.reason }) };
  if (!enabled) return { state: 'disabled', reason: HERE.off.en };
  if (!trusted) return { state: 'stopped', reason: HERE.untrusted.en };
  if (known?.state === 'stopped' && known.written === written)
    return { state: 'stopped', ...(known.reason && { reason: known.reason }) };
  return { state: 'active' };
}

function next({ schedule, state, now }: Listed): number | undefined {
  return state === 'active' ? nextMoment(schedule.when, schedule.timezone, now) : undefined;
}

function describe(listed: Listed) {
  const { schedule, last, state, reason } = listed;
  const { id, role, when, timezone, target, overlap, misfire, follow } = schedule;
  const done = last && readResult(last);
  return {
    id,
    role,
    skill: 'skill' in target ? target.skill : null,
    action: 'skill' in target ? target.action : null,
    prompt: 'prompt' in target ? target.prompt : null,
    when: describeWhen(schedule).en,
    kind: when.kind,
    timezone,
    overlap,
    misfire: misfire.mode,
    follow,
    state,
    reason: reason ?? null,
    next: time(next(listed)),
    last: last
      ? {
          id: last.id,
          state: last.state,
          ended: time(last.endedAt),
          outcome: done?.state ?? null,
          summary: done?.summary ?? null,
        }
      : null,
  };
}

const TITLES: readonly Text[] = [
  { en: 'SCHEDULE', zh: '定时任务' },
  { en: 'WHEN', zh: '时间' },
  { en: 'STATE', zh: '状态' },
  { en: 'NEXT', zh: '下次' },
  { en: 'LAST', zh: '上次' },
  { en: 'DOES', zh: '内容' },
];

function renderRow(listed: Listed, language: Language): string[] {
  const { schedule, last, state, reason } = listed;
  const said = STATES[state][language];
  return [
    schedule.id,
    describeWhen(schedule)[language],
    reason === undefined ? said : `${said}: ${sayReason(reason, language, REASONS)}`,
    onTheWall(next(listed), schedule) ?? '–',
    last ? `${JOB_STATES[last.state][language]} ${onTheWall(last.endedAt, schedule) ?? ''}`.trimEnd() : '–',
    visible(nameTarget(schedule.role, targetOf(schedule))),
  ];
}

/** As the clock of its own time zone shows it, which stands beside it. */
function onTheWall(moment: number | undefined, { timezone }: Schedule): string | undefined {
  return moment === undefined ? undefined : time(wallTime(moment, timezone))?.slice(0, 19).replace('T', ' ');
}

function count(total: number, mistakes: number): Text {
  const and = {
    en: mistakes === 0 ? '' : `, ${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'}`,
    zh: mistakes === 0 ? '' : `，${mistakes} 处错误`,
  };
  if (total === 0) return { en: `no schedules here${and.en}`, zh: `没有定时任务${and.zh}` };
  return { en: `${total} ${total === 1 ? 'schedule' : 'schedules'}${and.en}`, zh: `共 ${total} 个定时任务${and.zh}` };
}
