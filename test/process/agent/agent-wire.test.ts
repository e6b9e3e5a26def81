// Runs whose decisions come over HTTP: the command line as a process, a server in each format, and how often it is asked.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { answer, makeWorld, plant, tool } from '../../support/agent-support.ts';
import {
  type Act,
  anthropic,
  type Dialect,
  drops,
  fails,
  openai,
  says,
  sendsPage,
  startModelServer,
} from '../../support/server/model-server.ts';
import { runCli } from '../../support/support.ts';

const CALL = JSON.stringify(tool('read_file', { path: 'a.txt' }));
const DONE = JSON.stringify(answer('it says TEXT'));

for (const dialect of [openai, anthropic]) {
  test(`002-100 a run over ${dialect.provider} survives a 429, a 500, a dropped line and an answer that is no decision`, async (t) => {
    const { ran, outcome, seen } = await runOver(t, dialect, [
      fails(dialect, 429, 'slow down', { 'retry-after': '0' }),
      says(dialect, { calls: [CALL] }),
      fails(dialect, 500),
      says(dialect, { text: 'I am done.' }),
      drops,
      says(dialect, { text: DONE }),
    ]);
    assert.equal(ran.code, 0, ran.stdout);
    assert.deepEqual([outcome.data.answer, outcome.data.turns, outcome.data.tool_calls], ['it says TEXT', 2, 1]);
    assert.equal(seen.length, 6);
    assert.ok(outcome.data.tokens > 0);
    assert.match(JSON.stringify(seen.at(-1)?.body), /no valid decision/);
  });

  test(`002-100 a run over ${dialect.provider} that meets a web page fails at once, and goes on when it is resumed`, async (t) => {
    const { world, ran, outcome, seen } = await runOver(t, dialect, [
      says(dialect, { calls: [CALL] }),
      sendsPage(),
      says(dialect, { calls: [DONE] }),
    ]);
    assert.deepEqual([ran.code, outcome.state, seen.length], [1, 'error', 2]);
    const resumed = await runCli(['run', '--resume', 'latest', '--json'], world);
    const { data } = JSON.parse(resumed.stdout);
    assert.deepEqual(
      [resumed.code, data.answer, data.tool_calls, seen.length],
      [0, 'it says TEXT', 1, 3],
      resumed.stdout,
    );
  });
}

async function runOver(t: Parameters<typeof makeWorld>[0], dialect: Dialect, acts: Act[]) {
  const { project, home } = makeWorld(t, { 'a.txt': 'TEXT' });
  const { url, seen } = await startModelServer(t, ...acts);
  const model = { provider: dialect.provider, name: 'test-model', base_url: url, key_env: 'TEST_KEY' };
  plant(home, { '.agent/config.json': '' });
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ model }));
  const world = { cwd: project, home, env: { TEST_KEY: 'sk-test-0123456789' } };
  const ran = await runCli(['run', 'read a.txt', '--json'], world);
  return { world, ran, outcome: JSON.parse(ran.stdout), seen };
}
