// The schedules of a role: from its file to what a scheduler needs, with the errors of the rest.
import { systemClock } from '../base/clock.ts';
import { type Diagnostic, diagnose } from '../base/diagnostic.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { nearest, visible } from '../base/text.ts';
import type { Role } from '../registry/role/role.ts';
import type { ScheduleEntry } from '../registry/role/schema.ts';
import type { RetryRule } from '../store/queue.ts';
import { checkCron, nextMoment, type When } from './moment.ts';
import { instantOf, isTimeZone } from './zone.ts';

export type ScheduleTarget =
  | { readonly skill: string; readonly action: string; readonly params: Readonly<Record<string, unknown>> }
  | { readonly prompt: string };

export interface Schedule {
  /** `role/name`, independent of its position in the file. */
  readonly id: string;
  readonly role: string;
  readonly when: When;
  readonly timezone: string;
  readonly target: ScheduleTarget;
  readonly enabled: boolean;
  readonly retry: RetryRule;
  readonly overlap: 'skip' | 'queue' | 'parallel';
  /** Catch-up policy for times missed while no scheduler ran; with `all`, at most this many. */
  readonly misfire: { readonly mode: 'skip' | 'once' | 'all'; readonly limit: number };
  readonly jitterMs: number;
  readonly follow: 'pinned' | 'latest';
  readonly timeoutMs?: number;
  /** Only a worker with all of these labels can claim it. */
  readonly labels?: readonly string[];
  /** Fingerprint of everything above. */
  readonly written: string;
  /** Its place in the list of its role. */
  readonly entry?: number;
}

const RETRY: RetryRule = { limit: 2, delayMs: 10_000, maxMs: 600_000 };
const MISFIRE_LIMIT = 100;
const LONGEST_MS = 366 * 86_400_000;
const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Never throws: an invalid entry is skipped and reported. */
export function readSchedules(
  role: Role,
  now = systemClock.now(),
): { readonly schedules: readonly Schedule[]; readonly diagnostics: readonly Diagnostic[] } {
  const schedules = new Map<string, Schedule>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, entry] of role.schedule.entries()) {
    const id = `${role.name}/${nameOf(entry)}`;
    const findings: Finding[] = [];
    const read = readEntry(entry, { id, role: role.name, skills: role.skills, now }, (finding) =>
      findings.push(finding),
    );
    const schedule = read && { ...read, entry: index };
    if (schedules.has(id)) {
      findings.push({ code: 'schedule-twice', message: TWICE, fix: { en: 'give it an id', zh: '请为其设置 id' } });
    } else if (schedule && findings.every(({ severity }) => severity !== undefined)) schedules.set(id, schedule);
    diagnostics.push(
      ...findings.map((finding) => toDiagnostic(finding, id, { path: role.file, line: role.lines.schedule[index] })),
    );
  }
  return { schedules: [...schedules.values()], diagnostics };
}

const TWICE = { en: 'there is another one of this name', zh: '已有同名的定时任务' };
const EXAMPLE = { en: 'at: 2026-12-24T18:00:00', zh: 'at: 2026-12-24T18:00:00' };

interface Finding {
  readonly code: string;
  readonly message: Text;
  readonly fix?: Text;
  /** An error unless stated otherwise. */
  readonly severity?: 'warning';
}

type Say = (finding: Finding) => void;

interface Place {
  readonly id: string;
  readonly role: string;
  readonly skills: Role['skills'];
  readonly now: number;
}

function readEntry(entry: ScheduleEntry, { id, role, skills, now }: Place, say: Say): Schedule | undefined {
  const timezone = readZone(entry, say);
  const when = timezone === undefined ? undefined : readWhen(entry, timezone, say);
  const target = readTarget(entry, skills, say);
  const retry = readRetry(entry.retry, say);
  const jitterMs = readDuration('jitter', entry.jitter ?? 0, 0, say);
  if (!timezone || !when || !target || !retry || jitterMs === undefined) return undefined;
  if (nextMoment(when, timezone, now) === undefined) say(neverFires(when));
  const schedule = {
    id,
    role,
    when,
    timezone,
    target,
    enabled: entry.enabled ?? true,
    retry,
    overlap: entry.overlap ?? 'skip',
    misfire: readMisfire(entry.misfire),
    jitterMs,
    follow: entry.follow === true || entry.follow === 'latest' ? ('latest' as const) : ('pinned' as const),
    ...(entry.timeout !== undefined && { timeoutMs: entry.timeout * 1000 }),
    ...(entry.labels?.length && { labels: entry.labels }),
  };
  return { ...schedule, written: sha256(canonicalJson(schedule)).slice(0, 32) };
}

/** The name its author gave it; else what it does. */
function nameOf(entry: ScheduleEntry): string {
  const written =
    entry.id ?? entry.name ?? (entry.skill === undefined ? undefined : `${entry.skill}-${entry.action ?? ''}`);
  const plain = (written ?? '').replace(/[^\p{L}\p{N}_]+/gu, '-').replace(/^-|-$/g, '');
  return plain.slice(0, 64) || `prompt-${sha256(entry.prompt ?? '').slice(0, 8)}`;
}

function readZone({ timezone }: ScheduleEntry, say: Say): string | undefined {
  if (timezone === undefined) return 'UTC';
  if (isTimeZone(timezone)) return timezone;
  const near = nearest(timezone, Intl.supportedValuesOf('timeZone'));
  const fix =
    near.length > 0
      ? { en: `did you mean ${near.join(' or ')}?`, zh: `您是否想写 ${near.join(' 或 ')}？` }
      : { en: 'for example Asia/Shanghai, Europe/Berlin or UTC', zh: '例如 Asia/Shanghai、Europe/Berlin 或 UTC' };
  const message = { en: `there is no time zone ${timezone}`, zh: `不存在时区 ${timezone}` };
  say({ code: 'timezone-unknown', message, fix });
  return undefined;
}

function readWhen({ cron, interval, at }: ScheduleEntry, zone: string, say: Say): When | undefined {
  const given = [cron, interval, at].filter((one) => one !== undefined).length;
  if (given !== 1) {
    const message =
      given === 0
        ? { en: 'it does not say when', zh: '未说明何时执行' }
        : { en: 'it says more than one of cron, interval and at', zh: 'cron、interval、at 只能写一个' };
    const fix = { en: 'give exactly one of cron, interval and at', zh: '请在 cron、interval、at 中只写一个' };
    say({ code: 'schedule-when', message, fix });
    return undefined;
  }
  if (cron !== undefined) return readCron(cron, say);
  if (interval !== undefined) {
    const ms = readDuration('interval', interval, 1_000, say);
    return ms === undefined ? undefined : { kind: 'every', ms };
  }
  return readMoments([at ?? []].flat(), zone, say);
}

function readCron(pattern: string, say: Say): When | undefined {
  const wrong = checkCron(pattern);
  if (!wrong) return { kind: 'cron', pattern: pattern.trim().replace(/\s+/g, ' ') };
  const { field, problem } = wrong;
  const message = {
    en: `cron "${pattern}" cannot be read${field === undefined ? '' : `, in the field of the ${field}`}: ${problem.en}`,
    zh: `cron "${pattern}" 无法识别${field === undefined ? '' : `，字段 ${field}`}: ${problem.zh}`,
  };
  const fix = { en: '"0 9 * * 1-5" is 09:00 from Monday to Friday', zh: '"0 9 * * 1-5" 表示周一至周五 09:00' };
  say({ code: 'cron-invalid', message, fix });
  return undefined;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?\s*(Z|[+-]\d{2}:\d{2})?$/i;

/** Without an offset it is wall-clock time of the time zone. */
function readMoments(texts: readonly string[], zone: string, say: Say): When | undefined {
  const moments = texts.map((text) => {
    const [, day, time = '00:00', offset] = MOMENT.exec(text.trim()) ?? [];
    const wall = Date.parse(`${day}T${time}${offset?.toUpperCase() ?? 'Z'}`);
    return offset === undefined && !Number.isNaN(wall) ? instantOf(wall, zone) : wall;
  });
  const wrong = texts.filter((_, index) => Number.isNaN(moments[index]));
  for (const text of wrong) {
    const message = { en: `at "${text}" is not a time`, zh: `at "${text}" 不是时间` };
    say({ code: 'at-invalid', message, fix: EXAMPLE });
  }
  if (texts.length === 0)
    say({ code: 'at-invalid', message: { en: 'at names no time', zh: 'at 未写时间' }, fix: EXAMPLE });
  if (wrong.length > 0 || texts.length === 0) return undefined;
  return { kind: 'at', moments: [...new Set(moments)].sort((a, b) => a - b) };
}

function readTarget(
  { skill, action, params, prompt }: ScheduleEntry,
  skills: Role['skills'],
  say: Say,
): ScheduleTarget | undefined {
  const isSkill = skill !== undefined || action !== undefined || params !== undefined;
  if (isSkill === (prompt !== undefined)) {
    const message = isSkill
      ? { en: 'it names a skill and a prompt', zh: '同时写了技能和提示词' }
      : { en: 'it does not say what to run', zh: '未说明执行什么' };
    const fix = { en: 'give skill and action, or a prompt', zh: '请写 skill 与 action，或 prompt' };
    say({ code: 'schedule-target', message, fix });
    return undefined;
  }
  if (prompt !== undefined) return { prompt };
  // An installed skill may be a command, which has no actions.
  const needsAction = skills.some(({ name, kind }) => name === skill && kind === 'protocol');
  if (skill !== undefined && (action !== undefined || !needsAction))
    return { skill, action: action ?? '', params: params ?? {} };
  const missing = skill === undefined ? 'skill' : 'action';
  const message = { en: `${missing} is missing`, zh: `缺少 ${missing}` };
  say({ code: 'schedule-target', message, fix: { en: `add ${missing}`, zh: `请加上 ${missing}` } });
  return undefined;
}

function readRetry(written: ScheduleEntry['retry'], say: Say): RetryRule | undefined {
  if (written === undefined) return RETRY;
  const { limit = RETRY.limit, delay, max } = typeof written === 'number' ? { limit: written } : written;
  const delayMs = delay === undefined ? RETRY.delayMs : readDuration('retry.delay', delay, 0, say);
  const maxMs = max === undefined ? RETRY.maxMs : readDuration('retry.max', max, 0, say);
  if (delayMs === undefined || maxMs === undefined) return undefined;
  return { limit, delayMs, maxMs: Math.max(maxMs, delayMs) };
}

function readMisfire(written: ScheduleEntry['misfire']): Schedule['misfire'] {
  if (written === undefined) return { mode: 'once', limit: MISFIRE_LIMIT };
  if (typeof written === 'string') return { mode: written, limit: MISFIRE_LIMIT };
  return { mode: written.mode ?? 'all', limit: written.limit ?? MISFIRE_LIMIT };
}

function readDuration(key: string, written: string | number, leastMs: number, say: Say): number | undefined {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(String(written).trim()) ?? [];
  const ms = Math.round(Number(number) * (UNITS[unit] ?? Number.NaN));
  if (ms >= leastMs && ms <= LONGEST_MS) return ms;
  const range =
    leastMs > 0
      ? { en: 'from 1 second to 366 days', zh: '1 秒至 366 天' }
      : { en: 'up to 366 days', zh: '至多 366 天' };
  const message = {
    en: `${key} "${written}" is not a duration ${range.en}`,
    zh: `${key} "${written}" 不是时长（${range.zh}）`,
  };
  say({ code: 'duration-invalid', message, fix: { en: `${key}: 15m`, zh: `${key}: 15m` } });
  return undefined;
}

const OVER = { en: 'all of its times are over', zh: '所有时间都已过去' };

/** A single past time is normal once it is over; a pattern that never matches is a mistake. */
function neverFires(when: When): Finding {
  if (when.kind === 'at') return { code: 'at-past', severity: 'warning', message: OVER };
  const pattern = when.kind === 'cron' ? when.pattern : '';
  const message = { en: `cron "${pattern}" never fires`, zh: `cron "${pattern}" 永远不会触发` };
  const fix = { en: 'no such day comes: correct day and month', zh: '没有这样的日期: 请修正日与月' };
  return { code: 'cron-never', message, fix };
}

/** Why the schedule of this name cannot be used, if one is declared. */
export function whyNotUsed(id: string, diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const beginning = visible(`schedule ${id}: `);
  return diagnostics.find(({ severity, message }) => severity === 'error' && message.startsWith(beginning));
}

function toDiagnostic(
  { code, message, fix, severity }: Finding,
  id: string,
  { path, line }: { readonly path: string; readonly line: number | undefined },
): Diagnostic {
  return diagnose({
    code,
    severity: severity ?? 'error',
    path,
    ...(line !== undefined && { line }),
    message: { en: visible(`schedule ${id}: ${message.en}`), zh: visible(`定时任务 ${id}: ${message.zh}`) },
    fix: fix && { en: visible(fix.en), zh: visible(fix.zh) },
  });
}
