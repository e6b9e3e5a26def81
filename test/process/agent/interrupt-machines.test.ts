// Two machines and one shared store: every question is seen on both, and answered where what it goes on with lies.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomId } from '../../../src/base/ids.ts';
import { questionId } from '../../../src/store/interrupt-store.ts';
import { makeRole, start } from '../../support/jobs-support.ts';
import { ask as askServer } from '../../support/server/postgres-server.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const PROMPT = `schedule:
  - {id: morning, cron: "0 9 * * *", prompt: Say how it went.}
`;

test('a job that waits is listed on every machine, and a yes on another one lets it run, once', async (t) => {
  const [here, there, schema] = await twoMachines(t);
  const waiting = await here.ask('jobs', 'run', 'watcher/echo', 'report');
  assert.equal(waiting.data.job_state, 'waiting', waiting.summary);
  const id = String(waiting.data.id);
  const [listed] = await there.questions();
  assert.deepEqual([listed?.id, listed?.kind, listed?.here, listed?.host], [id, 'job', true, undefined]);

  const { url } = await sharedPostgres();
  const [row] = await askServer(url, `SELECT digest FROM "${schema}".interrupt`);
  const lie = 'watcher/echo: run_script say hello';
  const forged = questionId({ digest: String(row?.digest), question: lie });
  await askServer(url, `UPDATE "${schema}".interrupt SET id = '${forged}', question = '${lie}'`);
  const lied = await there.ask('resume', forged, '--decide', 'approve');
  assert.equal(lied.data.code, 'INTEGRITY_MISMATCH', 'other words than those of the call get no yes');
  await askServer(url, `UPDATE "${schema}".interrupt SET id = '${id}', question = '${listed?.question}'`);

  const answers = await Promise.all([here, there].map(({ ask }) => ask('resume', id, '--decide', 'approve')));
  assert.deepEqual(answers.map(({ state }) => state).toSorted(), ['error', 'success'], JSON.stringify(answers));
  const { jobs } = (await here.ask('jobs', 'history')).data as { jobs: { state: string }[] };
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ['done'],
  );
});

test('threat 62 blocked: who can write to the shared store queues a job again, but cannot say yes for it', async (t) => {
  const [here, there, schema] = await twoMachines(t);
  const { data } = await here.ask('jobs', 'run', 'watcher/echo', 'report');
  const { url } = await sharedPostgres();
  await askServer(url, `UPDATE "${schema}".interrupt SET taken_by = 'nobody'`);
  // As the table of a yes once was.
  await askServer(
    url,
    `CREATE TABLE "${schema}".approval AS SELECT '${data.job}' AS job, digest AS key, expires, NULL AS taken_by FROM "${schema}".interrupt`,
  );
  assert.equal((await there.ask('jobs', 'retry', String(data.job))).state, 'success');
  await here.ask('trust', '--yes');
  const worker = start(t, here.project, [], here.env);
  await worker.until('job waiting');
  await worker.end('SIGTERM');
  assert.equal((await here.questions()).length, 1, 'it asks again');
});

test('threat 62 control: a yes that is given on the machine lets its worker run the job', async (t) => {
  const [here] = await twoMachines(t);
  await here.ask('trust', '--yes');
  const worker = start(t, here.project, [], here.env);
  const asked = await here.ask('jobs', 'run', 'watcher/echo', 'report');
  const done = await here.ask('resume', String(asked.data.id), '--decide', 'approve');
  assert.equal(done.state, 'success', done.summary);
  await worker.end('SIGTERM');
});

test('a job that this machine cannot take is not answered here', async (t) => {
  const [here, there] = await twoMachines(t);
  writeFileSync(path.join(there.project, 'agents', 'watcher', '.claude', 'skills', 'echo.py'), 'print(1)');
  const asked = await here.ask('jobs', 'run', 'watcher/echo', 'report', '--pin');
  const refused = await there.ask('resume', String(asked.data.id), '--decide', 'approve');
  assert.match(refused.summary, /an answer counts on the machine where it is given/);
  assert.equal((await here.questions()).length, 1, 'nothing was decided');
});

test('a call and a run of the agent wait on the machine that asked; another one names it and decides nothing', async (t) => {
  const plan = { goal: 'g', steps: [{ id: 's1', title: 't', status: 'pending' }], assumptions: [], constraints: {} };
  const decide = (action: Record<string, unknown>) => ({ action, plan_update: { mode: 'replace', plan } });
  const call = { type: 'invoke_skill', skill: { name: 'watcher/echo' }, action: 'report', params: {} };
  const script = [decide(call), decide({ type: 'final_answer', content: 'Reported.' })];
  const [here, there] = await twoMachines(t, { 'case.json': JSON.stringify(script) });
  const asked = [
    await here.ask('call', 'watcher/echo', 'report'),
    await here.ask('jobs', 'run', 'watcher/morning', '--model', 'mock:case.json'),
  ].map(({ data }) => String(data.id));
  assert.deepEqual(
    (await there.questions()).map(({ id, here: isHere, host }) => [id, isHere, host]),
    asked.map((id) => [id, false, hostname()]),
  );
  for (const id of asked) {
    const refused = await there.ask('resume', id, '--decide', 'approve');
    assert.deepEqual([refused.state, refused.data.type], ['error', 'DataNotFound']);
    assert.ok(refused.summary.includes(`${hostname()}:${here.project}`), refused.summary);
    const done = await here.ask('resume', id, '--decide', 'approve');
    assert.equal(done.state, 'success', done.summary);
  }
});

interface Printed {
  readonly state: string;
  readonly summary: string;
  readonly data: Record<string, unknown>;
}

/** The same project in two folders, each under a home of its own, with one store. */
async function twoMachines(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const { username, password, host, pathname } = new URL((await sharedPostgres()).url);
  const url = `postgres://${username}:\${SECRET}@${host}${pathname}`;
  const name = `t${randomId(6)}`;
  const settings = JSON.stringify({ store: { url, name } });
  const open = () => {
    const [home, project] = [temporaryFolder(t), makeRole(t, PROMPT, files)];
    mkdirSync(path.join(home, '.agent'));
    writeFileSync(path.join(home, '.agent', 'config.json'), settings);
    const env = { SECRET: password };
    const ask = async (...words: readonly string[]): Promise<Printed> => {
      const options = { cwd: project, home, env };
      const { stdout, stderr } = await runCli([...words, '--json'], options);
      assert.notEqual(stdout, '', stderr);
      return JSON.parse(stdout) as Printed;
    };
    const questions = async () => (await ask('interrupts')).data.items as Record<string, unknown>[];
    return { project, env: { ...env, HOME: home }, ask, questions };
  };
  return [open(), open(), `skillwright_${name}`] as const;
}
