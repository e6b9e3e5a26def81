// An index that cannot be asked: what `prepare` says is about the way to it, not about the package.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createPlainServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openEnvironmentDesk } from '../../support/environment/desk.ts';
import { selfSigned } from '../../support/server/self-signed.ts';

const KINDS = {
  Python: { 'requirements.txt': 'plain\n' },
  npm: { 'package.json': '{"dependencies":{"plain":"1"}}' },
};

/** Through a proxy npm takes an address for `localhost`. */
const NAMES = ['127.0.0.1', 'localhost'];

for (const [kind, files] of Object.entries(KINDS)) {
  test(`prepare names an index whose certificate nobody vouches for, and the setting that helps: ${kind}`, async (t) => {
    const { cert, key } = selfSigned(NAMES);
    const server = createServer({ cert, key }, (_request, response) => response.writeHead(404).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const at = `127.0.0.1:${portOf(server)}`;
    const desk = await openDesk(t, files, at);
    const told = await desk.ask(['prepare', 'uses', '--yes']);
    assert.deepEqual([told.code, told.data.type], [1, 'PackageRefused'], JSON.stringify(told));
    assert.equal(whyOf(told), 'untrusted', JSON.stringify(told));
    assert.ok(told.summary.includes(`the certificate of ${at} is not trusted`), told.summary);
    assert.match(String(told.data.hint), /network\.ca_file/);

    const authorities = path.join(desk.home, 'authorities.pem');
    writeFileSync(authorities, cert);
    desk.settle({ network: { ca_file: authorities } });
    const trusting = await desk.ask(['prepare', 'uses', '--yes']);
    assert.equal(whyOf(trusting), 'missing', JSON.stringify(trusting));
  });

  test(`prepare says that an index does not answer, not that it has no such package: ${kind}`, async (t) => {
    const desk = await openDesk(t, files, `127.0.0.1:${await closedPort()}`);
    const told = await desk.ask(['prepare', 'uses', '--yes']);
    assert.deepEqual([told.code, told.data.type], [1, 'PackageRefused'], JSON.stringify(told));
    assert.equal(whyOf(told), 'unreachable', JSON.stringify(told));
  });
}

async function openDesk(t: TestContext, files: Readonly<Record<string, string>>, at: string) {
  const desk = await openEnvironmentDesk(t, files);
  const settle = (more: object = {}) => {
    const environment = { python_index: `https://${at}/simple`, npm_registry: `https://${at}` };
    writeFileSync(path.join(desk.home, '.agent/config.json'), JSON.stringify({ environment, ...more }));
  };
  settle();
  return { ...desk, settle };
}

function whyOf({ data }: { readonly data: Readonly<Record<string, unknown>> }): unknown {
  return (data.details as { readonly why?: string } | undefined)?.why;
}

async function closedPort(): Promise<number> {
  const server = createPlainServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(server: { address(): unknown }): number {
  return (server.address() as { readonly port: number }).port;
}
