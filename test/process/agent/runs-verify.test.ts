// `runs verify` as a person uses it, where somebody took a record away, cut it or blew it up.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeSkill } from '../../support/install-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

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

test('why a record does not hold is said in Chinese, too: of a run, and of the log of one’s own commands', async (t) => {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(home);
  writeSkill(path.join(cwd, '.agent', 'skills'), { name: 'alpha' });
  const sw = (...args: string[]) => runCli([...args, '--lang', 'zh'], { cwd, home });
  assert.equal((await sw('trust', '--yes')).code, 0);
  for (let round = 0; round < 3; round++) await sw('run', '--model', 'offline', 'use alpha');
  const runs = path.join(cwd, '.agent', 'runs');
  const [gone = '', changed = '', cut = ''] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  rmSync(path.join(runs, gone), { recursive: true });
  const events = path.join(runs, changed, 'events.jsonl');
  writeFileSync(events, readFileSync(events, 'utf8').replace('"seq":1', '"seq":7'));
  truncateSync(path.join(runs, cut, 'events.jsonl'), 0);
  const { code, stdout } = await sw('runs', 'verify');
  assert.equal(code, 1);
  for (const [run, why] of [
    [gone, '整份记录已不存在'],
    [changed, '次序错乱'],
    [cut, '结尾缺失'],
  ])
    assert.match(stdout, new RegExp(`${run} 在事件 \\d+ 处断裂: ${why}$`, 'm'));
  assert.match((await sw('runs', 'show', changed)).stdout, /核验 +在事件 1 处断裂: 次序错乱/);

  const log = path.join(home, '.agent', 'log');
  for (const name of readdirSync(log, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.jsonl')) truncateSync(path.join(log, name), 0);
  const verified = await sw('log', 'verify');
  assert.deepEqual([verified.code, /第 1 段事件 0: 结尾缺失$/m.test(verified.stdout)], [1, true], verified.stdout);
});

test('a run that could not begin, because home cannot hold its seal, leaves no record behind', async (t) => {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  writeSkill(path.join(cwd, '.agent', 'skills'), { name: 'alpha' });
  const register = path.join(home, '.agent', 'run-register');
  const keys = path.join(home, '.agent', 'keys');
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  for (const blocked of [register, keys]) {
    writeFileSync(blocked, 'a file where a folder is needed');
    const { code, stdout } = await runCli(['run', '--model', 'offline', 'use alpha', '--json'], { cwd, home });
    assert.deepEqual([code, JSON.parse(stdout).state], [1, 'error'], stdout);
    rmSync(blocked);
    const verified = await runCli(['runs', 'verify', '--json'], { cwd, home });
    assert.deepEqual([verified.code, JSON.parse(verified.stdout).data.runs], [0, []], blocked);
  }
});

test('threat 48 blocked: a text that was cut is not taken for one thrown away by age, and one bad record hides no other', async (t) => {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(home);
  writeSkill(path.join(cwd, '.agent', 'skills'), { name: 'alpha' });
  for (let round = 0; round < 2; round++) await runCli(['run', '--model', 'offline', 'use alpha'], { cwd, home });
  const runs = path.join(cwd, '.agent', 'runs');
  const [first = '', second = ''] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  const verify = async () => {
    const { stdout } = await runCli(['runs', 'verify', '--json'], { cwd, home });
    const results = JSON.parse(stdout).data.runs as { run_id: string; ok: boolean; why?: string }[];
    return [first, second].map((id) => results.find(({ run_id }) => run_id === id));
  };
  const texts = path.join(runs, first, 'observations', '00001.txt');
  truncateSync(texts, statSync(texts).size - 1);
  const [cut, whole] = await verify();
  assert.deepEqual([cut?.ok, whole?.ok], [false, true]);
  assert.match(cut?.why ?? '', /was cut/);
  truncateSync(path.join(runs, first, 'events.jsonl'), 2 ** 31);
  const [bloated, still] = await verify();
  assert.deepEqual([bloated?.ok, still?.ok], [false, true]);
  rmSync(path.join(runs, first), { recursive: true });
});
