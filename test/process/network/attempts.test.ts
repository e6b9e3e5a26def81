// Programs inside a sandbox and hosts outside of it: what was consented is reached, what was not is refused and named.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { canonicalHost } from '../../../src/base/host/name.ts';
import { clientsHere, type NetworkClient } from '../../support/network/clients.ts';
import { listen } from '../../support/network/loopback.ts';
import { type Outside, openOutside, type Tried, tryInside } from '../../support/network/outside.ts';
import { missing, openLevel, testAsOrdinaryUser, trimmed } from '../../support/world/sandbox-support.ts';

const LEVELS = ['S3', 'S2'] as const;
const CLIENTS = clientsHere();

/** Where a program tries to go, and the host and port it is refused by. */
function forbidden({ port, tlsPort }: Outside): (readonly [url: string, refused: string])[] {
  const redirect: [string, string] = [`http://good.test:${port}/redirect/`, `evil.test:${port}`];
  const urls = [
    `http://evil.test:${port}/`,
    `https://evil.test:${tlsPort}/`,
    `http://127.0.0.3:${port}/`,
    `http://[::ffff:127.0.0.3]:${port}/`,
    `http://2130706435:${port}/`,
    `http://0x7f.3:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `http://inner.test:${port}/`,
    `https://inner.test:${tlsPort}/`,
    `http://dual.test:${port}/`,
    'http://good.test:8099/',
    `http://good.test.evil.test:${port}/`,
    `http://xgood.test:${port}/`,
  ];
  const named = urls.map((url): [string, string] => {
    const { hostname, port: at } = new URL(url);
    return [url, `${canonicalHost(hostname)}:${at || 80}`];
  });
  return [...named, redirect];
}

for (const level of LEVELS) {
  test(`threat 77 blocked: ${level}: no client reaches a host that was not consented, and each attempt is named`, async (t) => {
    const place = await openLevel(t, level);
    if (!place) return;
    const outside = await openOutside(t);
    const targets = forbidden(outside);
    let count = 0;
    for (const client of CLIENTS) {
      const urls = targets.map(([url]) => url);
      const { lines, attempts, ended } = await tryInside(place, outside, {
        ...callOf(client, urls),
        rules: outside.rules(),
      });
      assert.deepEqual(
        lines.map((line) => line.split('\t').slice(0, 2).join(' ')),
        urls.map((url) => `${url} NO`),
        `${client.name}\n${trimmed(ended.stderr)}`,
      );
      const refused = attempts
        .filter(({ verdict }) => verdict === 'refused')
        .map(({ host, port }) => `${host}:${port}`);
      for (const [url, host] of targets) assert.ok(refused.includes(host), `${client.name} ${url}: ${refused.join()}`);
      count += lines.length;
    }
    assert.deepEqual(
      outside.secret.flatMap(({ requests }) => requests.map(({ url }) => url)),
      [],
    );
    t.diagnostic(`${count} attempts by ${CLIENTS.map(({ name }) => name).join(', ')}`);
    assert.ok(count >= 60 || CLIENTS.length < 6, String(count));
  });

  test(`threat 77 control: ${level}: the same clients reach all of it once it is consented`, async (t) => {
    const place = await openLevel(t, level);
    if (!place) return;
    const outside = await openOutside(t);
    const allowed = [
      `http://good.test:${outside.port}/`,
      `https://good.test:${outside.tlsPort}/`,
      `http://127.0.0.2:${outside.port}/x?y`,
    ];
    const reachable = forbidden(outside)
      .map(([url]) => url)
      .filter((url) => !/169\.254|:8099|\.test\.evil/.test(url));
    for (const client of CLIENTS) {
      const some = await tryInside(place, outside, { ...callOf(client, allowed), rules: outside.rules() });
      assert.deepEqual(
        verdicts(some),
        allowed.map((url) => `${url} OK`),
        `${client.name}\n${some.lines.join('\n')}${trimmed(some.ended.stderr)}`,
      );
      assert.ok(some.attempts.every(({ verdict }) => verdict === 'allowed'));
      assert.equal(outside.secret.flatMap(({ requests }) => requests.splice(0)).length, 0);
      // Certificates are checked as ever, so that TLS with a name they do not hold stays out of it.
      const more = reachable.filter((url) => !url.startsWith('https://inner'));
      const all = await tryInside(place, outside, { ...callOf(client, more), rules: outside.rules(true) });
      assert.deepEqual(
        verdicts(all),
        more.map((url) => `${url} OK`),
        `${client.name}\n${all.lines.join('\n')}`,
      );
      assert.ok(outside.secret.flatMap(({ requests }) => requests.splice(0)).length >= more.length);
    }
  });

  test(`threat 77 blocked: ${level}: raw sockets lead nowhere, and a proxy spoken to by hand refuses`, async (t) => {
    const place = await openLevel(t, level);
    if (!place || !existsSync('/usr/bin/python3')) return;
    const outside = await openOutside(t);
    const abstract = `\0skillwright-${process.pid}-${level}`;
    const local = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => local.listen(abstract, resolve));
    t.after(() => local.close());
    const udp = await listen(t, createServer(), '127.0.0.4');
    const argv = () => ['/usr/bin/python3', '-I', '-c', RAW, String(outside.port), abstract.slice(1), String(udp)];
    const { lines, attempts, ended } = await tryInside(place, outside, { argv, rules: outside.rules() });
    assert.equal(lines.length, 20, lines.join('\n') + trimmed(ended.stderr));
    assert.deepEqual(
      lines.filter((line) => line.includes('reached')),
      [],
    );
    assert.deepEqual(
      [...outside.good, ...outside.secret].flatMap(({ requests }) => requests),
      [],
    );
    const byHand = attempts.filter(({ verdict }) => verdict === 'refused').map(({ way, host }) => `${way} ${host}`);
    assert.deepEqual(byHand, [
      'connect evil.test',
      'connect 127.0.0.3',
      'socks evil.test',
      'socks 127.0.0.3',
      'socks ::1',
      'http evil.test',
    ]);
  });
}

/** Straight to addresses, names and local sockets; then to the proxy itself, in its languages and in none. */
const RAW = `
import socket, sys
port, abstract, udp = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def tcp(family, address):
    s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(5); s.connect(address); s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); return b'reached' if s.recv(99) else b''
def datagram(address):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1); s.sendto(b'x', address); s.recv(9); return b'reached'
def proxy(words):
    s = socket.create_connection(('127.0.0.1', 61080), 5); s.settimeout(5); s.sendall(words); got = b''
    while True:
        part = s.recv(4096)
        if not part: return got.replace(b'reached', b'')
        got += part
        if b'page' in got: return b'reached'
def attempt(name, action):
    try: print(name, action())
    except OSError as error: print(name, type(error).__name__)
at = port.to_bytes(2, 'big')
for address in ['127.0.0.2', '127.0.0.3', '127.0.0.1', '169.254.169.254', '203.0.113.7', '10.0.0.1']:
    attempt(address, lambda: tcp(socket.AF_INET, (address, port)))
for address in ['::1', '2001:db8::1', 'fe80::1']: attempt(address, lambda: tcp(socket.AF_INET6, (address, port)))
attempt('datagram', lambda: datagram(('127.0.0.4', udp)))
attempt('name', lambda: (socket.getaddrinfo('good.test', 80), b'reached')[1])
attempt('abstract', lambda: tcp(socket.AF_UNIX, '\\0' + abstract))
attempt('connect name', lambda: proxy(b'CONNECT evil.test:%d HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n' % port))
attempt('connect address', lambda: proxy(b'CONNECT 127.0.0.3:%d HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n' % port))
attempt('socks name', lambda: proxy(b'\\x05\\x01\\x00\\x05\\x01\\x00\\x03\\x09evil.test' + at + b'GET / HTTP/1.0\\r\\n\\r\\n'))
attempt('socks address', lambda: proxy(b'\\x05\\x01\\x00\\x05\\x01\\x00\\x01\\x7f\\x00\\x00\\x03' + at + b'GET / HTTP/1.0\\r\\n\\r\\n'))
attempt('socks six', lambda: proxy(b'\\x05\\x01\\x00\\x05\\x01\\x00\\x04' + bytes(15) + b'\\x01' + at))
attempt('socks udp', lambda: proxy(b'\\x05\\x01\\x00\\x05\\x03\\x00\\x01\\x7f\\x00\\x00\\x03' + at))
attempt('socks four', lambda: proxy(b'\\x04\\x01' + at + b'\\x7f\\x00\\x00\\x03\\x00\\r\\n\\r\\n'))
attempt('host field', lambda: proxy(b'GET http://evil.test:%d/ HTTP/1.1\\r\\nHost: good.test:%d\\r\\n\\r\\n' % (port, port)))
`;

function callOf(client: NetworkClient, urls: readonly string[]) {
  return { argv: (certificates: string) => client.argv(urls, certificates), readOnly: client.readOnly };
}

function verdicts({ lines }: Tried): string[] {
  return lines.map((line) => line.split('\t').slice(0, 2).join(' '));
}

test('every client that skills use was tried', (t: TestContext) => {
  const wanted = ['python urllib', 'node fetch', 'node https', 'curl', 'wget', 'git'];
  const lacking = wanted.filter((name) => !CLIENTS.some((client) => client.name === name));
  if (lacking.length > 0) missing(t, `not run: ${lacking.join(', ')}`);
});

testAsOrdinaryUser(import.meta.filename);
