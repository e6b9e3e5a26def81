import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../test/support/support.ts';
import { checkCron, latestMoments, momentsBetween, nextMoment, type When } from './moment.ts';
import { instantOf, wallTime } from './zone.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe', 'America/Havana', 'UTC'];
const FOREVER = Number.POSITIVE_INFINITY;

test('a time the clock leaves out runs once, right after the gap', () => {
  const days = (zone: string, pattern: string, from: string) => shown(cron(pattern), zone, from, 3);
  assert.deepEqual(days('Europe/Berlin', '30 2 * * *', '2026-03-28T00:00Z'), [
    '2026-03-28 02:30:00',
    '2026-03-29 03:00:00',
    '2026-03-30 02:30:00',
  ]);
  assert.deepEqual(days('Europe/Berlin', '0,20,40 2 * * *', '2026-03-28T12:00Z'), [
    '2026-03-29 03:00:00',
    '2026-03-30 02:00:00',
    '2026-03-30 02:20:00',
  ]);
  assert.deepEqual(days('Australia/Lord_Howe', '15 2 * * *', '2026-10-02T12:00Z'), [
    '2026-10-03 02:15:00',
    '2026-10-04 02:30:00',
    '2026-10-05 02:15:00',
  ]);
  assert.deepEqual(days('America/Havana', '@daily', '2026-03-07T12:00Z'), [
    '2026-03-08 01:00:00',
    '2026-03-09 00:00:00',
    '2026-03-10 00:00:00',
  ]);
});

test('a time the clock shows twice runs once, the first time', () => {
  const next = (zone: string, pattern: string, from: string) =>
    momentsBetween(cron(pattern), zone, Date.parse(from), FOREVER, 2).map((moment) => new Date(moment).toISOString());
  assert.deepEqual(next('Europe/Berlin', '30 2 * * *', '2026-10-24T12:00Z'), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  // Asked between both.
  assert.deepEqual(next('Europe/Berlin', '30 2 * * *', '2026-10-25T00:45Z'), [
    '2026-10-26T01:30:00.000Z',
    '2026-10-27T01:30:00.000Z',
  ]);
  assert.deepEqual(next('Australia/Lord_Howe', '45 1 * * *', '2026-04-04T12:00Z'), [
    '2026-04-04T14:45:00.000Z',
    '2026-04-05T15:15:00.000Z',
  ]);
});

test('a pattern for every hour goes on evenly over both changes', () => {
  for (const from of ['2026-03-28T22:30Z', '2026-10-24T22:30Z']) {
    const moments = momentsBetween(cron('0 * * * *'), 'Europe/Berlin', Date.parse(from), FOREVER, 8);
    const steps = moments.slice(1).map((moment, at) => moment - (moments[at] ?? 0));
    assert.deepEqual(new Set(steps), new Set([3_600_000]));
  }
});

test('a pattern for every nth hour runs whenever the clock shows such an hour, also twice', () => {
  const hours = (from: string) =>
    shown(cron('0 */2 * * *'), 'Europe/Berlin', from, 3).map((time) => time.slice(11, 16));
  assert.deepEqual(hours('2026-03-28T22:59Z'), ['00:00', '04:00', '06:00']);
  assert.deepEqual(hours('2026-10-24T23:59Z'), ['02:00', '02:00', '04:00']);
  const named = shown(cron('0 1-4 * * *'), 'Europe/Berlin', '2026-03-28T23:30Z', 3).map((time) => time.slice(11, 16));
  assert.deepEqual(named, ['01:00', '03:00', '04:00']);
});

test('seconds are optional, and bounds are after `from`, not after `to`', () => {
  const from = Date.parse('2026-03-06T01:30:20Z');
  const when = cron('*/20 30 9 * * *');
  const moments = momentsBetween(when, 'Asia/Shanghai', from, from + 86_400_000, 10);
  assert.deepEqual(
    moments.map((moment) => (moment - from) / 1000),
    [20, 86_380, 86_400],
  );
  assert.deepEqual(momentsBetween(when, 'Asia/Shanghai', from, from + 20_000, 10), [from + 20_000]);
  assert.equal(nextMoment(when, 'Asia/Shanghai', from + 1), from + 20_000);
});

test('each day of a year has one run, at the first moment its clock shows the time or more', () => {
  const time = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), time, fc.integer({ min: 2024, max: 2030 }), (zone, at, year) => {
      const [from, to] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 2)];
      const moments = momentsBetween(cron(`${at.minute} ${at.hour} * * *`), zone, from, to, 1_000);
      assert.ok(moments.length >= 365 && moments.length <= 368, `${moments.length}`);
      const days = moments.map((moment) => Math.floor(wallTime(moment, zone) / 86_400_000));
      const wanted = (at.hour * 60 + at.minute) * 60_000;
      for (const [index, moment] of moments.entries()) {
        if (index > 0) assert.equal(days[index], (days[index - 1] ?? 0) + 1, 'every day once');
        const timeOfDay = wallTime(moment, zone) % 86_400_000;
        assert.ok(timeOfDay >= wanted);
        if (timeOfDay === wanted) continue;
        // Later than written only where the clock jumped over it.
        const before = wallTime(moment - 1, zone) % 86_400_000;
        assert.ok(before < wanted || before > timeOfDay, `${zone} ${new Date(moment).toISOString()}`);
      }
    }),
    { numRuns: count(200, 12) },
  );
});

test('a wall time leads to an instant that shows it, the first one, or to the end of a gap', () => {
  const wall = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES, 'Pacific/Apia', 'Africa/Casablanca'), wall, (zone, time) => {
      const instant = instantOf(time, zone);
      if (wallTime(instant, zone) === time) return assert.notEqual(wallTime(instant - 3_600_000, zone), time);
      assert.ok(wallTime(instant, zone) > time && wallTime(instant - 1, zone) < time);
    }),
    { numRuns: count(20_000, 1_000) },
  );
});

test('the day Samoa left out runs at its end', () => {
  assert.deepEqual(shown(cron('0 12 * * *'), 'Pacific/Apia', '2011-12-29T12:00Z', 3), [
    '2011-12-29 12:00:00',
    '2011-12-31 00:00:00',
    '2011-12-31 12:00:00',
  ]);
});

test('an interval counts from 1970, so that whoever asks gets the same moments', () => {
  const every: When = { kind: 'every', ms: 900_000 };
  const from = Date.parse('2026-12-31T23:50:01Z');
  const moments = momentsBetween(every, 'UTC', from, from + 1_800_000, 10).map((one) => new Date(one).toISOString());
  assert.deepEqual(moments, ['2027-01-01T00:00:00.000Z', '2027-01-01T00:15:00.000Z']);
  assert.deepEqual(momentsBetween(every, 'UTC', from, FOREVER, 1), momentsBetween(every, 'UTC', from + 1, FOREVER, 1));
});

test('the newest moments of a long time are found without going through all of it', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const newest = latestMoments(cron('* * * * * *'), 'Europe/Berlin', 0, now, 3);
  assert.deepEqual(newest, [now - 2000, now - 1000, now]);
  assert.equal(latestMoments(cron('0 0 1 1 *'), 'UTC', 0, now, 1_000).length, 56);
  assert.deepEqual(latestMoments({ kind: 'at', moments: [1, 2, 3] }, 'UTC', 1, 3, 1), [3]);
  const whole = momentsBetween(cron('7 3 * * 2'), 'America/New_York', 0, now, FOREVER);
  assert.deepEqual(latestMoments(cron('7 3 * * 2'), 'America/New_York', 0, now, 20), whole.slice(-20));
});

test('a pattern that cannot be read names the field; one for 30 February has no moment', () => {
  assert.equal(checkCron('61 * * * *')?.field, 'minute');
  assert.equal(checkCron('* * * * * 9')?.field, 'weekday');
  assert.match(checkCron('* * *')?.problem.en ?? '', /five fields/);
  assert.match(checkCron('0 0 0 1 1 * 2020')?.problem.en ?? '', /five fields/);
  assert.match(checkCron('')?.problem.en ?? '', /five fields/);
  assert.equal(checkCron('0 0 30 2 *'), undefined);
  assert.equal(nextMoment(cron('0 0 30 2 *'), 'UTC', 0), undefined);
});

function cron(pattern: string): When {
  return { kind: 'cron', pattern };
}

function shown(when: When, zone: string, from: string, limit: number): string[] {
  return momentsBetween(when, zone, Date.parse(from), FOREVER, limit).map((moment) =>
    new Date(moment).toLocaleString('sv', { timeZone: zone }),
  );
}
