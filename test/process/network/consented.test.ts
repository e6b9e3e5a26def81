// Hosts that a grant lets a skill reach, by the command line: reached, named when refused, cut when the grant is revoked.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { serveHttp, serveRaw } from '../../support/network/loopback.ts';
import { type EnteredProject, enterWorld, worldsHere } from '../../support/world/enter.ts';
import { whyUnreachable } from '../../support/world/world.ts';

const REACH = `import sys, urllib.request
failed = False
for url in sys.argv[1:]:
    try: print(url, urllib.request.urlopen(url, timeout=60).read().decode().strip(), flush=True)
    except Exception as error: failed = True; print(url, error, file=sys.stderr)
sys.exit(1 if failed else 0)
`;
const FILES = skillFiles('reach', 'name: reach\ndescription: Reaches.', { 'scripts/reach.py': REACH });

async function exec({ run }: EnteredProject, ...urls: string[]) {
  const { stdout, stderr } = await run(['exec', 'reach', 'scripts/reach.py', '--yes', '--json', '--', ...urls]);
  assert.ok(stdout, stderr);
  return JSON.parse(stdout);
}

for (const world of worldsHere()) {
  test(`${world.title}: a granted host is reached, another is refused and named with the command that allows it`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (!place) return;
    const [good, secret] = [await serveHttp(t, '127.0.0.2'), await serveHttp(t, '127.0.0.3')];
    const [goodUrl, secretUrl] = [`http://127.0.0.2:${good.port}/`, `http://127.0.0.3:${secret.port}/`];
    const before = await exec(place, goodUrl);
    assert.deepEqual([before.state, good.requests.length], ['error', 0]);
    assert.match(JSON.stringify(before), /consent/);
    const granted = await place.run(['grants', 'add', 'reach', '--host', `127.0.0.2:${good.port}`]);
    assert.equal(granted.code, 0, granted.stderr);
    if (world.tier === 'S1') {
      const there = await exec(place, goodUrl);
      assert.deepEqual([there.state, good.requests.length], ['error', 0]);
      return;
    }
    const reached = await exec(place, goodUrl);
    assert.equal(reached.state, 'success', JSON.stringify(reached));
    assert.deepEqual(reached.data.sandbox.hosts, { reached: [`127.0.0.2:${good.port}`] });
    const refused = await exec(place, goodUrl, secretUrl);
    assert.equal(refused.state, 'error');
    assert.deepEqual([good.requests.length, secret.requests.length], [2, 0]);
    const host = `127.0.0.3:${secret.port}`;
    assert.deepEqual(refused.data.sandbox.hosts, {
      reached: [`127.0.0.2:${good.port}`],
      refused: [{ host, reason: 'not-consented' }],
      allow: `skillwright grants add reach --host ${host}`,
    });
    assert.match(JSON.stringify(refused), new RegExp(`It tried to reach a host that it may not: ${host}`));
    const shown = await place.run(['runs', 'show', 'latest', '--events', '--json']);
    for (const part of ['"network"', '127.0.0.3', 'not-consented', '"received"'])
      assert.ok(shown.stdout.includes(part), `${part}\n${shown.stdout.slice(0, 3000)}`);
  });
}

test('a revoked grant cuts the connection that a call has open', async (t) => {
  const world = worldsHere().find((one) => one.tier !== 'S1' && !whyUnreachable(one)) ?? { tier: 'S3' };
  const place = enterWorld(t, world, FILES);
  if (!place) return;
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const slow = await serveRaw(t, '127.0.0.2', (socket) => {
    socket.resume().on('end', () => socket.destroy());
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegun');
    resolve();
  });
  const url = `http://127.0.0.2:${slow.port}/`;
  await place.run(['grants', 'add', 'reach', '--host', `127.0.0.2:${slow.port}`]);
  const { stdout } = await place.run(['grants', 'list', '--json']);
  const { id } = JSON.parse(stdout).data.grants[0];
  const running = exec(place, url);
  await connected;
  const [socket] = slow.sockets;
  assert.ok(socket && !socket.closed);
  const closed = once(socket, 'close');
  const revoked = await place.run(['grants', 'revoke', id]);
  assert.equal(revoked.code, 0, revoked.stderr);
  const since = Date.now();
  await closed;
  assert.ok(Date.now() - since < 5000, `${Date.now() - since} ms`);
  const ended = await running;
  assert.equal(ended.state, 'error', JSON.stringify(ended));
  assert.deepEqual(ended.data.sandbox.hosts.refused, [{ host: `127.0.0.2:${slow.port}`, reason: 'revoked' }]);
});
