// What an operator sees and does: states by the word that is shown, times with their zone, every attempt of a job and what it printed, schedules that cannot run.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_METRICS } from '../../../src/jobs/metric.ts';
import { stateFile } from '../../../src/store/location.ts';
import { home, makeProject } from '../../support/door-support.ts';
import { cli, grant, outcomeOf, start } from '../../support/jobs-support.ts';
import { openReceiver } from '../../support/server/otlp-receiver.ts';
import { atTerminal } from '../../support/terminal.ts';

/** Says how far it is and what it thinks on stderr; fails as often as it is told. */
const TALKER = `import json, os, sys, time
request = json.loads(sys.stdin.read())
params = request.get("params", {})
print("50% half way", file=sys.stderr)
print("THOUGHT-ON-STDERR", file=sys.stderr, flush=True)
if request["action"] == "hang":
    time.sleep(300)
if request["action"] == "fail":
    print(json.dumps({"success": False, "action": "fail", "error": {"code": "EXTERNAL_SERVICE_ERROR", "message": "the far service said no for a long and detailed reason"}}))
else:
    print(json.dumps({"success": True, "action": request["action"], "data": params}))
`;

const YAML = `skills:
  - {name: talk, entry: .claude/skills/talk.py, actions: {go: {params: {who: {type: string}}}, fail: {}, hang: {}}}
`;

function makeOps(t: TestContext, schedule = ''): string {
  return makeProject(t, {
    'agents/ops/agent.yaml': `${YAML}${schedule}`,
    'agents/ops/.claude/skills/talk.py': TALKER,
  });
}

const RUN = ['jobs', 'run', 'ops/talk'];

test('jobs retry of a done job and jobs cancel of an ended one say that nothing was done', async (t) => {
  const project = makeOps(t);
  await grant(project, 'ops/talk', 'go');
  const { data } = await outcomeOf(project, [...RUN, 'go']);
  for (const [word, answer] of [
    ['retry', 'done'],
    ['cancel', 'ended'],
  ] as const) {
    const refused = await outcomeOf(project, ['jobs', word, String(data.job)]);
    assert.deepEqual(
      [refused.code, refused.state, refused.data.code, refused.data.details],
      [2, 'error', 'USAGE', { job: data.job, answer }],
    );
    assert.match((await cli(project, ['jobs', word, String(data.job), '--lang', 'zh'])).stderr, /未做任何更改/);
  }
  const queued = await outcomeOf(project, [...RUN, 'go', '--detach']);
  assert.equal((await outcomeOf(project, ['jobs', 'cancel', String(queued.data.job)])).code, 0);
  assert.equal((await outcomeOf(project, ['jobs', 'retry', String(queued.data.job)])).code, 0);
});

test('states filter by the word that is shown, in both languages, and by the old one', async (t) => {
  const project = makeOps(t);
  await grant(project, 'ops/talk', 'fail');
  await outcomeOf(project, [...RUN, 'fail']);
  await outcomeOf(project, [...RUN, 'go']);
  const actionsIn = async (state: string) => {
    const { code, data } = await outcomeOf(project, ['jobs', 'history', '--state', state]);
    return [code, ...(data.jobs as { action: string }[]).map(({ action }) => action)];
  };
  for (const word of ['failed', '失败', 'dead']) assert.deepEqual(await actionsIn(word), [0, 'fail'], word);
  for (const word of ['waiting', '待决定']) assert.deepEqual(await actionsIn(word), [0, 'go'], word);
  const { stdout } = await cli(project, ['jobs', 'history']);
  assert.deepEqual(
    ['failed', 'waiting'].map((word) => stdout.includes(` ${word} `)),
    [true, true],
  );
  const wrong = await cli(project, ['jobs', 'history', '--state', 'faild']);
  assert.deepEqual([wrong.code, /choose .*failed.*Did you mean failed/s.test(wrong.stderr)], [2, true], wrong.stderr);
});

test('jobs list and history keep state, times with their zone and outcome whole at 60 and 100 columns', async (t) => {
  const project = makeOps(
    t,
    'schedule:\n  - {id: morning, cron: "0 9 * * *", timezone: Asia/Shanghai, skill: talk, action: fail}\n  - {id: often, interval: 6h, skill: talk, action: go}\n',
  );
  await grant(project, 'ops/talk', 'fail');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  await outcomeOf(project, [...RUN, 'fail']);
  for (const COLUMNS of ['60', '100']) {
    const list = (await cli(project, ['jobs', 'list'], { COLUMNS })).stdout;
    assert.match(list, /\d{4}-\d\d-\d\d 09:00:00\+08:00/, list);
    assert.match(list, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/, list);
    assert.match(list, /(?:STATE|on) +.*\n?/);
    const history = (await cli(project, ['jobs', 'history'], { COLUMNS })).stdout;
    const joined = history.replace(/\s+/g, ' ');
    assert.match(joined, /the far service said no for a long and detailed reason/, history);
    assert.match(history, /failed/);
    assert.match(history, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/, history);
    for (const line of [...list.split('\n'), ...history.split('\n')]) assert.ok(line.length <= Number(COLUMNS), line);
  }
  const zh = (await cli(project, ['jobs', 'history', '--lang', 'zh'], { COLUMNS: '60' })).stdout;
  assert.match(zh, /状态 +失败/);
});

test('jobs show has parameters, progress, every attempt, and with --output what was printed', async (t) => {
  const project = makeOps(t);
  await grant(project, 'ops/talk', 'fail');
  await grant(project, 'ops/talk', 'go');
  await outcomeOf(project, [...RUN, 'go', 'who=SOMEBODY']);
  const done = (await cli(project, ['jobs', 'show', 'latest', '--output'])).stdout;
  assert.match(done, /parameters +\{"who":"SOMEBODY"\}/);
  assert.match(done, /progress +50% half way/);
  assert.match(done, /THOUGHT-ON-STDERR/);
  await outcomeOf(project, [...RUN, 'fail', '--retry', '1']);
  const failed = await outcomeOf(project, ['jobs', 'show', 'latest', '--output']);
  const { tries } = failed.data.job as { tries: { attempt: number; how: string; run: string; reason: string }[] };
  assert.deepEqual(
    tries.map(({ attempt, how, reason }) => [attempt, how, reason.includes('said no')]),
    [
      [1, 'failed', true],
      [2, 'failed', true],
    ],
  );
  assert.notEqual(tries[0]?.run, tries[1]?.run);
  const output = failed.data.output as { attempt: number; text: string }[];
  assert.deepEqual(
    output.map(({ attempt, text }) => [attempt, text.includes('THOUGHT-ON-STDERR')]),
    [
      [1, true],
      [2, true],
    ],
  );
  const shown = (await cli(project, ['jobs', 'show', 'latest'])).stdout;
  assert.match(shown, /#1 .*failed: .*said no[\s\S]*#2 .*failed: /);
});

test('jobs show numbers attempts on, also where the queue counted anew after a decision', async (t) => {
  const project = makeOps(t);
  const waiting = await outcomeOf(project, [...RUN, 'go']);
  assert.equal(waiting.code, 4, waiting.summary);
  const resumed = await outcomeOf(project, ['resume', String(waiting.data.id), '--decide', 'approve']);
  assert.equal(resumed.code, 0, resumed.summary);
  const { tries } = (await outcomeOf(project, ['jobs', 'show', 'latest', '--output'])).data.job as {
    tries: { attempt: number; how: string }[];
  };
  assert.deepEqual(
    tries.map(({ attempt, how }) => [attempt, how]),
    [
      [1, 'waiting'],
      [2, 'done'],
    ],
  );
  const { stdout } = await cli(project, ['jobs', 'show', 'latest', '--output']);
  assert.match(stdout, /^ *#1 .*waiting[\s\S]*^ *#2 .*done[\s\S]*^#2 \S+\n[\s\S]*THOUGHT-ON-STDERR/m);
});

test('a detached job survives its killed worker: the crash is none of its retries', async (t) => {
  const project = makeOps(t);
  await grant(project, 'ops/talk', 'hang');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const { data } = await outcomeOf(project, [...RUN, 'hang', '--detach']);
  const first = start(t, project);
  await first.until('job started');
  await first.end('SIGKILL');
  // As if its lease had run out: nobody wants to wait for it.
  const database = new DatabaseSync(stateFile({ home, project }));
  database.exec("UPDATE job SET until = 1 WHERE state = 'running'");
  database.close();
  const second = start(t, project);
  const again = await second.until('job started');
  assert.deepEqual([again.job, again.attempt], [data.job, 2]);
  const { job } = (await outcomeOf(project, ['jobs', 'show', String(data.job)])).data as {
    job: { state: string; tries: { how: string }[] };
  };
  assert.deepEqual([job.state, job.tries.map(({ how }) => how)], ['running', ['silent', 'running']]);
  assert.equal((await outcomeOf(project, ['jobs', 'cancel', String(data.job)])).code, 0);
  await second.until('job cancelled');
  assert.equal(await second.end('SIGTERM'), 0);
});

interface HealthAnswer {
  readonly status: string;
  readonly schedules: readonly { readonly schedule: string; readonly kind: string; readonly reason: string }[];
}

async function healthOf(port: unknown): Promise<HealthAnswer & { code: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  return { code: answer.status, ...((await answer.json()) as HealthAnswer) };
}

const OFTEN = 'schedule:\n  - {id: often, interval: 1s, skill: talk, action: go}\n';

test('a schedule whose grant expired is loud: health, jobs list, doctor, roles lint and a metric say so', async (t) => {
  const receiver = await openReceiver(t);
  const project = makeOps(t, OFTEN);
  const { data } = await outcomeOf(project, ['grants', 'add', 'ops/talk', '--action', 'go', '--expires', '1d']);
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const troubles = async () => {
    const { schedules } = (await outcomeOf(project, ['jobs', 'list'])).data as {
      schedules: { troubles: { kind: string }[] }[];
    };
    return schedules[0]?.troubles.map(({ kind }) => kind);
  };
  assert.deepEqual(await troubles(), ['grant-ending', 'no-worker'], 'it is told before it ends');
  assert.match((await cli(project, ['doctor'])).stdout, /no worker is there: skillwright start(?!: )/, 'and once');
  expire(String(data.id));
  const started = start(t, project, ['--health', '0'], receiver.env);
  const { health } = await started.until('started');
  await started.until('job waiting');
  let found = await healthOf(health);
  const kinds = () => found.schedules.map(({ kind }) => kind);
  while (!['grant-expired', 'waiting', 'skipped'].every((kind) => kinds().includes(kind))) {
    await sleep(100);
    found = await healthOf(health);
  }
  assert.deepEqual([found.code, found.status, found.schedules[0]?.schedule], [200, 'degraded', 'ops/often']);
  assert.match(found.schedules.find(({ kind }) => kind === 'grant-expired')?.reason ?? '', /expired at \d{4}-.*Z/);
  const list = (await cli(project, ['jobs', 'list'])).stdout;
  assert.match(list, / blocked /);
  assert.match(list, /! ops\/often: .*expired.*→ skillwright grants add ops\/talk --action go/);
  assert.match((await cli(project, ['jobs', 'list', '--lang', 'zh'])).stdout, / 受阻 [\s\S]*已于 .* 过期/);
  const { checks } = (await outcomeOf(project, ['doctor'])).data as {
    checks: { name: string; ok: boolean; detail: string }[];
  };
  const check = checks.find(({ name }) => name === 'schedules');
  assert.deepEqual([check?.ok, /ops\/often: .*expired/.test(check?.detail ?? '')], [false, true], check?.detail);
  const lint = (await outcomeOf(project, ['roles', 'lint', 'ops'])).data.results as {
    diagnostics: { code: string; line: number }[];
  }[];
  assert.deepEqual(
    lint[0]?.diagnostics.map(({ code, line }) => [code, line]),
    [['grant-expired', 4]],
  );
  assert.equal(await started.end('SIGTERM'), 0);
  const points = receiver.metrics().get(JOB_METRICS.troubles.name)?.points ?? [];
  const counted = Object.fromEntries(
    points.map(({ attributes, asDouble }) => [attributes['skillwright.schedule.trouble'], asDouble]),
  );
  assert.deepEqual([counted['grant-expired'], counted['grant-missing']], [1, 0]);
});

/** As if its time had come: grants lie under home, each a file. */
function expire(id: string): void {
  const root = path.join(home, '.agent', 'grants');
  const file = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith(`${id}.json`));
  const place = path.join(root, file ?? '');
  writeFileSync(place, JSON.stringify({ ...JSON.parse(readFileSync(place, 'utf8')), expires: 1_000 }));
}

test('a schedule that is stopped, and one whose labels no worker has, degrade the health; a good one does not', async (t) => {
  const project = makeOps(
    t,
    `${OFTEN}    # its own machine\n  - {id: far, interval: 6h, skill: talk, action: go, labels: [gpu]}\n`,
  );
  await grant(project, 'ops/talk', 'go');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const started = start(t, project, ['--health', '0']);
  const { health } = await started.until('started');
  await started.until('job done');
  const script = path.join(project, 'agents/ops/.claude/skills/talk.py');
  writeFileSync(script, `${readFileSync(script, 'utf8')}#`);
  await started.until('schedule stopped');
  const said = async () => {
    const { code, status, schedules } = await healthOf(health);
    return [code, status, ...new Set(schedules.map(({ schedule, kind }) => `${schedule} ${kind}`))];
  };
  let now = await said();
  while (!now.includes('ops/often stopped')) {
    await sleep(100);
    now = await said();
  }
  assert.deepEqual(now.slice(0, 2), [200, 'degraded']);
  assert.ok(now.includes('ops/far no-worker'), now.join());
  const lint = (await cli(project, ['roles', 'lint', 'ops'])).stdout;
  assert.match(lint, /grant-changed .*because the files changed since the grant/);
  assert.equal(await started.end('SIGTERM'), 0);
});

test('health is answered on the address that is named, and on loopback to no other host name', async (t) => {
  const project = makeOps(t);
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const ask = async (port: unknown, host: string) => {
    const { request } = await import('node:http');
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    request({ port: Number(port), host: '127.0.0.1', path: '/health', headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
    return await promise;
  };
  const open = start(t, project, ['--health', '0.0.0.0:0']);
  const shut = start(t, project, ['--health', '127.0.0.1:0']);
  const [{ health: wide }, { health: narrow }] = await Promise.all([open.until('started'), shut.until('started')]);
  assert.deepEqual([await ask(wide, 'node-7.example'), await ask(narrow, 'node-7.example')], [200, 403]);
  await Promise.all([open.end('SIGTERM'), shut.end('SIGTERM')]);
  for (const wrong of ['here', '127.0.0.1:', '0.0.0.0:99999'])
    assert.equal((await cli(project, ['start', '--health', wrong])).code, 2, wrong);
});

test('start at a terminal prints lines for a person, with next time, duration and run; --json keeps the JSON', async (t) => {
  const project = makeOps(t, OFTEN);
  await grant(project, 'ops/talk', 'go');
  assert.equal((await cli(project, ['trust', '--yes'])).code, 0);
  const ctrlC = { cwd: project, home, type: '\u0003' };
  const { shown, code } = await atTerminal(['start'], { ...ctrlC, until: 'job done' });
  assert.equal(code, 0, shown);
  const ISO = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z';
  assert.match(shown, new RegExp(`^${ISO} +schedule on +ops/often +next ${ISO}`, 'm'));
  assert.match(shown, new RegExp(`^${ISO} +job done +ops/talk go +\\d+\\.\\d s .*run \\S+`, 'm'));
  assert.doesNotMatch(shown, /"event"/);
  const json = await atTerminal(['start', '--json'], { ...ctrlC, until: '"job done"' });
  const lines = json.shown
    .split(/\r?\n/)
    .flatMap((line) => (line.includes('"event"') ? [line.slice(line.indexOf('{'))] : []));
  const planned = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'schedule planned');
  for (const moment of [...planned.moments, planned.next]) assert.match(moment, new RegExp(`^${ISO}$`));
});
