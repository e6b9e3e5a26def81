import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fault } from './errors.ts';
import { canonicalHost } from './host/name.ts';
import { coversHost, readHostRule, showHostRule } from './host-rule.ts';

test('a rule is read in one spelling, whatever way it is written', () => {
  const read: [written: string, host: string, port?: number][] = [
    ['api.example.com', 'api.example.com'],
    [' API.Example.COM. ', 'api.example.com'],
    ['api.example.com:8443', 'api.example.com', 8443],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['localhost:3000', 'localhost', 3000],
    ['127.0.0.1', '127.0.0.1'],
    ['127.1:80', '127.0.0.1', 80],
    ['0x7f.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    ['[::1]:8080', '::1', 8080],
    ['::1', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['2001:DB8:0::7', '2001:db8::7'],
    ['*.example.com', '*.example.com'],
    ['*.Example.com.:443', '*.example.com', 443],
    ['*.eu.example.co.uk', '*.eu.example.co.uk'],
    ['*.myorg.github.io', '*.myorg.github.io'],
  ];
  for (const [written, host, port] of read) {
    const rule = readHostRule(written);
    assert.deepEqual(rule, port === undefined ? { host } : { host, port }, written);
    assert.deepEqual(readHostRule(showHostRule(rule)), rule, written);
  }
});

test('what is no host is refused with a hint that says how it is written', () => {
  const forms = ['', ' ', 'a b', 'a/b', 'user@host', 'ho%73t', 'a..b', '.a', '-a.com', 'a\nb', 'a\0b', '[::1', '::1]'];
  const ports = ['host:0', 'host:65536', 'host:', 'host:1e3', 'host:-1', 'host: 80', '[::1]:x'];
  const more = [
    '[fe80::1%eth0]',
    '1.2.3.4.5',
    '256.1.1.1',
    '*.',
    'a'.repeat(64),
    `${'a.'.repeat(130)}a`,
    'a:1:2',
    '[]',
  ];
  const stars = ['*', '*.*', 'a.*.com', '*a.example.com', '**.example.com', '*.127.0.0.1', '*.[::1]', '*.2.3'];
  for (const written of [...forms, ...ports, ...more, ...stars])
    assert.throws(() => readHostRule(written), isHinted(/443|65535|one label/), JSON.stringify(written));
  assert.throws(() => readHostRule('https://api.example.com/v1?x=1'), isHinted(/: api\.example\.com:443\./));
  assert.throws(() => readHostRule('http://user:word@127.1:81/'), isHinted(/: 127\.0\.0\.1:81\./));
});

test('no wildcard stands directly under a name that strangers share', () => {
  for (const suffix of [
    'com',
    'de',
    'co.uk',
    'com.au',
    'github.io',
    's3.amazonaws.com',
    'vercel.app',
    'nip.io',
    'x.ck',
  ])
    assert.throws(() => readHostRule(`*.${suffix}`), isHinted(/everybody/), suffix);
  for (const own of ['example.com', 'example.co.uk', 'me.github.io', 'a.b.vercel.app', 'x.y.ck'])
    assert.equal(readHostRule(`*.${own}`).host, `*.${own}`);
});

test('a rule covers its host in every spelling at its ports, and no other', () => {
  const covers = (rule: string, host: string, port = 443) => coversHost(readHostRule(rule), host, port);
  for (const host of ['api.example.com', 'API.example.com', 'api.example.com.'])
    assert.ok(covers('api.example.com', host));
  assert.deepEqual(
    [443, 80, 8443, 22].map((port) => covers('a.example', 'a.example', port)),
    [true, true, false, false],
  );
  assert.deepEqual(
    [443, 8443].map((port) => covers('a.example:8443', 'a.example', port)),
    [false, true],
  );
  for (const host of [
    'example.com',
    'xapi.example.com',
    'a.api.example.com',
    'api.example.com.evil.test',
    'api.example.co',
    '',
  ])
    assert.ok(!covers('api.example.com', host), host);
  assert.ok(covers('*.example.com', 'a.example.com') && covers('*.example.com', 'A.EXAMPLE.COM.'));
  for (const host of ['example.com', 'a.b.example.com', '.example.com', 'aexample.com', '*.example.com'])
    assert.ok(!covers('*.example.com', host), host);
  for (const host of ['127.0.0.1', '127.1', '0x7f000001', '[::ffff:127.0.0.1]', '::ffff:7f00:1'])
    assert.ok(covers('127.0.0.1', host), host);
  for (const host of ['127.0.0.2', '[::1]', 'localhost', '127.0.0.1.nip.io'])
    assert.ok(!covers('127.0.0.1', host), host);
  assert.ok(covers('bücher.example', 'xn--bcher-kva.example') && covers('xn--bcher-kva.example', 'BÜCHER.example'));
});

test('a canonical host stays what it is, and is what a URL of it names', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string({ unit: 'binary' })),
      (written) => {
        const host = canonicalHost(written);
        if (host === undefined) return;
        assert.equal(canonicalHost(host), host);
        assert.equal(
          canonicalHost(URL.parse(`http://${host.includes(':') ? `[${host}]` : host}/`)?.hostname ?? ''),
          host,
        );
        assert.ok(coversHost(readHostRule(showHostRule({ host, port: 1 })), written, 1));
      },
    ),
  );
});

function isHinted(hint: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault && error.type === 'ParamInvalid', String(error));
    assert.match(error.hint.en, hint);
    return true;
  };
}
