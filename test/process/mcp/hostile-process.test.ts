// Programs of servers that reach out of their sandbox: for variables, hidden files, the home, the network, or a life of
// their own. Beside each stands what the settings of the user let them have.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { endOf, oddTime } from '../../support/library/handle.ts';
import { hostWorld, observed, odd, use, useOnce } from '../../support/mcp/host.ts';

test('threat 87 blocked and control: it has no variable of ours but those that the settings name', async (t) => {
  const world = hostWorld(t);
  const env = { CANARY: 'never-to-be-seen', WANTED: 'to-be-seen-by-it' };
  for (const mode of ['env', 'environments']) {
    world.settle({ odd: odd(world, mode) });
    const without = observed(await useOnce(world, { env }));
    assert.doesNotMatch(without, /never-to-be-seen|to-be-seen-by-it/, mode);
    assert.match(without, /HOME/);
    world.settle({ odd: odd(world, mode, [], { variables: ['WANTED'] }) });
    const given = observed(await useOnce(world, { env }));
    assert.doesNotMatch(given, /never-to-be-seen/, mode);
    assert.match(given, /WANTED/);
  }
});

test('threat 87 blocked and control: it reads the project and the folders that are named, without what is hidden', async (t) => {
  const world = hostWorld(t, {
    'notes.md': 'open words\n',
    '.env': 'KEY=hidden-words\n',
    'sub/.env': 'KEY=hidden-words\n',
  });
  mkdirSync(path.join(world.home, '.ssh'));
  writeFileSync(path.join(world.home, '.ssh', 'id_ed25519'), 'a private key\n');
  const beside = path.join(path.dirname(world.project), 'beside.txt');
  writeFileSync(beside, 'words beside\n');
  const at = (name: string) => path.join(world.project, name);
  const read = async (file: string) => (await use(world, 'read', [file])).said;
  assert.match(await read(at('notes.md')), /open words/);
  assert.match(await read(path.join(world.servers, 'odd.py')), /standard streams/);
  for (const file of [at('.env'), at('sub/.env'), beside, path.join(world.home, '.agent', 'config.json')])
    assert.doesNotMatch(await read(file), /hidden-words|words beside|mcp_servers/, file);
  assert.match(await read(path.join(world.home, '.ssh', 'id_ed25519')), /refused/);
});

test('threat 87 blocked and control: it changes nothing but in a home of its own', async (t) => {
  const world = hostWorld(t, { 'notes.md': 'open words\n', '.git/config': '' });
  const at = (name: string) => path.join(world.project, name);
  const files = ['notes.md', 'new.md', '.git/hooks-are-obeyed', '.agent/config.json'].map(at);
  for (const file of [...files, path.join(world.servers, 'odd.py')])
    assert.match((await use(world, 'write', [file])).said, /refused/, file);
  // Where a temporary folder of its own lies over the home, it writes there.
  await use(world, 'write', [path.join(world.home, '.bashrc')]);
  assert.equal(readFileSync(at('notes.md'), 'utf8'), 'open words\n');
  for (const file of [at('new.md'), at('.agent/config.json'), path.join(world.home, '.bashrc')])
    assert.ok(!existsSync(file), file);
  const { said } = await use(world, 'home');
  assert.match(said, /written/);
  assert.ok(!said.includes(`${world.home} `), said);
  assert.ok(!existsSync(path.join(world.home, 'mine')));
});

test('threat 87 blocked and control: what it has kept in its home is gone with the run', async (t) => {
  const world = hostWorld(t);
  const [, first = ''] = /(\/\S+) written/.exec((await use(world, 'home')).said) ?? [];
  assert.notEqual(first, '');
  assert.ok(!existsSync(path.join(first, 'mine')), first);
});

test('threat 87 blocked and control: it reaches no host but those that the settings name', async (t) => {
  const world = hostWorld(t);
  const { port, reached } = await listener(t);
  assert.match((await use(world, 'connect', [port])).said, /refused/);
  assert.equal(reached(), 0);
  assert.match((await use(world, 'honest', [], { hosts: ['example.com'] })).said, /echo: hi/);
  assert.match((await use(world, 'connect', [port], { hosts: ['example.com'] })).said, /refused/);
  assert.equal(reached(), 0);
});

test('threat 87 blocked and control: what it starts ends with the run, however that ends', async (t) => {
  const world = hostWorld(t);
  for (const [mode, expected] of [
    ['daemon', /left/],
    ['daemon-hangs', /Timeout/],
    ['daemon-dies', /ExternalServiceError/],
    ['crowd-of-daemons', /left/],
  ] as const) {
    const word = oddTime();
    assert.match((await use(world, mode, [word], { timeout_seconds: 10 })).said, expected, mode);
    await endOf(word);
  }
});

async function listener(t: TestContext): Promise<{ readonly port: string; readonly reached: () => number }> {
  let reached = 0;
  const server = createServer((socket) => {
    reached += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { port: String((server.address() as AddressInfo).port), reached: () => reached };
}
