// Seed 002, sections 1.2 and 4.4: what every action meets before, while and after it is done.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  answer,
  makeWorld,
  observed,
  plant,
  runProcess,
  script,
  select,
  skillFile,
  tool,
} from '../../support/agent-support.ts';
import { openai, says, startModelServer } from '../../support/server/model-server.ts';
import { commandLine, compiledCode, runCli } from '../../support/support.ts';

const SEE = 'echo "home $HOME"; echo "at $(pwd)"; echo planted > "$1/planted.txt"; env\n';

test('002-12 002-13 decided differently: a real sandbox; a script has a home and an environment of its own, writes into a layer, and has an end and a listed interpreter', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('kit'),
    ...skillFile('slow', 'timeout: 1\n'),
    '.agent/skills/kit/scripts/see.sh': SEE,
    '.agent/skills/kit/scripts/x.lua': '#!/usr/bin/env lua\nprint("RAN")\n',
    '.agent/skills/slow/scripts/slow.sh': 'sleep 300\n',
  });
  plant(world.home, { '.agent/config.json': JSON.stringify({ interpreters: ['sh', 'bash'] }) });
  const steps = [
    select('kit', 'slow'),
    script('kit', 'see.sh', world.project),
    script('kit', 'x.lua'),
    script('slow', 'slow.sh'),
    answer(),
  ];
  const ran = await runProcess(world, steps, {
    args: ['--yes', '--apply', 'never'],
    env: { OF_THE_HOST: 'not-for-scripts' },
  });
  const [, seen = '', lua = '', slow = ''] = observed(ran);
  assert.match(seen, /home [^\n]*\.agent\/state\/[^\n]*\/homes\/[^\n]*\nat [^\n]*\n/, ran.stdout);
  assert.ok(!existsSync(path.join(world.project, 'planted.txt')));
  assert.doesNotMatch(seen, /OF_THE_HOST|not-for-scripts/);
  assert.match(lua, /PermissionDenied: not permitted: interpreter "lua" is not in the list/);
  assert.match(slow, /^timeout/);
});

test('002-37 each action is decided before it is done, and done only where settings, project and skill all let it', async (t) => {
  const denying = (name: string) => ({ '.agent/config.json': JSON.stringify({ execution: { denied: [name] } }) });
  const world = makeWorld(t, {
    ...skillFile('reader', 'allowed-tools: [read_file, list_dir, grep]\n'),
    ...denying('grep'),
    'a.txt': 'TEXT',
  });
  plant(world.home, denying('list_dir'));
  const ran = await runProcess(
    world,
    [
      select('reader'),
      tool('read_file', { path: 'a.txt' }, 'reader'),
      tool('list_dir', {}, 'reader'),
      tool('grep', { pattern: 'TEXT' }, 'reader'),
      tool('write_file', { path: 'mybox/x', content: 'x' }, 'reader'),
      answer(),
    ],
    { args: ['--yes'] },
  );
  const decided = ran.events.flatMap((event) => {
    if (event.type !== 'decision') return [];
    const deciding = event.layers.find(({ effect }) => effect === event.effect);
    return [[event.tool, event.effect, event.effect === 'deny' ? deciding?.layer : undefined]];
  });
  assert.deepEqual(decided, [
    ['read_file', 'allow', undefined],
    ['list_dir', 'deny', 'global'],
    ['grep', 'deny', 'project'],
    ['write_file', 'deny', 'skill'],
  ]);
  const around = ran.events.flatMap((event) => (/^decision$|^call-/.test(event.type) ? [event.type] : []));
  assert.deepEqual(around, ['decision', 'call-intent', 'call-result', 'decision', 'decision', 'decision']);
});

test('002-39 what an action was to do and what it did are on disk before the next step: a run that is killed has them', async (t) => {
  const world = makeWorld(t, { 'a.txt': 'TEXT' });
  const { promise: askedAgain, resolve } = Promise.withResolvers<void>();
  const first = says(openai, { calls: [JSON.stringify(tool('read_file', { path: 'a.txt' }))] });
  // The second question is never answered, so that the run is in its middle until it is killed.
  const { url } = await startModelServer(t, first, () => resolve());
  const model = { provider: openai.provider, name: 'some-model', base_url: url };
  plant(world.home, { '.agent/config.json': JSON.stringify({ model }) });
  const run = spawn(process.execPath, [commandLine(), 'run', 'read a.txt', '--json'], {
    cwd: world.project,
    env: { PATH: process.env.PATH ?? '', HOME: world.home, ...compiledCode() },
    stdio: 'ignore',
  });
  const ended = once(run, 'exit');
  await Promise.race([askedAgain, ended]);
  run.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  const shown = await runCli(['runs', 'show', 'latest', '--events', '--json'], {
    cwd: world.project,
    home: world.home,
  });
  const { verified, events } = JSON.parse(shown.stdout).data as {
    verified: { ok: boolean };
    events: { type: string; tool?: string; state?: string }[];
  };
  assert.equal(verified.ok, true, shown.stdout);
  const steps = events.filter(({ type }) => /^(?:model|decision|call-intent|call-result|observation)$/.test(type));
  assert.deepEqual(
    steps.map(({ type }) => type),
    ['model', 'decision', 'call-intent', 'call-result', 'observation'],
  );
  assert.deepEqual([steps[2]?.tool, steps[3]?.state], ['read_file', 'success']);
});
