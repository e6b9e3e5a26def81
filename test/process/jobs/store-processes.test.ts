// Two real processes on one store, one of them killed again and again: nothing acknowledged is lost, nothing is damaged.
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { discover } from '../../../src/registry/discover.ts';
import { scan } from '../../../src/registry/scan.ts';
import { usageOf } from '../../../src/registry/usage.ts';
import { checkState, openStore } from '../../../src/store/sqlite/store.ts';
import { type ChildOrder, findSkills, loadRankIndex } from '../../support/child/store-processes-child.ts';
import { count, repository, temporaryFolder } from '../../support/support.ts';

const DURATION_MS = count(30_000, 3_000);
const FEWEST_KILLS = 4;

test('two processes scan, record and search at once, one is killed again and again: no lost record, no damage', async (t) => {
  const folder = temporaryFolder(t);
  const order = {
    home: path.join(folder, 'home'),
    root: path.join(folder, 'skills'),
    cacheFolder: path.join(folder, 'cache'),
  };
  for (let number = 0; number < 40; number++) writeSkill(order.root, number, 'first');
  const acknowledged = new Map<string, number>();
  const until = Date.now() + DURATION_MS;

  const steady = startChild({ ...order, own: 'steady' }, acknowledged);
  const [kills] = await Promise.all([killAgainAndAgain(order, acknowledged, until), editSkills(order.root, until)]);
  const [steadyCode, steadyErrors] = await endChild(steady);
  assert.deepEqual([steadyCode, steadyErrors], [0, '']);

  assert.deepEqual(checkState({ home: order.home, project: order.root }), []);
  using store = openStore({ home: order.home, project: order.root });
  const recorded = (folderName: string) => usageOf(store, { source: 'project', folderName }).count;
  const said = (folderName: string) => acknowledged.get(folderName) ?? 0;
  t.diagnostic(`${kills} kills, ${said('steady')} + ${said('killed')} records`);
  assert.ok(said('killed') > 0 && said('steady') > 0);
  assert.equal(recorded('steady'), said('steady'));
  // A record may be written in the very moment before its acknowledgement is cut off.
  assert.ok(recorded('killed') >= said('killed') && recorded('killed') <= said('killed') + kills);
  assert.ok(recorded('shared') >= said('shared') && recorded('shared') <= said('shared') + kills);

  assert.ok((loadRankIndex(order)?.size ?? 0) > 0);
  const cached = findSkills(order);
  const fresh = discover([{ folder: order.root, source: 'project', label: 'skills' }], { blockAngleBrackets: true });
  assert.deepEqual(cached.skills, fresh.skills);
  scan(fresh, store);
  const { total, ...changes } = scan(fresh, store);
  assert.equal(total, readdirSync(order.root).length);
  assert.deepEqual(changes, { added: [], updated: [], removed: [], diagnostics: [] });
});

type Child = ChildProcessByStdio<Writable, Readable, Readable> & { errors?: string };

function startChild(order: ChildOrder, acknowledged: Map<string, number>): Child {
  const program = path.join(repository, 'test/support/child/store-processes-child.ts');
  const child: Child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const name of lines) acknowledged.set(name, (acknowledged.get(name) ?? 0) + 1);
  });
  child.errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    child.errors += text;
  });
  return child;
}

async function endChild(child: Child): Promise<[code: unknown, errors: string]> {
  const closed = once(child, 'close');
  child.stdin.end();
  const [code] = await closed;
  return [code, child.errors ?? ''];
}

async function killAgainAndAgain(order: Omit<ChildOrder, 'own'>, acknowledged: Map<string, number>, until: number) {
  let kills = 0;
  while (Date.now() < until || kills < FEWEST_KILLS) {
    const child = startChild({ ...order, own: 'killed' }, acknowledged);
    const closed = once(child, 'close');
    // Waits for its first record, so that the blow falls into work and not into starting.
    await Promise.race([once(child.stdout, 'data'), closed]);
    await sleep(Math.random() * 150);
    child.kill('SIGKILL');
    const [, signal] = await closed;
    assert.deepEqual([signal, child.errors], ['SIGKILL', '']);
    kills++;
  }
  return kills;
}

async function editSkills(root: string, until: number): Promise<void> {
  for (let round = 0; Date.now() < until; round++) {
    const number = Math.floor(Math.random() * 60);
    if (round % 3 === 0) rmSync(path.join(root, `skill-${number}`), { recursive: true, force: true });
    else writeSkill(root, number, `round ${round}`);
    await sleep(20);
  }
}

function writeSkill(root: string, number: number, text: string): void {
  const folder = path.join(root, `skill-${number}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: skill-${number}\ndescription: ${text}\n---\nbody\n`);
}
