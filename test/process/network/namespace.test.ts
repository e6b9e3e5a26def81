// The command line on a machine of its own, with a cable to hosts of every kind of address and a name server that lies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { clientsHere, perlHere } from '../../support/network/clients.ts';
import { METADATA } from '../../support/network/namespace/namespaces.ts';
import {
  CONSENTED,
  EVIL,
  GOOD,
  GOOD_LOCAL,
  GOOD_SIX,
  INNER,
  openTown,
  REBOUND,
  reboundName,
} from '../../support/network/namespace/town.ts';
import { testAsOrdinaryUser } from '../../support/world/sandbox-support.ts';

const ALLOWED = [
  'http://good.test/',
  'https://good.test/',
  `http://${GOOD}/x?y`,
  `http://[${GOOD_SIX}]/`,
  `http://[${GOOD_LOCAL}]/`,
  'http://six-good.test/',
  'http://www.test/',
  'http://many.test/',
  `http://good.test/to/${GOOD}/`,
];

/** Where a program tries to go, and what the outcome names for it. */
const FORBIDDEN: readonly (readonly [url: string, named: string])[] = [
  ['http://evil.test/', 'evil.test:80 not-consented'],
  ['https://evil.test/', 'evil.test:443 not-consented'],
  [`http://${EVIL}/`, `${EVIL}:80 not-consented`],
  ['http://[2001:db8:7::8]/', '[2001:db8:7::8]:80 not-consented'],
  [`http://${INNER}/`, `${INNER}:80 not-consented`],
  [`http://[::ffff:${INNER}]/`, `${INNER}:80 not-consented`],
  ['http://168230917/', `${INNER}:80 not-consented`],
  ['http://[fd07::5]/', '[fd07::5]:80 not-consented'],
  ['http://[fe80::7]/', '[fe80::7]:80 not-consented'],
  [`http://${METADATA}/latest/meta-data/`, `${METADATA}:80 not-consented`],
  ['http://good.test:8080/', 'good.test:8080 not-consented'],
  ['http://good.test.evil.test/', 'good.test.evil.test:80 not-consented'],
  ['http://inner.test/', 'inner.test:80 private-address'],
  ['https://inner.test/', 'inner.test:443 private-address'],
  ['http://alias.test/', 'alias.test:80 private-address'],
  ['http://six.test/', 'six.test:80 private-address'],
  ['http://mapped.test/', 'mapped.test:80 private-address'],
  ['http://meta.test/', 'meta.test:80 private-address'],
  ['http://local.test/', 'local.test:80 private-address'],
  ['http://good.test/to/evil.test/', 'evil.test:80 not-consented'],
  [`http://www.test/to/${INNER}/`, `${INNER}:80 not-consented`],
];

const CLIENTS = [
  ...clientsHere().filter(({ readOnly }) => readOnly.every((file) => file === process.execPath)),
  ...perlHere(),
];

/** One client after the other, all addresses in one start of each. */
function planFor(certificates: string) {
  return CLIENTS.map((client, index) => {
    const able = (urls: readonly string[]) => urls.filter((url) => client.name !== 'perl' || url.startsWith('http:'));
    const [allowed, forbidden] = [able(ALLOWED), able(FORBIDDEN.map(([url]) => url))];
    const rebound = REBOUND.map((_, turn) => `http://${reboundName(index)}/?${turn}`);
    const argv = client.argv([...allowed, ...forbidden, ...rebound], certificates);
    return { name: client.name, argv, allowed, forbidden, rebound: reboundName(index) };
  });
}

const isServed = (at: string) => [GOOD, GOOD_SIX, GOOD_LOCAL].includes(at);

test('threat 75 blocked: on a network of its own each client reaches what was consented and nothing else, wherever names lead', async (t) => {
  const town = await openTown(t);
  if (!town) return;
  const plans = planFor(town.certificates);
  const { lines, refused, reached, outcome } = await town.tryAll(plans);
  const { arrived, asked } = await town.told();
  for (const { name, allowed, forbidden, rebound } of plans) {
    const said = (lines.get(name) ?? []).map((line) => line.split('\t').slice(0, 2).join(' '));
    const expected = [...allowed.map((url) => `${url} OK`), ...forbidden.map((url) => `${url} NO`)];
    // Whether a later one is refused or goes on in the tunnel to the first address is the client's affair.
    const first = `http://${rebound}/?0 OK`;
    const all = `${name}\n${lines.get(name)?.join('\n')}\n${JSON.stringify(outcome)}`;
    assert.deepEqual(said.slice(0, expected.length + 1), [...expected, first], all);
    assert.ok(refused.includes(`${rebound}:80 private-address`), `${name}: ${refused.join()}`);
    t.diagnostic(
      `${name}: ${said.filter((line) => line.endsWith('NO')).length} refused, ${allowed.length + 1} reached`,
    );
  }
  for (const [url, named] of FORBIDDEN) assert.ok(refused.includes(named), `${url}: ${refused.join()}`);
  assert.deepEqual(
    arrived.filter(({ at }) => !isServed(at)),
    [],
  );
  for (const host of ['good.test:443', 'many.test:80', `[${GOOD_SIX}]:80`, `[${GOOD_LOCAL}]:80`])
    assert.ok(reached.includes(host), reached.join());
  // A look-up of another name would be a message to whoever serves it.
  const names = new Set(asked.map((question) => question.split(' ')[1] ?? ''));
  const isConsented = (name: string) => CONSENTED.includes(name.replace(/^c\d+\./, '*.'));
  assert.deepEqual(
    [...names].filter((name) => !isConsented(name)),
    [],
  );
  const count = plans.reduce((sum, { forbidden }) => sum + forbidden.length, 0);
  assert.ok(count >= 60 || CLIENTS.length < 6, String(count));
});

const ANY_ADDRESS: Change = {
  file: 'src/network/reach.ts',
  from: 'return !isPrivateAddress(address) || (isFree && !isLinkLocal(address));',
  to: 'return true || (isFree && isLinkLocal(address) && isPrivateAddress(address));',
};
const LOOKED_UP_AGAIN: Change = {
  file: 'src/network/proxy.ts',
  from: "addresses: 'addresses' in found ? found.addresses : [], port",
  to: "addresses: await (await import('./reach.ts')).lookUp(host), port",
};

test('threat 75 control: where addresses are not judged, or names looked up again to connect, the same names lead inside', async (t) => {
  const town = await openTown(t);
  const [client] = CLIENTS;
  if (!town || !client) return;
  const reach = async (change: Change, urls: readonly string[]) => {
    await town.tryAll([{ name: client.name, argv: client.argv(urls, town.certificates) }], [change]);
    return [...new Set((await town.told()).arrived.filter(({ at }) => !isServed(at)).map(({ at }) => at))].toSorted();
  };
  const names = ['inner', 'alias', 'six', 'mapped', 'meta', 'local'].map((name) => `http://${name}.test/`);
  assert.deepEqual(await reach(ANY_ADDRESS, names), [INNER, '127.0.0.1', METADATA, 'fd07::5'].toSorted());
  assert.deepEqual(await reach(LOOKED_UP_AGAIN, [`http://${reboundName(0)}/`]), ['127.0.0.1']);
});

testAsOrdinaryUser(import.meta.filename);
