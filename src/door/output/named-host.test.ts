import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostsNamedIn } from './named-host.ts';

test('the host is read out of what clients say when they find none', () => {
  for (const [said, ...hosts] of [
    ['Error: getaddrinfo EAI_AGAIN api.example.org\n    at GetAddrInfoReqWrap', 'api.example.org'],
    ['npm error request to https://x failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org', 'registry.npmjs.org'],
    ['curl: (6) Could not resolve host: api.example.org', 'api.example.org'],
    ["fatal: unable to access 'https://g.example.org/a/': Could not resolve host: g.example.org", 'g.example.org'],
    ['wget: unable to resolve host address ‘files.example.org’', 'files.example.org'],
    ['ssh: Could not resolve hostname git.example.org: Name or service not known', 'git.example.org'],
    ["HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded", 'pypi.org'],
    ["HTTPConnectionPool(host='db.example.org', port=8086): Max retries", 'db.example.org:8086'],
    ['Get "https://go.example.org": dial tcp: lookup go.example.org on [::1]:53: read', 'go.example.org'],
    ['getaddrinfo ENOTFOUND a.example.org\ngetaddrinfo ENOTFOUND A.example.org.', 'a.example.org'],
  ] as const)
    assert.deepEqual(hostsNamedIn(said), hosts, said);
  for (const said of [
    '<urlopen error [Errno -3] Temporary failure in name resolution>',
    'getaddrinfo ENOTFOUND localhost',
    'connect ECONNREFUSED 127.0.0.1:8080',
    'could not resolve host: $(reboot)',
    'lookup table: empty',
  ])
    assert.deepEqual(hostsNamedIn(said), [], said);
});
