// The proxy spoken to by hand, and no proxy at all: requests for another host in each of its languages, addresses, raw sockets.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { byHand, REACHED_BY_ADDRESS, REFUSED_BY_ADDRESS } from '../../support/network/namespace/by-hand.ts';
import { ABSTRACT } from '../../support/network/namespace/inhabitant.ts';
import { GOOD, GOOD_LOCAL, GOOD_SIX, openTown, type Town } from '../../support/network/namespace/town.ts';
import { testAsOrdinaryUser } from '../../support/world/sandbox-support.ts';

const skip = !existsSync('/usr/bin/python3') && 'python3 is not installed';

/** What each attempt came to, and whom the servers took the requests to be for. */
async function tryByHand(town: Town, changes?: readonly Change[]) {
  const { lines, refused, outcome } = await town.tryAll([byHand(town.abstract)], changes);
  const rows = (lines.get('by hand') ?? []).map((line): [string, string] => {
    const [name = '', said = ''] = line.split('\t');
    return [name, said];
  });
  const { arrived, asked } = await town.told();
  const hidden = arrived.filter(({ host }) => host.startsWith('hidden')).map(({ url }) => url);
  return { said: new Map(rows), refused, arrived, asked, hidden: hidden.toSorted(), all: JSON.stringify(outcome) };
}

test('threat 76 blocked: threat 77 blocked: by hand nobody but the consented host is spoken to, and no packet goes another way', {
  skip,
}, async (t) => {
  const town = await openTown(t);
  if (!town) return;
  const { said, refused, arrived, asked, hidden, all } = await tryByHand(town);
  assert.deepEqual(hidden, [], all);
  const reached = REACHED_BY_ADDRESS.map((address) => `socks ${address}`);
  const fine = ['host field', 'second request', 'tunnel second', 'fine tunnel', 'fine name', ...reached];
  const pages = [...said].filter(([, came]) => came === 'page').map(([name]) => name);
  // A request before the foreign one may have been answered by then.
  assert.deepEqual(new Set([...pages, 'tunnel second']), new Set(fine), all);
  const attempts = REFUSED_BY_ADDRESS.flatMap((address) => [
    said.get(`socks ${address}`),
    said.get(`straight ${address}`),
  ]);
  assert.ok(attempts.length === 24 && attempts.every((came) => came !== undefined && came !== 'page'), all);
  for (const host of ['good.test:80 server-name', 'good.test:443 server-name', 'good.test:80 malformed'])
    assert.ok(refused.includes(host), refused.join());
  // As one address, however it was written.
  for (const host of ['198.51.100.8:80', '10.7.0.5:80', '[fd07::5]:80', '[::1]:80', '127.0.0.1:80', '[fe80::7]:80'])
    assert.ok(refused.includes(`${host} not-consented`), `${host}: ${refused.join()}`);
  assert.ok(
    refused.some((one) => one.includes('fe80::7%near0') && one.endsWith('malformed')),
    refused.join(),
  );
  const served = new Set(arrived.map(({ at }) => at));
  assert.deepEqual(served, new Set([GOOD, GOOD_SIX, GOOD_LOCAL].filter((at) => served.has(at))), ABSTRACT);
  assert.ok(!asked.some((question) => question.includes('evil')), asked.join());
  variablesSeen(said);
  t.diagnostic(`${said.size - fine.length - 10} attempts by hand refused, ${fine.length} reached`);
});

/** As programs look for a proxy, in both spellings; SOCKS is not announced. */
function variablesSeen(said: ReadonlyMap<string, string>): void {
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, 'http://127.0.0.1:61080'] as const);
  const both = [...proxies, ['NO_PROXY', 'localhost,127.0.0.1,::1'] as const].flatMap(([name, value]) =>
    [name, name.toLowerCase()].map((spelling) => [`env ${spelling}`, value]),
  );
  assert.deepEqual(
    [...said].filter(([name]) => name.startsWith('env ')),
    [...both, ['env NODE_USE_ENV_PROXY', '1'], ['env socks', 'none']],
  );
}

const UNJUDGED: readonly Change[] = [
  { file: 'src/network/request-head.ts', from: "'host', 'content-length'", to: "'content-length'" },
  { file: 'src/network/request-head.ts', from: '`Host: $', to: '`X-Host: $' },
  { file: 'src/network/request-head.ts', from: "    'Connection: close',\n", to: "    'Connection: keep-alive',\n" },
  { file: 'src/network/tunnel.ts', from: 'body ? body(chunk) : chunk.length', to: 'chunk.length' },
  { file: 'src/network/tunnel.ts', from: 'if (judge?.mayPass(chunk) === false) return cut();', to: '' },
  {
    file: 'src/network/inspect.ts',
    from: "isNamed(host, first.serverName) ? 'pass' : 'server-name'",
    to: "isNamed(host, first.serverName) ? 'pass' : 'pass'",
  },
];

test('threat 76 control: where requests are passed on as they are written, another host is spoken to in each way', {
  skip,
}, async (t) => {
  const town = await openTown(t);
  if (!town) return;
  const { hidden, all } = await tryByHand(town, UNJUDGED);
  assert.deepEqual(hidden, ['/a', '/c', '/e', '/tls', 'http://hidden.test/b2'], all);
});

const SMALL: readonly Change[] = [
  { file: 'src/network/limits.ts', from: 'bytes: 4 * 1024 ** 3', to: 'bytes: 8 * 1024 ** 2' },
  { file: 'src/network/limits.ts', from: 'idleMs: 300_000', to: 'idleMs: 1500' },
];

test('a server that is slow, endless, resets or floods with headers ends its own connection, and is named where it was cut', async (t) => {
  const town = await openTown(t);
  if (!town) return;
  const bad = ['/slow', '/reset', '/headers'].map((url) => `http://good.test${url}`);
  const urls = [...bad, 'http://good.test/', 'http://good.test/endless', 'https://good.test/'];
  const loop = 'for url; do curl -sSf -o /dev/null "$url" && echo "OK" || echo "NO $?"; done';
  const { lines, refused, outcome } = await town.tryAll(
    [{ name: 'curl', argv: ['/bin/sh', '-c', loop, 'sh', ...urls] }],
    SMALL,
  );
  const said = (lines.get('curl') ?? []).map((line) => line.slice(0, 2));
  assert.deepEqual(said, ['NO', 'NO', 'NO', 'OK', 'NO', 'NO'], JSON.stringify(outcome));
  assert.ok(refused.includes('good.test:80 byte-limit'), refused.join());
});

testAsOrdinaryUser(import.meta.filename);
