import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../test/support/support.ts';
import { findRole, type Role } from '../registry/role/role.ts';
import type { ScheduleEntry } from '../registry/role/schema.ts';
import { readSchedules, type Schedule } from './schedule.ts';

const NOW = Date.parse('2026-11-15T00:00:00Z');
const WHAT = { skill: 'build_analysis', action: 'daily_briefing' };

test('a schedule as it is written, with what it does not say filled in', async (t) => {
  const role = await roleOf(
    t,
    `schedule:
  - cron: '0  9 * * *'
    timezone: Asia/Shanghai
    skill: build_analysis
    action: daily_briefing
    params: { days: 7 }
  - id: watch
    interval: 15m
    prompt: Look at the builds.
    enabled: false
    retry: { limit: 5, delay: 1s, max: 1m }
    overlap: queue
    misfire: { mode: all, limit: 3 }
    jitter: 30
    follow: latest
    timeout: 90
    labels: [gpu, eu-west]
  - name: New Year 新年
    at: ['2027-01-01T00:00', '2026-12-31T23:00:00Z']
    timezone: Europe/Berlin
    prompt: Greet.
    retry: 0
    follow: true
`,
  );
  const { schedules, diagnostics } = readSchedules(role, NOW);
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(
    schedules.map(({ written, entry: _, ...rest }) => {
      assert.match(written, /^[0-9a-f]{32}$/);
      return rest;
    }),
    [
      {
        id: 'analyst/build_analysis-daily_briefing',
        role: 'analyst',
        when: { kind: 'cron', pattern: '0 9 * * *' },
        timezone: 'Asia/Shanghai',
        target: { skill: 'build_analysis', action: 'daily_briefing', params: { days: 7 } },
        enabled: true,
        retry: { limit: 2, delayMs: 10_000, maxMs: 600_000 },
        overlap: 'skip',
        misfire: { mode: 'once', limit: 100 },
        jitterMs: 0,
        follow: 'pinned',
      },
      {
        id: 'analyst/watch',
        role: 'analyst',
        when: { kind: 'every', ms: 900_000 },
        timezone: 'UTC',
        target: { prompt: 'Look at the builds.' },
        enabled: false,
        retry: { limit: 5, delayMs: 1_000, maxMs: 60_000 },
        overlap: 'queue',
        misfire: { mode: 'all', limit: 3 },
        jitterMs: 30_000,
        follow: 'latest',
        timeoutMs: 90_000,
        labels: ['gpu', 'eu-west'],
      },
      {
        id: 'analyst/New-Year-新年',
        role: 'analyst',
        // Both say the same moment.
        when: { kind: 'at', moments: [Date.parse('2026-12-31T23:00:00Z')] },
        timezone: 'Europe/Berlin',
        target: { prompt: 'Greet.' },
        enabled: true,
        retry: { limit: 0, delayMs: 10_000, maxMs: 600_000 },
        overlap: 'skip',
        misfire: { mode: 'once', limit: 100 },
        jitterMs: 0,
        follow: 'latest',
      },
    ],
  );
});

const MISTAKES: readonly (readonly [what: string, entry: ScheduleEntry, code: string, message: RegExp])[] = [
  ['no time', { ...WHAT }, 'schedule-when', /does not say when/],
  ['two times', { ...WHAT, cron: '* * * * *', interval: 5 }, 'schedule-when', /more than one/],
  ['nothing to run', { cron: '* * * * *' }, 'schedule-target', /what to run/],
  ['a skill and a prompt', { ...WHAT, prompt: 'x', interval: 5 }, 'schedule-target', /a skill and a prompt/],
  ['a cron field out of range', { ...WHAT, cron: '0 25 * * *' }, 'cron-invalid', /field of the hour/],
  ['a cron of three fields', { ...WHAT, cron: '* * *' }, 'cron-invalid', /five fields/],
  ['a cron that never fires', { ...WHAT, cron: '0 0 30 2 *' }, 'cron-never', /never fires/],
  ['an unknown time zone', { ...WHAT, interval: 5, timezone: 'Asia/Shangai' }, 'timezone-unknown', /Asia\/Shangai/],
  ['an interval of nothing', { ...WHAT, interval: 0 }, 'duration-invalid', /interval "0"/],
  ['an interval without sense', { ...WHAT, interval: 'soon' }, 'duration-invalid', /interval "soon"/],
  ['a jitter below zero', { ...WHAT, interval: 5, jitter: -1 }, 'duration-invalid', /jitter/],
  ['a retry delay of years', { ...WHAT, interval: 5, retry: { delay: '900d' } }, 'duration-invalid', /retry\.delay/],
  ['a day that does not exist', { ...WHAT, at: '2026-13-45' }, 'at-invalid', /2026-13-45/],
  ['no day at all', { ...WHAT, at: [] }, 'at-invalid', /names no time/],
];

for (const [what, entry, code, message] of MISTAKES) {
  test(`a schedule with ${what} is left out and says why; the others stay`, () => {
    const good: ScheduleEntry = { id: 'good', prompt: 'x', interval: 60 };
    const { schedules, diagnostics } = readSchedules(roleWith([entry, good]), NOW);
    assert.deepEqual(
      schedules.map(({ id }) => id),
      ['analyst/good'],
    );
    assert.deepEqual(
      diagnostics.map((one) => [one.code, one.severity]),
      [[code, 'error']],
    );
    assert.match(diagnostics[0]?.message ?? '', message);
    assert.ok(diagnostics[0]?.fix);
  });
}

test('a time zone that nearly exists is named', () => {
  const { diagnostics } = readSchedules(roleWith([{ ...WHAT, interval: 5, timezone: 'Asia/Shangai' }]), NOW);
  assert.match(diagnostics[0]?.fix ?? '', /Asia\/Shanghai/);
});

test('two schedules of one name: the second is left out', () => {
  const { schedules, diagnostics } = readSchedules(
    roleWith([
      { ...WHAT, interval: 5 },
      { ...WHAT, interval: 9 },
    ]),
    NOW,
  );
  assert.deepEqual(
    [schedules.length, schedules[0]?.when, diagnostics.map(({ code }) => code)],
    [1, { kind: 'every', ms: 5_000 }, ['schedule-twice']],
  );
});

test('times that are over are no mistake', () => {
  const { schedules, diagnostics } = readSchedules(roleWith([{ ...WHAT, at: '2020-01-01' }]), NOW);
  assert.deepEqual([schedules.length, diagnostics.map(({ severity }) => severity)], [1, ['warning']]);
});

test('its name and fingerprint do not depend on its place, and the fingerprint on everything else', () => {
  const [a, b]: ScheduleEntry[] = [
    { id: 'a', ...WHAT, interval: 5 },
    { prompt: 'look', interval: 7 },
  ];
  assert.ok(a && b);
  const withoutPlace = ({ entry: _, ...rest }: Schedule) => rest;
  const forth = readSchedules(roleWith([a, b]), NOW).schedules.map(withoutPlace);
  const back = readSchedules(roleWith([b, a]), NOW + 1).schedules.map(withoutPlace);
  assert.deepEqual(forth, back.toReversed());
  const changes: Partial<ScheduleEntry>[] = [
    { interval: 6 },
    { params: { x: 1 } },
    { enabled: false },
    { retry: 9 },
    { overlap: 'queue' },
    { timezone: 'Europe/Berlin' },
    { follow: true },
    { labels: ['gpu'] },
  ];
  const written = changes.map((change) => readSchedules(roleWith([{ ...a, ...change }]), NOW).schedules[0]?.written);
  assert.equal(new Set([...written, forth[0]?.written]).size, changes.length + 1);
});

test('values that are not of the format are refused with the key they stand at', async (t) => {
  const text = 'schedule:\n  - interval: 5\n    prompt: x\n    overlap: sometimes\n    misfre: once\n';
  const role = await roleOf(t, text);
  assert.equal(role.usable, false);
  const said = role.diagnostics.map(({ message, line, fix }) => `${line} ${message} ${fix ?? ''}`).join('\n');
  assert.match(said, /4 schedule\.0\.overlap/);
  assert.match(said, /5 unknown key misfre.*misfire/);
});

test('whatever stands there, reading never throws', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('* * * * *', '5m', '2026-01-01', 'UTC', '@daily'),
  );
  const entry = fc.record(
    {
      cron: word,
      interval: fc.oneof(word, fc.double()),
      at: fc.oneof(word, fc.array(word)),
      timezone: word,
      prompt: word,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const { schedules, diagnostics } = readSchedules(roleWith(entries), NOW);
      const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
      assert.ok(schedules.length + errors >= entries.length);
    }),
    { numRuns: 300 },
  );
});

test('an action may be missing for an installed skill, never for one of the role', async (t) => {
  const role = await roleOf(
    t,
    'skills: [{name: own, entry: own.py}]\nschedule:\n  - {skill: own, interval: 5}\n  - {skill: hello, interval: 5}\n',
  );
  const { schedules, diagnostics } = readSchedules(role, NOW);
  assert.deepEqual(
    schedules.map(({ id, target }) => [id, target]),
    [['analyst/hello', { skill: 'hello', action: '', params: {} }]],
  );
  assert.deepEqual(
    diagnostics.map(({ code, line, message }) => [code, line, message]),
    [['schedule-target', 3, 'schedule analyst/own: action is missing']],
  );
});

function roleWith(schedule: readonly ScheduleEntry[]): Role {
  const nothing = { skills: [], unlisted: [], secrets: [], diagnostics: [], lines: { skills: [], schedule: [] } };
  return { name: 'analyst', folder: '/r', file: '/r/agent.yaml', ...nothing, usable: true, schedule };
}

async function roleOf(t: TestContext, text: string): Promise<Role> {
  const project = temporaryFolder(t);
  mkdirSync(path.join(project, 'agents', 'analyst'), { recursive: true });
  writeFileSync(path.join(project, 'agents', 'analyst', 'agent.yaml'), text);
  const role = await findRole(project, 'analyst');
  assert.ok(role);
  return role;
}
