// A `start` that is told to stop while its database is away: its scripts end first, and nobody waits long for the server.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from '../../../src/base/ids.ts';
import { findTree } from '../../../src/process/kill-tree.ts';
import { makeRole, start } from '../../support/jobs-support.ts';
import { openCutLine } from '../../support/server/cut-line.ts';
import { sharedPostgres } from '../../support/server/postgres-shared.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

/** The patience of one word alone, and the lease of a job, would take longer. */
const BOUND_MS = 9_000;

test('SIGTERM while the network is silent: the script is ended first, and `start` ends soon after', async (t) => {
  const { project, home, env, line } = await openProject(t);
  for (const words of [
    ['trust', '--yes'],
    ['grants', 'add', 'watcher/echo', '--action', 'slow'],
    ['jobs', 'run', 'watcher/echo', 'slow', '--detach'],
  ])
    await runCli(words, { cwd: project, home, env });
  const running = start(t, project, ['--drain', '0'], { HOME: home, ...env });
  await running.until('job started');
  const tree = () => findTree({ leader: running.child.pid ?? 0, tag: 'none', since: 0 }).map(({ pid }) => pid);
  while (tree().length < 3) await sleep(20);
  const processes = tree();
  line.silence();
  const begun = performance.now();
  await running.end('SIGTERM');
  assert.ok(performance.now() - begun < BOUND_MS, JSON.stringify(running.log()));
  assert.deepEqual(
    processes.filter((one) => existsSync(`/proc/${one}`)),
    [],
  );
  const events = running.log().map(({ event }) => event);
  assert.ok(events.indexOf('job lost') < events.indexOf('stopped'), events.join());
});

async function openProject(t: TestContext) {
  const line = await openCutLine((await sharedPostgres()).url);
  t.after(() => line.close());
  const { username, password, host, pathname } = new URL(line.url);
  const url = `postgres://${username}:\${SECRET}@${host}${pathname}`;
  const home = temporaryFolder(t);
  mkdirSync(path.join(home, '.agent'));
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ store: { url, name: `t${randomId(6)}` } }));
  return { project: makeRole(t), home, env: { SECRET: password }, line };
}
