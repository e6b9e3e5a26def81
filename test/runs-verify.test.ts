// `runs verify` as a person uses it, where somebody took a whole record away.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeSkill } from './install-support.ts';
import { runCli, temporaryFolder } from './support.ts';

test('threat 48 blocked: runs verify misses a run whose folder was deleted, until it is told to forget it', async (t) => {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(home);
  writeSkill(path.join(cwd, '.agent', 'skills'), { name: 'alpha' });
  const ask = async (...args: string[]) => {
    const { code, stdout } = await runCli([...args, '--json'], { cwd, home });
    return { code, data: JSON.parse(stdout).data };
  };
  for (let round = 0; round < 2; round++) await ask('run', '--model', 'offline', 'use alpha');
  const runs = path.join(cwd, '.agent', 'runs');
  const [first, second] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  assert.ok(first && second);
  assert.equal((await ask('runs', 'verify')).code, 0);
  rmSync(path.join(runs, first), { recursive: true });
  const missed = await ask('runs', 'verify');
  assert.deepEqual([missed.code, missed.data.run_id, missed.data.why], [1, first, 'the whole record is gone']);
  assert.equal((await ask('runs', 'verify', first)).code, 1);
  assert.equal((await ask('runs', 'verify', second)).code, 0);
  assert.equal((await ask('runs', 'verify', '--forget')).code, 1);
  assert.equal((await ask('runs', 'verify')).code, 0);
  await ask('runs', 'prune', '--keep', '0', '--yes');
  assert.equal(existsSync(path.join(runs, second)), false);
  assert.equal((await ask('runs', 'verify')).code, 0, 'what was pruned is not missed');
});
