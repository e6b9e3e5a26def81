// While a model thinks or a source is fetched, a terminal shows what is under way and for how long; a pipe gets nothing of it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorld, plant, type World } from '../../support/agent-support.ts';
import { openai, says, startModelServer } from '../../support/server/model-server.ts';
import { runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const ANSWER = { calls: ['{"action":{"type":"final_answer","content":"thought about it"}}'] };
const CLOCK = /[⠋⠙⠸⠴]/;
const env = { SLOW_KEY: 'sk-test-0123456789' };

/** A project whose model takes its time. */
async function slowModel(t: TestContext): Promise<World> {
  const server = await startModelServer(t, async (response, request) => {
    await sleep(2500);
    await says(openai, ANSWER)(response, request);
  });
  const world = makeWorld(t);
  const model = { provider: openai.provider, name: 'slow', base_url: server.url, key_env: 'SLOW_KEY' };
  plant(world.home, { '.agent/config.json': JSON.stringify({ model }) });
  return world;
}

test('a model that thinks is shown with a clock, in the language of the command', async (t) => {
  const { project: cwd, home } = await slowModel(t);
  const english = await atTerminal(['run', 'think'], { cwd, home, env, until: '1 s the model thinks', type: '' });
  assert.ok(english.asked, english.shown);
  assert.match(english.shown, /thought about it/);
  const chinese = await atTerminal(['run', '想一想', '--lang', 'zh'], {
    cwd,
    home,
    env,
    until: '1 s 模型思考中',
    type: '',
  });
  assert.ok(chinese.asked, chinese.shown);
});

test('nothing of it is in a pipe, nor where the answer is for a program', async (t) => {
  const { project: cwd, home } = await slowModel(t);
  const piped = await runCli(['run', 'think'], { cwd, home, env });
  assert.equal(piped.code, 0, piped.stderr);
  assert.doesNotMatch(piped.stdout + piped.stderr, CLOCK);
  const json = await atTerminal(['run', 'think', '--json'], { cwd, home, env, until: '}', type: '' });
  assert.doesNotMatch(json.shown, CLOCK);
});

test('a source that is slow to answer is shown while it is fetched', async (t) => {
  const server = createServer(async (_request, response) => {
    await sleep(2000);
    response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/pack.zip`;
  const { project: cwd, home } = makeWorld(t);
  const { shown, asked } = await atTerminal(['install', url], { cwd, home, until: '1 s installing http', type: '' });
  assert.ok(asked, shown);
});
