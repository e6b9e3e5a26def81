// Attacks by the lock of a clone that nobody trusts: it names services of this machine, and skills without files. Each
// has a control that runs the same attack against the source without its guard.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { digestFiles } from '../../src/skill/digest.ts';
import type { Change } from '../support/changed/changed-source.ts';
import { type Desk, makeDesk, makePack } from '../support/install-desk.ts';
import { runCli } from '../support/support.ts';

const hasSsh = spawnSync('ssh', ['-V']).error === undefined;
const hasGit = spawnSync('git', ['--version']).error === undefined;
const WAYS = [
  ['update', '--dry-run'],
  ['update', '--yes'],
  ['install', '--frozen', '--yes'],
];
const SKILL_FILE = { path: 'SKILL.md', size: 1, mode: 'file' as const, sha256: 'a'.repeat(64) };

function writeLock({ cwd }: Desk, source: { kind: string; location: string }, files = [SKILL_FILE]): void {
  const skill = { name: 'alpha', folder: 'alpha', digest: digestFiles(files), source, files, installed: '2026-01-01' };
  writeFileSync(path.join(cwd, '.agent', 'skills.lock.json'), JSON.stringify({ version: 1, skills: [skill] }));
}

/** Counts who connects, whatever they speak; over http it serves one file. */
async function service(t: TestContext, served?: string) {
  const seen = { count: 0 };
  const server = createServer((socket) => {
    seen.count++;
    socket.on('error', () => {});
    socket.once('data', (data) => {
      const isFile = served !== undefined && !data.toString('latin1').includes('.sig ');
      const body = isFile ? readFileSync(served) : Buffer.alloc(0);
      const status = isFile ? '200 OK' : '404 Not Found';
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
      socket.end(body);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  return { seen, at: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function ask(desk: Desk, args: readonly string[], ...change: Change[]) {
  const { code, stdout } = await runCli([...args, '--json'], { ...desk, change });
  const { data } = JSON.parse(stdout);
  return { code, data, stdout };
}

function sourcesAt(at: string): { kind: string; location: string }[] {
  return [
    { kind: 'archive', location: `http://${at}/internal/admin.zip` },
    { kind: 'index', location: `http://${at}/` },
    ...(hasGit ? [`http://${at}/x.git`, `https://${at}/x.git`] : []).map((location) => ({ kind: 'git', location })),
    ...(hasGit && hasSsh ? [{ kind: 'git', location: `ssh://git@${at}/x.git` }] : []),
  ];
}

test('attack lock-address blocked: the lock of an untrusted clone has no service of this machine asked', async (t) => {
  const desk = makeDesk(t);
  const { seen, at } = await service(t);
  const other = ['git@127.0.0.1:x.git', 'https://10.0.0.1/x.git', 'https://[::1]/x.git', `https://a\\@${at}/x.git`];
  for (const source of [...sourcesAt(at), ...other.map((location) => ({ kind: 'git', location }))]) {
    writeLock(desk, source);
    for (const way of source.location.includes(at) ? WAYS : WAYS.slice(0, 1)) {
      const { code, data, stdout } = await ask(desk, way);
      assert.deepEqual([code, data.code, seen.count], [1, 'PATH_BLOCKED', 0], `${way.join(' ')}: ${stdout}`);
      assert.match(String(data.hint), /skillwright install <address>.*skillwright trust/);
    }
  }
});

test('attack lock-address control: where the lock is believed, each of these services is asked', async (t) => {
  const desk = makeDesk(t);
  const { seen, at } = await service(t);
  const believes = { file: 'src/distribution/source/reopen.ts', from: 'isUnasked: !isTrusted', to: 'isUnasked: false' };
  for (const source of sourcesAt(at)) {
    writeLock(desk, source);
    seen.count = 0;
    await ask(desk, ['update', '--dry-run'], believes);
    assert.ok(seen.count > 0, source.location);
  }
});

test('an address on this machine is asked again where its user installed from it, or trusts the project', async (t) => {
  const desk = makeDesk(t);
  const { at } = await service(t, await makePack(desk, 'p.zip', { name: 'alpha' }));
  const installed = await ask(desk, ['install', `http://${at}/p.zip`, '--yes']);
  assert.equal(installed.code, 0, installed.stdout);
  assert.equal((await ask(desk, ['update', '--dry-run'])).code, 0, 'the user named it');
  rmSync(path.join(desk.home, '.agent', 'sources'), { recursive: true });
  assert.equal((await ask(desk, ['update', '--dry-run'])).data.code, 'PATH_BLOCKED', 'now only the lock does');
  assert.equal((await ask(desk, ['trust', '--yes'])).code, 0);
  assert.equal((await ask(desk, ['update', '--dry-run'])).code, 0, 'the project is trusted');
});

function emptySkill(t: TestContext): Desk {
  const desk = makeDesk(t);
  mkdirSync(path.join(desk.cwd, '.agent', 'skills'));
  writeLock(desk, { kind: 'folder', location: './alpha' }, []);
  return desk;
}

test('attack lock-empty blocked: a skill without files is no entry of a lock', async (t) => {
  const { code, data, stdout } = await ask(emptySkill(t), ['lock']);
  assert.deepEqual([code !== 0, data.code], [true, 'STATE_UNUSABLE'], stdout);
});

test('attack lock-empty control: without the look at its files it is listed as installed', async (t) => {
  const from = 'if (listed.length === 0) return undefined;';
  const { code, stdout } = await ask(emptySkill(t), ['lock'], { file: 'src/distribution/lock.ts', from, to: '' });
  assert.deepEqual([code, stdout.includes('alpha')], [0, true], stdout);
});
