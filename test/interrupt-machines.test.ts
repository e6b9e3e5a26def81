// Two machines and one shared store: every question is seen on both, and answered where what it goes on with lies.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { randomId } from '../src/base/ids.ts';
import { makeRole } from './jobs-support.ts';
import { ask as askServer } from './postgres-server.ts';
import { sharedPostgres } from './postgres-shared.ts';
import { runCli, temporaryFolder } from './support.ts';

const PROMPT = `schedule:
  - {id: morning, cron: "0 9 * * *", prompt: Say how it went.}
`;

test('a job that waits is listed on every machine, and a yes on another one lets it run, once', async (t) => {
  const [here, there] = await twoMachines(t);
  const waiting = await here.ask('jobs', 'run', 'watcher/echo', 'report');
  assert.equal(waiting.data.job_state, 'waiting', waiting.summary);
  const id = String(waiting.data.id);
  const [listed] = await there.questions();
  assert.deepEqual([listed?.id, listed?.kind, listed?.here, listed?.host], [id, 'job', true, undefined]);
  const [first, second] = await Promise.all([
    there.ask('resume', id, '--decide', 'approve'),
    here.ask('resume', id, '--decide', 'approve'),
  ]);
  const states = [first.state, second.state].toSorted();
  assert.deepEqual(states, ['error', 'success'], JSON.stringify([first, second]));
  const jobs = (await here.ask('jobs', 'history')).data.jobs as { state: string; attempts: number }[];
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ['done'],
  );
  assert.deepEqual(await here.questions(), []);
});

test('a call and a run of the agent wait on the machine that asked; another one names it and decides nothing', async (t) => {
  const plan = { goal: 'g', steps: [{ id: 's1', title: 't', status: 'pending' }], assumptions: [], constraints: {} };
  const decide = (action: Record<string, unknown>) => ({ action, plan_update: { mode: 'replace', plan } });
  const call = { type: 'invoke_skill', skill: { name: 'watcher/echo' }, action: 'report', params: {} };
  const script = [decide(call), decide({ type: 'final_answer', content: 'Reported.' })];
  const [here, there] = await twoMachines(t, { 'case.json': JSON.stringify(script) });
  for (const words of [
    ['call', 'watcher/echo', 'report'],
    ['jobs', 'run', 'watcher/morning', '--model', 'mock:case.json'],
  ]) {
    const waiting = await here.ask(...words);
    assert.equal(waiting.state, 'interrupted', waiting.summary);
    const id = String(waiting.data.id);
    const [listed] = await there.questions();
    assert.deepEqual([listed?.id, listed?.here, listed?.host], [id, false, hostname()]);
    const refused = await there.ask('resume', id, '--decide', 'approve');
    assert.deepEqual([refused.state, refused.data.type], ['error', 'DataNotFound']);
    assert.ok(refused.summary.includes(`${hostname()}:${here.project}`), refused.summary);
    const done = await here.ask('resume', id, '--decide', 'approve');
    assert.equal(done.state, 'success', done.summary);
    assert.deepEqual(await there.questions(), []);
  }
});

test('whoever can write to the server gets no yes by showing other words than those of the call', async (t) => {
  const [here, there, schema] = await twoMachines(t);
  const waiting = await here.ask('jobs', 'run', 'watcher/echo', 'report');
  const { url } = await sharedPostgres();
  await askServer(url, `UPDATE "${schema}".interrupt SET question = 'watcher/echo: run_script say hello'`);
  const refused = await there.ask('resume', String(waiting.data.id), '--decide', 'approve');
  assert.deepEqual([refused.state, refused.data.code], ['error', 'INTEGRITY_MISMATCH'], refused.summary);
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
  const open = async () => {
    const [home, project] = [temporaryFolder(t), makeRole(t, PROMPT, files)];
    mkdirSync(path.join(home, '.agent'));
    writeFileSync(path.join(home, '.agent', 'config.json'), settings);
    const ask = async (...words: readonly string[]): Promise<Printed> => {
      const options = { cwd: project, home, env: { SECRET: password } };
      const { stdout, stderr } = await runCli([...words, '--json'], options);
      assert.notEqual(stdout, '', stderr);
      return JSON.parse(stdout) as Printed;
    };
    await ask('trust', '--yes');
    const questions = async () => (await ask('interrupts')).data.items as Record<string, unknown>[];
    return { project, ask, questions };
  };
  return [await open(), await open(), `skillwright_${name}`] as const;
}
