// A host that is killed at any instant leaves no process of its call behind, whatever its tier.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { skillFiles } from '../../support/door-support.ts';
import { endOf, oddTime, sightOf } from '../../support/library/handle.ts';
import { commandLine, compiledCode, count } from '../../support/support.ts';
import { enterWorld, worldsHere } from '../../support/world/enter.ts';
import { type World, worldWords } from '../../support/world/world.ts';

const files = skillFiles('waiter', 'name: waiter\ndescription: Waits with others.', {
  'scripts/wait.sh': 'sleep "$1" &\nsetsid sleep "$1" &\nexec sleep "$1"\n',
});

for (const world of worldsHere()) {
  test(`${world.title}: what a call started ends with a host that is killed, in its group and out of it`, async (t) => {
    const entered = enterWorld(t, world, files);
    if (!entered) return;
    const word = oddTime();
    const host = start(world, entered.project, word);
    await sightOf(word, 'sleep');
    await kill(host);
    await endOf(word);
  });

  test(`${world.title}: a host that is killed while a call starts leaves nothing running`, async (t) => {
    const entered = enterWorld(t, world, files);
    if (!entered) return;
    const whole = await timeToSight(world, entered.project);
    for (let round = 0; round < count(60, 3); round++) {
      const word = oddTime();
      const host = start(world, entered.project, word);
      await sleep(whole * (0.5 + Math.random() / 2));
      await kill(host);
      await endOf(word);
    }
  });
}

function start(world: World, cwd: string, word: string): ChildProcess {
  const words = ['exec', 'waiter', 'scripts/wait.sh', '--yes', '--', word];
  const [program = '', ...rest] = [...worldWords(world), process.execPath, commandLine(), ...words];
  const env = { PATH: process.env.PATH ?? '', HOME: path.join(cwd, '../home'), ...compiledCode() };
  return spawn(program, rest, { cwd, env, stdio: 'ignore' });
}

async function timeToSight(world: World, cwd: string): Promise<number> {
  const word = oddTime();
  const began = performance.now();
  const host = start(world, cwd, word);
  await sightOf(word, 'sleep');
  const whole = performance.now() - began;
  await kill(host);
  await endOf(word);
  return whole;
}

async function kill(host: ChildProcess): Promise<void> {
  const ended = once(host, 'exit');
  host.kill('SIGKILL');
  await ended;
}
