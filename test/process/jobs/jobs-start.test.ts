// `start` as a process of its own: the tour of a new user, trust while it runs, switching schedules, signals, cancelling.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findTree } from '../../../src/process/kill-tree.ts';
import { home } from '../../support/door-support.ts';
import { cli, grant, makeRole, outcomeOf, start } from '../../support/jobs-support.ts';
import { temporaryFolder } from '../../support/support.ts';

const EVERY_SECOND = 'schedule:\n  - {id: often, cron: "* * * * * *", overlap: queue, skill: echo, action: report}\n';

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(50);
}

async function historyOf(project: string) {
  const { data } = await outcomeOf(project, ['jobs', 'history']);
  return data.jobs as { id: string; state: string; schedule: string | null; attempts: number; reason: string | null }[];
}

// They wait for the clock most of the time.
suite('start', { concurrency: true }, () => {
  test('from an empty folder to a briefing on disk and a line in the history, by hand and on time', async (t) => {
    const project = realpathSync(temporaryFolder(t));
    const role = 'dev_efficiency_analyst';
    assert.equal((await cli(project, ['init'])).code, 0);
    assert.equal((await cli(project, ['roles', 'new', role], { TZ: 'Asia/Shanghai' })).code, 0);
    mkdirSync(path.join(project, 'ci'));
    writeFileSync(
      path.join(project, 'ci/results.xml'),
      '<testsuite name="unit" tests="2" timestamp="2026-11-14T08:00:00"><testcase name="a" time="0.1"/><testcase name="b" time="0.2"><failure message="no"/></testcase></testsuite>',
    );
    await grant(project, `${role}/build_analysis`, 'daily_briefing');
    const { data: linted } = await outcomeOf(project, ['roles', 'lint']);
    assert.deepEqual([linted.passed, (linted.results as { diagnostics: unknown[] }[])[0]?.diagnostics], [1, []]);
    const { data } = await outcomeOf(project, ['jobs', 'list']);
    const [schedule] = data.schedules as { id: string; when: string; state: string; next: string }[];
    assert.deepEqual([schedule?.when, schedule?.state], ['0 9 * * * Asia/Shanghai', 'active']);
    assert.match(schedule?.next ?? '', /T01:00:00.000Z$/);
    const ran = await outcomeOf(project, ['jobs', 'run', `${role}/build_analysis`, 'daily_briefing']);
    assert.deepEqual([ran.code, ran.summary], [0, 'briefing-2026-11-14.md: 1 of 2 test results failed']);
    const report = path.join(project, 'mybox/output/briefing-2026-11-14.md');
    assert.match(readFileSync(report, 'utf8'), /# Build report/);
    rmSync(report);
    const yaml = path.join(project, 'agents', role, 'agent.yaml');
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('"0 9 * * *"', '"* * * * * *"'));
    const refused = await outcomeOf(project, ['start']);
    assert.equal(refused.data.type, 'NotTrusted');
    assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
    const started = start(t, project);
    await started.until('job done');
    assert.equal(await started.end('SIGTERM'), 0);
    const jobs = await historyOf(project);
    assert.equal(
      jobs.some((job) => job.state === 'done' && job.schedule === `${role}/daily_briefing`),
      true,
    );
    assert.equal(jobs.at(-1)?.schedule, null);
    assert.match(readFileSync(report, 'utf8'), /# Build report/);
    const { stdout } = await cli(project, ['jobs', 'history', '--schedule', `${role}/daily_briefing`]);
    assert.match(stdout, / done .* dev_efficiency_analyst\/build_analysis daily_briefing .*1 of 2 test results failed/);
  });

  test('a schedule is switched off and on while it runs, and a changed skill stops it with the reason', async (t) => {
    const project = makeRole(t, EVERY_SECOND);
    await grant(project, 'watcher/echo', 'report', '--follow');
    assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
    const started = start(t, project, ['--health', '0']);
    const { health } = await started.until('started');
    await started.until('job done');
    const answer = await fetch(`http://127.0.0.1:${health}/health`);
    assert.deepEqual([answer.status, ((await answer.json()) as { status: string }).status], [200, 'ok']);
    assert.equal((await fetch(`http://127.0.0.1:${health}/other`)).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${health}/health`, { method: 'POST' })).status, 405);
    assert.equal((await cli(project, ['jobs', 'disable', 'watcher/often', '--reason', 'rest'])).code, 0);
    const stateOf = async () => {
      const { data } = await outcomeOf(project, ['jobs', 'list']);
      return (data.schedules as { state: string; reason: string | null; next: string | null }[])[0];
    };
    const disabled = await stateOf();
    assert.deepEqual([disabled?.state, disabled?.reason], ['disabled', 'rest']);
    const planned = () => started.log().filter(({ event }) => event === 'schedule planned').length;
    await sleep(1_100);
    const before = planned();
    await sleep(1_500);
    assert.equal(planned(), before);
    assert.equal((await cli(project, ['jobs', 'enable', 'watcher/often'])).code, 0);
    await until(() => planned() > before);
    const script = path.join(project, 'agents/watcher/.claude/skills/echo.py');
    writeFileSync(script, `${readFileSync(script, 'utf8')}#`);
    const { reason } = await started.until('schedule stopped');
    assert.match(String(reason), /changed/);
    const stopped = await stateOf();
    assert.deepEqual([stopped?.state, stopped?.next], ['stopped', null]);
    assert.equal((await cli(project, ['jobs', 'enable', 'watcher/often'])).code, 0);
    const again = planned();
    await until(() => planned() > again);
    assert.equal(await started.end('SIGTERM'), 0);
  });

  test('a role that changes while it runs plans nothing until a person trusts it, and then counts as it is', async (t) => {
    const project = makeRole(t, EVERY_SECOND);
    await grant(project, 'watcher/echo', 'report');
    assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
    const started = start(t, project, ['--health', '0']);
    const { health } = await started.until('started');
    await started.until('job done');
    const yaml = path.join(project, 'agents/watcher/agent.yaml');
    writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('id: often', 'id: oftener'));
    await started.until('not trusted');
    assert.equal((await fetch(`http://127.0.0.1:${health}/health`)).status, 503);
    const { data } = await outcomeOf(project, ['jobs', 'list']);
    assert.match(String((data.schedules as { reason: string }[])[0]?.reason), /skillwright trust/);
    await sleep(1_500);
    const isNew = (line: Record<string, unknown>) => line.schedule === 'watcher/oftener';
    assert.equal(started.log().some(isNew), false);
    assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
    await started.until('schedule planned', isNew);
    await started.end('SIGTERM');
  });
});

test('a first signal lets a job end, a second gives it back; a cancelled one is ended with all it started', async (t) => {
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'slow');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const detach = async (seconds: number) => {
    const { data } = await outcomeOf(project, [
      'jobs',
      'run',
      'watcher/echo',
      'slow',
      `seconds=${seconds}`,
      '--detach',
    ]);
    return String(data.job);
  };
  const short = await detach(2);
  const first = start(t, project);
  await first.until('job started');
  assert.equal(await first.end('SIGTERM'), 0);
  assert.deepEqual((await outcomeOf(project, ['jobs', 'workers'])).data.workers, [], 'who leaves is not missed');
  const long = await detach(300);
  const second = start(t, project);
  await second.until('job started');
  const members = () => findTree({ leader: second.child.pid ?? 0, tag: 'none', since: 0 }).length;
  await until(() => members() > 2);
  second.child.kill('SIGTERM');
  await second.until('stopping');
  assert.equal(await second.end('SIGTERM'), 0);
  const third = start(t, project);
  await third.until('job started');
  assert.equal((await outcomeOf(project, ['jobs', 'cancel', long])).data.answer, 'cancelling');
  await third.until('job cancelled');
  await until(() => findTree({ leader: third.child.pid ?? 0, tag: 'none', since: 0 }).length === 1);
  await third.end('SIGTERM');
  const states = Object.fromEntries(
    (await historyOf(project)).map(({ id, state, attempts }) => [id, [state, attempts]]),
  );
  assert.deepEqual(
    [states[short], states[long]],
    [
      ['done', 1],
      ['cancelled', 1],
    ],
  );
  assert.equal((await outcomeOf(project, ['jobs', 'retry', long])).data.answer, 'queued');
  assert.equal(readdirSync(path.join(home, '.agent', 'work')).length, 0);
  assert.equal(existsSync(path.join(project, 'agents/watcher/planted.txt')), false);
});

test('a port that is taken, and no worker at all, end `start` with a usage error at once', async (t) => {
  const project = makeRole(t, EVERY_SECOND);
  await cli(project, ['trust']);
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  for (const words of [
    ['--health', String(port)],
    ['--workers', '0'],
  ]) {
    const ended = await cli(project, ['start', ...words, '--json']);
    assert.equal(ended.code, 2, ended.stdout + ended.stderr);
  }
});
