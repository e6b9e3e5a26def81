// Computes the run times of a schedule: the same for every scheduler, across daylight saving and clock changes.
import { Cron } from 'croner';
import type { Text } from '../base/language.ts';
import { instantOf, wallTime } from './zone.ts';

export type When =
  | { readonly kind: 'cron'; readonly pattern: string }
  /** Counted from 1970, so that all schedulers agree. */
  | { readonly kind: 'every'; readonly ms: number }
  /** Sorted. */
  | { readonly kind: 'at'; readonly moments: readonly number[] };

/** The first window searched backwards for the newest times; then it doubles. */
const FIRST_WINDOW_MS = 60_000;
const WINDOW_GROWTH = 16;

const FIELDS = ['second', 'minute', 'hour', 'day', 'month', 'weekday'];

const FIVE_OR_SIX: Text = {
  en: `five fields are expected (${FIELDS.slice(1).join(' ')}), or six with seconds before them`,
  zh: `须为五个字段（${FIELDS.slice(1).join(' ')}），或在前面加上秒共六个`,
};

const patterns = new Map<string, Cron>();

/** The first run times after `from`, not after `to`, sorted. */
export function momentsBetween(when: When, zone: string, from: number, to: number, limit: number): number[] {
  const moments: number[] = [];
  for (const moment of momentsAfter(when, zone, from)) {
    if (moment > to || moments.length >= limit) break;
    moments.push(moment);
  }
  return moments;
}

/** The newest of them, sorted; a year of seconds costs no more than a minute. */
export function latestMoments(when: When, zone: string, from: number, to: number, limit: number): number[] {
  for (let window = FIRST_WINDOW_MS; ; window *= WINDOW_GROWTH) {
    const start = Math.max(from, to - window);
    const found = momentsBetween(when, zone, start, to, Number.POSITIVE_INFINITY);
    if (found.length >= limit || start === from) return limit > 0 ? found.slice(-limit) : [];
  }
}

/** The first run time after `from`, if there is one at all. */
export function nextMoment(when: When, zone: string, from: number): number | undefined {
  return momentsAfter(when, zone, from).next().value ?? undefined;
}

/** What is wrong with a cron pattern, and in which field; undefined when it is valid. */
export function checkCron(pattern: string): { readonly problem: Text; readonly field?: string } | undefined {
  const problem = parseProblem(pattern);
  if (problem === undefined) return undefined;
  const fields = pattern.trim().split(/\s+/);
  if (fields.length < 5 || fields.length > FIELDS.length) return { problem: FIVE_OR_SIX };
  const names = FIELDS.slice(-fields.length);
  const alone = (at: number) => fields.map((field, other) => (other === at ? field : '*')).join(' ');
  const field = names.find((_, at) => parseProblem(alone(at)) !== undefined);
  const said = { en: problem, zh: problem };
  return field === undefined ? { problem: said } : { problem: said, field };
}

function* momentsAfter(when: When, zone: string, from: number): Generator<number, undefined> {
  if (when.kind === 'at') yield* when.moments.filter((moment) => moment > from);
  else if (when.kind === 'cron') yield* cronMoments(when.pattern, zone, from);
  else for (let at = Math.floor(from / when.ms) + 1; ; at++) yield at * when.ms;
  return undefined;
}

/**
 * A pattern for every hour, or every nth, keeps its interval across a clock change. One that names its hours means
 * wall-clock time: a time that is skipped runs right after the gap, one that occurs twice runs the first time.
 */
function* cronMoments(pattern: string, zone: string, from: number): Generator<number> {
  const isWall = namesHours(pattern);
  const cron = parse(pattern, isWall ? 'UTC' : zone);
  let last = from;
  let cursor: Date | null = new Date(isWall ? wallTime(from, zone) : from);
  for (;;) {
    cursor = cron.nextRun(cursor);
    if (!cursor) return;
    const moment = isWall ? instantOf(cursor.getTime(), zone) : cursor.getTime();
    if (moment > last) yield moment;
    last = Math.max(last, moment);
  }
}

function namesHours(pattern: string): boolean {
  const fields = pattern.trim().split(/\s+/);
  return !(fields.at(-4) ?? '').startsWith('*') && pattern.trim() !== '@hourly';
}

function parse(pattern: string, zone: string): Cron {
  const key = `${zone} ${pattern}`;
  const parsed = patterns.get(key) ?? new Cron(pattern, { timezone: zone, paused: true, mode: '5-or-6-parts' });
  patterns.set(key, parsed);
  return parsed;
}

function parseProblem(pattern: string): string | undefined {
  try {
    parse(pattern, 'UTC');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
  }
}
