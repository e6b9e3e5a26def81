// `jobs list`: every schedule with its next time, whether it is on, and what came of it last.
import { type ListedSchedule, listSchedules } from '../../../app/job/schedule.ts';
import { SCHEDULE_REASONS } from '../../../app/job/schedule-state.ts';
import { describeWhen, JOB_STATES, readResult, sayReason, time, wallClock } from '../../../app/view/jobs.ts';
import { speak } from '../../../base/diagnostic.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderRecords } from '../../../base/text/record-table.ts';
import { wrap } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { renderDiagnostics } from '../../view/diagnostic.ts';
import { recordColumns, type WholeTitle } from '../../view/titled-columns.ts';

const STATES = {
  active: { en: 'on', zh: '启用' },
  disabled: { en: 'off', zh: '停用' },
  stopped: { en: 'stopped', zh: '已停止' },
  blocked: { en: 'blocked', zh: '受阻' },
} as const satisfies Record<ListedSchedule['state'] | 'blocked', Text>;

export const command: Command = {
  about: {
    en: 'Schedules stand in agents/<role>/agent.yaml; `start` plans and runs them.',
    zh: '定时任务写在 agents/<角色>/agent.yaml 中，由 `start` 计划并执行。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright jobs list', 'skillwright jobs list --json'],
  async run({ runtime, terminal }) {
    const { schedules, diagnostics: found, lacksWorker } = await listSchedules(runtime);
    const diagnostics = speak(found, runtime.language);
    const mistakes = diagnostics.filter(({ severity }) => severity === 'error').length;
    const data = {
      schedules: schedules.map((one) => describe(one, runtime.language)),
      total: schedules.length,
      diagnostics,
    };
    const rows = schedules.map((one) => renderRow(one, runtime.language));
    const parts = [
      rows.length === 0 ? '' : renderRecords(recordColumns(TITLES, runtime.language), rows, terminal),
      schedules.flatMap((one) => notesOn(one, lacksWorker, runtime.language, terminal.width)).join('\n'),
      renderDiagnostics(diagnostics, runtime.project, terminal),
    ];
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', count(schedules.length, mistakes), data),
      human: parts.filter((part) => part !== '').join('\n'),
      ...(lacksWorker && { hint: NOBODY_WORKS[runtime.language] }),
    };
  },
};

const NOBODY_WORKS: Text = {
  en: 'Nobody runs them now: `skillwright start` does.',
  zh: '目前无人执行: 请运行 `skillwright start`。',
};

function describe({ schedule, last, state, reason, next, troubles }: ListedSchedule, language: Language) {
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
    troubles: troubles.map(({ kind, says, command }) => ({ kind, reason: says[language], command })),
    next: time(next),
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

const TITLES: readonly WholeTitle[] = [
  { en: 'SCHEDULE', zh: '定时任务' },
  { en: 'WHEN', zh: '时间' },
  { en: 'STATE', zh: '状态', whole: true },
  { en: 'NEXT', zh: '下次', whole: true },
  { en: 'LAST', zh: '上次' },
  { en: 'DOES', zh: '内容' },
];

function renderRow(listed: ListedSchedule, language: Language): string[] {
  const { schedule, does, last, state, next, troubles } = listed;
  // That nobody works is no fault of the schedule, and told below.
  const isBlocked =
    state === 'active' &&
    troubles.some(({ kind }) => !['no-worker', 'grant-ending', 'key-revoked', 'reach-lost'].includes(kind));
  return [
    schedule.id,
    describeWhen(schedule)[language],
    STATES[isBlocked ? 'blocked' : state][language],
    wallClock(next, schedule) ?? '–',
    last ? `${JOB_STATES[last.state][language]} ${wallClock(last.endedAt, schedule) ?? ''}`.trimEnd() : '–',
    visible(does),
  ];
}

/** Why it is not on, and what keeps it from running, each with the command that helps. */
function notesOn(
  { schedule, state, reason, troubles }: ListedSchedule,
  lacksWorker: boolean,
  language: Language,
  width: number,
): string[] {
  const off = state === 'disabled' && reason ? [sayReason(reason, language, SCHEDULE_REASONS)] : [];
  const told = troubles.filter(({ kind }) => kind !== 'no-worker' || !lacksWorker);
  const notes = [...off, ...told.map(({ says, command }) => visible(`${says[language]} → ${command}`))];
  return notes.flatMap((note) => wrap(`! ${visible(schedule.id)}: ${note}`, width));
}

function count(total: number, mistakes: number): Text {
  const and = {
    en: mistakes === 0 ? '' : `, ${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'}`,
    zh: mistakes === 0 ? '' : `，${mistakes} 处错误`,
  };
  if (total === 0) return { en: `no schedules here${and.en}`, zh: `没有定时任务${and.zh}` };
  return { en: `${total} ${total === 1 ? 'schedule' : 'schedules'}${and.en}`, zh: `共 ${total} 个定时任务${and.zh}` };
}
