// Two schedulers in two processes, over a year of changing clocks: every moment becomes one job.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import type { Schedule } from '../../../src/jobs/schedule.ts';
import { openQueue } from '../../../src/store/sqlite/queue.ts';
import type { SchedulersOrder } from '../../support/child/queue-schedulers-child.ts';
import { isLong, repository, temporaryFolder } from '../../support/support.ts';

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Shanghai', 'Australia/Lord_Howe'];
/** Among them times that are left out or shown twice in one of the zones. */
const TIMES = ['00:00', '01:45', '02:15', '02:30'];

// The short span has the year's end and the changes of spring, the long one those of autumn and more than 10,000 moments.
const FROM = Date.parse(isLong() ? '2026-09-20T00:00Z' : '2026-12-28T00:00Z');
const TO = Date.parse(isLong() ? '2027-11-20T00:00Z' : '2027-04-10T00:00Z');

test('two schedulers, time sped up over changes of the clock and a year boundary: each moment once', async (t) => {
  const folder = temporaryFolder(t);
  const place = { home: folder, project: folder };
  const schedules = [...ZONES.flatMap((zone) => TIMES.map((time) => daily(zone, time))), everyThirdHour()];
  const queue = openQueue(place);
  t.after(() => queue.close());
  for (const { id, written } of schedules) {
    await queue.schedules.open({ id, written, digest: 'digest', plannedTo: FROM });
  }

  const order: SchedulersOrder = { place, schedules, from: FROM, to: TO };
  const children = [1, 2].map(() =>
    fork(path.join(repository, 'test/support/child/queue-schedulers-child.ts'), [JSON.stringify(order)]),
  );
  t.after(() => children.forEach((child) => void child.kill('SIGKILL')));
  await Promise.all(children.map((child) => once(child, 'message')));
  const answers = children.map((child) => once(child, 'message'));
  for (const child of children) child.send('go');
  const planned = (await Promise.all(answers)).map(([count]) => Number(count));

  const jobs = await queue.history({ limit: 100_000 });
  const found = jobs.map(({ schedule, occurrence = 0 }) => `${schedule} ${new Date(occurrence).toISOString()}`).sort();
  const expected = [...expectedDaily(), ...expectedThirdHours()].sort();
  t.diagnostic(`${found.length} moments, planned by one and the other: ${planned.join(' and ')}`);
  assert.ok(!isLong() || expected.length >= 10_000, `${expected.length}`);
  assert.deepEqual(found, expected);
  assert.equal(planned[0] === undefined || planned[1] === undefined ? 0 : planned[0] + planned[1], found.length);
});

function daily(timezone: string, time: string): Schedule {
  const [hour, minute] = time.split(':').map(Number);
  return schedule({ id: `${timezone} ${time}`, timezone, when: { kind: 'cron', pattern: `${minute} ${hour} * * *` } });
}

function everyThirdHour(): Schedule {
  return schedule({ id: 'third', timezone: 'Europe/Berlin', when: { kind: 'cron', pattern: '0 */3 * * *' } });
}

function schedule(given: Pick<Schedule, 'id' | 'timezone' | 'when'>): Schedule {
  return {
    ...given,
    role: 'role',
    target: { skill: 's', action: 'a', params: {} },
    enabled: true,
    retry: { limit: 0, delayMs: 0, maxMs: 0 },
    overlap: 'parallel',
    misfire: { mode: 'all', limit: 10_000 },
    jitterMs: 0,
    follow: 'pinned',
    written: 'v1',
  };
}

/** Found by looking at the clock every quarter of an hour: the first one of each day that shows the time or more. */
function expectedDaily(): string[] {
  return ZONES.flatMap((zone) => {
    const first = new Map<string, number>();
    for (const { instant, day, time } of quarters(zone)) {
      for (const wanted of TIMES) {
        const key = `${day} ${wanted}`;
        if (time >= wanted && !first.has(key)) first.set(key, instant);
      }
    }
    return [...first].flatMap(([key, instant]) =>
      instant > FROM && instant <= TO ? [`${zone} ${key.slice(-5)} ${new Date(instant).toISOString()}`] : [],
    );
  });
}

function expectedThirdHours(): string[] {
  return quarters('Europe/Berlin')
    .filter(({ instant, time }) => instant > FROM && instant <= TO && /^(00|03|06|09|12|15|18|21):00$/.test(time))
    .map(({ instant }) => `third ${new Date(instant).toISOString()}`);
}

function quarters(zone: string) {
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return Array.from({ length: (TO - FROM + 2 * DAY) / QUARTER + 1 }, (_, at) => {
    const instant = FROM - 2 * DAY + at * QUARTER;
    const [day = '', time = ''] = format.format(instant).split(' ');
    return { instant, day, time };
  });
}
