// Jobs without a scheduler: executeSkill, `jobs run`, what is refused before anything runs, secrets, waiting, prompts.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readKept } from '../../../src/agent/resume/recover.ts';
import { readRecords } from '../../../src/audit/verify.ts';
import { createRuntime, executeSkill } from '../../../src/index.ts';
import { home } from '../../support/door-support.ts';
import { cli, grant, makeRole, outcomeOf } from '../../support/jobs-support.ts';
import { temporaryFolder } from '../../support/support.ts';

async function runtimeOf(project: string) {
  return await createRuntime({ project, home, env: { PATH: process.env.PATH, HOME: home }, language: 'en' });
}

test('000-39 whoever calls executeSkill reads success, then data or error', async (t) => {
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'say');
  await grant(project, 'watcher/echo', 'fail');
  const runtime = await runtimeOf(project);
  const order = { agent_role: 'watcher', skill_name: 'echo' };
  const said = await executeSkill({ ...order, action: 'say', params: { who: 'me' } }, { runtime });
  assert.equal(said.success, true, JSON.stringify(said));
  assert.deepEqual([said.success && said.message, said.outcome.agent], ['echoed', 'jobs']);
  const { request, cwd } = (said.success && said.data) as { request: Record<string, unknown>; cwd: string };
  assert.deepEqual([request.action, { ...(request.params as object) }], ['say', { who: 'me' }]);
  assert.equal(cwd, path.join(project, 'agents/watcher'));
  const failed = await executeSkill({ ...order, action: 'fail' }, { runtime });
  assert.deepEqual(failed.success === false && failed.error, {
    code: 'EXTERNAL_SERVICE_ERROR',
    message: 'not today',
    details: { tried: 1 },
  });
});

test('000-40 jobs run builds the request itself, with the ids and the folder of the role, and leaves a line in the history', async (t) => {
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'say');
  const ran = await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'say', 'who=me', 'days=3']);
  assert.equal(ran.code, 0, ran.summary);
  const { request, cwd } = (ran.data.response as { data: { request: Record<string, unknown>; cwd: string } }).data;
  assert.deepEqual(request, {
    action: 'say',
    params: { who: 'me', days: 3 },
    context: { request_id: ran.data.job, agent_id: 'watcher' },
  });
  assert.equal(cwd, path.join(project, 'agents/watcher'));
  const { data } = await outcomeOf(project, ['jobs', 'history']);
  const { id, role, skill, action, state, attempts, outcome, run } = (data.jobs as Record<string, unknown>[])[0] ?? {};
  assert.deepEqual(
    [id, role, skill, action, state, attempts, outcome],
    [ran.data.job, 'watcher', 'echo', 'say', 'done', 1, { state: 'success', summary: 'echoed' }],
  );
  assert.equal((await outcomeOf(project, ['runs', 'verify', String(run)])).state, 'success');
  const shown = await cli(project, ['jobs', 'show', 'latest', '--lang', 'zh']);
  assert.match(shown.stdout, /已完成/);
});

test('a job that is only queued names itself, and a skill without an action names its actions', async (t) => {
  const project = makeRole(t);
  const queued = await cli(project, ['jobs', 'run', 'watcher/echo', 'fail', '--detach']);
  const id = /skillwright jobs show (\w+)/.exec(queued.stdout)?.[1] ?? '';
  assert.equal((await outcomeOf(project, ['jobs', 'show', id])).state, 'success', queued.stdout);
  const open = await cli(project, ['jobs', 'run', 'watcher/echo']);
  assert.equal(open.code, 2);
  assert.match(open.stderr, /watcher\/echo can do: say, fail, slow, write, report/);
});

test('bad input is a typed error before anything is queued or run', async (t) => {
  const project = makeRole(t);
  const run = ['jobs', 'run'];
  const rows: [string[], string][] = [
    [[...run, 'wacher/echo', 'say', 'who=x'], 'DATA_NOT_FOUND'],
    [[...run, 'watcher/eco', 'say', 'who=x'], 'SKILL_NOT_FOUND'],
    [[...run, 'watcher/echo', 'sai', 'who=x'], 'UNKNOWN_ACTION'],
    [[...run, 'watcher/echo', 'say'], 'MISSING_PARAM'],
    [[...run, 'watcher/echo', 'say', 'who=x', 'days=many'], 'INVALID_PARAM'],
    [[...run, 'watcher/echo', 'say', '--params', '{"who":"x","days":"3"}'], 'INVALID_PARAM'],
    [[...run, 'watcher/echo', 'say', '--params', '{"who":"x","dais":3}'], 'INVALID_PARAM'],
    [[...run, 'watcher/keeper', 'say'], 'MISSING_PARAM'],
    [[...run, 'watcher/nightly'], 'DATA_NOT_FOUND'],
  ];
  for (const [args, code] of rows) {
    const { state, data, code: exit } = await outcomeOf(project, args);
    assert.deepEqual([state, data.code, exit], ['error', code, 1], args.join(' '));
  }
  const near = await outcomeOf(project, [...run, 'watcher/eco', 'say']);
  assert.match(String(near.data.hint), /echo/);
  assert.equal((await cli(project, [...run, 'watcher'])).code, 2);
  assert.deepEqual((await outcomeOf(project, ['jobs', 'history'])).data.jobs, []);
  assert.equal(existsSync(path.join(project, '.agent/runs')), false);
  const runtime = await runtimeOf(project);
  const unknown = await executeSkill({ agent_role: 'nobody', skill_name: 'x', action: 'y' }, { runtime });
  assert.equal(unknown.success === false && unknown.error.code, 'DATA_NOT_FOUND');
});

test('a schedule that is written wrongly says why, whatever is asked of it', async (t) => {
  const at = (id: string, when: string) => `  - {id: ${id}, ${when}, skill: echo, action: report}\n`;
  const wrong = at('never', 'cron: "0 9 30 2 *"') + at('nowhere', 'cron: "0 9 * * *", timezone: Asia/Shanghaj');
  const project = makeRole(t, `schedule:\n${wrong}`);
  for (const [id, reason] of [
    ['never', /never fires/],
    ['nowhere', /no time zone Asia\/Shanghaj \(did you mean Asia\/Shanghai\?\)/],
  ] as const) {
    for (const verb of ['run', 'enable', 'disable']) {
      const { code, data, summary } = await outcomeOf(project, ['jobs', verb, `watcher/${id}`]);
      assert.deepEqual([code, data.code], [1, 'CONFIG_INVALID'], verb);
      assert.match(summary, reason);
    }
  }
  assert.equal((await outcomeOf(project, ['jobs', 'list'])).summary, 'no schedules here, 2 mistakes');
  assert.deepEqual((await outcomeOf(project, ['jobs', 'history'])).data.jobs, []);
});

test('a secret reaches only the skill it belongs to, from the environment or a file, and is kept nowhere', async (t) => {
  const project = makeRole(t);
  const secret = 'tok-8fk2-not-to-be-seen';
  const file = path.join(temporaryFolder(t), 'token');
  writeFileSync(file, `${secret}\n`);
  for (const [skill, action] of [
    ['watcher/keeper', 'see'],
    ['watcher/echo', 'say'],
  ] as const)
    await grant(project, skill, action);
  for (const env of [{ CI_TOKEN: secret }, { CI_TOKEN_FILE: file }]) {
    const kept = await outcomeOf(project, ['jobs', 'run', 'watcher/keeper', 'see'], env);
    const { token, length } = (kept.data.response as { data: { token: string; length: number } }).data;
    assert.deepEqual([length, token === secret], [secret.length, false], kept.summary);
    const other = await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'say', 'who=x'], env);
    assert.equal((other.data.response as { data: { token: unknown } }).data.token, null);
  }
  const missing = await outcomeOf(project, ['jobs', 'run', 'watcher/keeper', 'see'], { CI_TOKEN_FILE: `${file}.gone` });
  assert.deepEqual([missing.data.code, /CI_TOKEN_FILE/.test(missing.summary)], ['MISSING_PARAM', true]);
  const { stdout } = await cli(project, ['jobs', 'show', 'latest', '--json']);
  const records = readdirSync(path.join(project, '.agent/runs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  assert.equal(
    [stdout, ...records].some((text) => text.includes(secret)),
    false,
  );
});

test('the folder of the role can be read by its skill; what it writes there waits, and the job is done', async (t) => {
  const project = makeRole(t);
  await grant(project, 'watcher/echo', 'write');
  const { data } = await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'write']);
  const { read } = (data.response as { data: { read: string } }).data;
  assert.deepEqual([read.includes('Says what it sees'), data.job_state], [true, 'done']);
  const { waiting } = data.changes as { waiting: { path: string }[] };
  assert.deepEqual(
    waiting.map((change) => change.path),
    ['agents/watcher/planted.txt'],
  );
  assert.equal(existsSync(path.join(project, 'agents/watcher/planted.txt')), false);
});

test('without a grant a job waits in the list of questions; a yes runs it once, a no cancels it', async (t) => {
  const project = makeRole(t);
  const run = ['jobs', 'run', 'watcher/echo', 'report'];
  const waiting = await outcomeOf(project, run);
  assert.deepEqual([waiting.code, waiting.state, waiting.data.job_state], [4, 'interrupted', 'waiting']);
  const shown = (await cli(project, ['jobs', 'show', 'latest'])).stdout;
  assert.match(shown, /state +waiting/);
  assert.match(shown, /priority +before all others: `jobs run` queued it/);
  assert.match(shown, /`skillwright interrupts` shows its question/);
  const { items } = (await outcomeOf(project, ['interrupts'])).data as { items: { id: string; kind: string }[] };
  assert.deepEqual([items.length, items[0]?.kind], [1, 'job']);
  const yes = await outcomeOf(project, ['resume', String(items[0]?.id), '--decide', 'approve']);
  assert.deepEqual([yes.state, yes.data.job, yes.data.job_state], ['success', waiting.data.job, 'done'], yes.summary);
  assert.equal(readFileSync(path.join(project, 'mybox/output/report.md'), 'utf8'), '# done');
  assert.equal((await outcomeOf(project, run)).state, 'interrupted');
  const [again] = (await outcomeOf(project, ['interrupts'])).data.items as { id: string }[];
  const no = await outcomeOf(project, ['resume', String(again?.id), '--decide', 'deny']);
  assert.equal(no.data.code, 'APPROVAL_DENIED');
  const { jobs } = (await outcomeOf(project, ['jobs', 'history'])).data as { jobs: { state: string }[] };
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ['cancelled', 'done'],
  );
  const allowed = await outcomeOf(project, [...run, '--yes']);
  assert.deepEqual([allowed.state, allowed.data.job_state], ['success', 'done']);
});

test('threat 49 blocked: a yes does not bring back a job that was cancelled', async (t) => {
  const project = makeRole(t);
  const waiting = await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'report']);
  await cli(project, ['jobs', 'cancel', String(waiting.data.job)]);
  const late = await outcomeOf(project, ['resume', String(waiting.data.id), '--decide', 'approve']);
  assert.deepEqual([late.state, late.data.code], ['error', 'DATA_NOT_FOUND'], late.summary);
  assert.equal(existsSync(path.join(project, 'mybox/output/report.md')), false);
});

test('the answer to a question does not count for changed files', async (t) => {
  const project = makeRole(t);
  const waiting = await outcomeOf(project, ['jobs', 'run', 'watcher/echo', 'report']);
  const script = path.join(project, 'agents/watcher/.claude/skills/echo.py');
  writeFileSync(script, `${readFileSync(script, 'utf8')}\n# changed\n`);
  const late = await outcomeOf(project, ['resume', String(waiting.data.id), '--decide', 'approve']);
  assert.equal(late.data.code, 'INTEGRITY_MISMATCH', late.summary);
});

const PROMPT = `schedule:
  - {id: morning, cron: "0 9 * * *", prompt: Say how it went.}
`;

function decide(action: Record<string, unknown>) {
  const plan = { goal: 'g', steps: [{ id: 's1', title: 't', status: 'pending' }], assumptions: [], constraints: {} };
  return { action, plan_update: { mode: 'replace', plan } };
}

test('000-19 a job with a prompt shows the model the text of CLAUDE.md, and the answer rests on what skills said', async (t) => {
  const call = { type: 'invoke_skill', skill: { name: 'watcher/echo' }, action: 'say', params: { who: 'model' } };
  const script = [decide(call), decide({ type: 'final_answer', content: 'It went well.' })];
  const project = makeRole(t, PROMPT, { 'case.json': JSON.stringify(script) });
  await grant(project, 'watcher/echo', 'say');
  const ran = await outcomeOf(project, ['jobs', 'run', 'watcher/morning', '--model', 'mock:case.json']);
  assert.deepEqual([ran.state, ran.data.answer], ['success', 'It went well.'], ran.summary);
  const record = path.join(project, '.agent/runs', String(ran.data.run_id));
  const prompts = readRecords(record).flatMap((event) =>
    event.type === 'model' ? [readKept(event.prompt, record)?.text ?? ''] : [],
  );
  assert.equal(prompts.length, 2);
  for (const prompt of prompts) assert.match(prompt, /SAY-ONLY-WHAT-YOU-SAW/);
  assert.match(prompts[0] ?? '', /watcher\/echo/, 'the skills of the role stand in the catalog');
  assert.match(prompts[1] ?? '', /echoed/, 'and what they say is shown');
  const events = readFileSync(path.join(record, 'events.jsonl'), 'utf8');
  assert.match(events, /"type":"call-result"/);
  assert.match(events, /"agent_id":"watcher"/);
  const asked = readRecords(record).flatMap((event) => ('request_id' in event ? [event.request_id] : []));
  assert.deepEqual([...new Set(asked)], [ran.data.job]);
  const { jobs } = (await outcomeOf(project, ['jobs', 'history'])).data as { jobs: { run: string; prompt: string }[] };
  assert.deepEqual([jobs[0]?.run, jobs[0]?.prompt], [ran.data.run_id, 'Say how it went.']);
});

test('a prompt that needs a decision waits, and goes on where it was', async (t) => {
  const call = { type: 'invoke_skill', skill: { name: 'watcher/echo' }, action: 'report', params: {} };
  const script = [decide(call), decide({ type: 'final_answer', content: 'Reported.' })];
  const project = makeRole(t, PROMPT, { 'case.json': JSON.stringify(script) });
  const waiting = await outcomeOf(project, ['jobs', 'run', 'watcher/morning', '--model', 'mock:case.json']);
  assert.deepEqual([waiting.state, waiting.data.job_state], ['interrupted', 'waiting'], waiting.summary);
  const done = await outcomeOf(project, ['resume', String(waiting.data.id), '--decide', 'approve']);
  assert.deepEqual(
    [done.state, done.data.answer, done.data.job],
    ['success', 'Reported.', waiting.data.job],
    done.summary,
  );
  assert.equal(done.data.run_id, waiting.data.run_id);
});
