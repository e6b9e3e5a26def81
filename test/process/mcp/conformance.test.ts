// What others say of our server: the protocol's own conformance suite over HTTP, and the inspector at its pipes; in the long run only.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { type Served, serveHttp } from '../../support/mcp/http.ts';
import { call, run } from '../../support/package-support.ts';
import { commandLine, isLong, temporaryFolder } from '../../support/support.ts';

const SKIP = { skip: isLong() ? false : 'in the long run only' };
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

const SKILLS = {
  ...skillFiles('demo', 'name: demo\ndescription: Shows it.', {
    'references/deep/x.md': 'x\n',
    'scripts/go.sh': 'true\n',
  }),
  '.claude/skills/odd/SKILL.md': '---\nname: Odd One\ndescription: |\n  Is odd.\nmetadata: {version: 1}\n---\n# Odd\n',
};

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    'sep-2640-skills-enumeration',
    'sep-2640-skills-manifest',
    'sep-2640-skills-directory',
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
};

/** Checks that call tools of the suite's own example server, which nobody else has. */
const NEED_ITS_TOOLS = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

test('the conformance suite of the protocol passes, but for checks that call tools of its own', SKIP, async (t) => {
  const folder = await installed(t, SUITE);
  const port = await openDoorTo(await serveHttp(t, SKILLS), t);
  const url = `http://127.0.0.1:${port}/mcp`;
  for (const [version, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios) {
      const out = path.join(folder, 'out', version, scenario);
      const options = ['--scenario', scenario, '--spec-version', version, '--force', '--output-dir', out];
      await call([path.join(folder, 'node_modules/.bin/conformance'), 'server', '--url', url, ...options], folder, {});
      const [file = ''] = globSync('**/checks.json', { cwd: out });
      const checks: { id: string; status: string }[] = JSON.parse(readFileSync(path.join(out, file), 'utf8'));
      const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id);
      assert.ok(
        checks.some(({ status }) => status === 'SUCCESS'),
        scenario,
      );
      assert.deepEqual(
        failed.toSorted(),
        scenario === 'server-stateless' ? NEED_ITS_TOOLS : [],
        `${scenario} ${version}`,
      );
    }
});

test('the inspector lists and verifies skills and tools of either era', SKIP, async (t) => {
  const folder = await installed(t, INSPECTOR);
  const { project, home } = await serveHttp(t, SKILLS);
  const inspect = async (...words: string[]) => {
    const server = [process.execPath, commandLine(), 'mcp', '--project', project];
    const { stdout } = await run(
      [path.join(folder, 'node_modules/.bin/mcp-inspector'), '--cli', ...words, '--format', 'json', ...server],
      folder,
      { HOME: home },
    );
    return stdout;
  };
  for (const era of ['modern', 'legacy'])
    assert.match(await inspect('--protocol-era', era, '--method', 'tools/list', '--strict'), /"run_skill"/);
  assert.match(
    await inspect('--protocol-era', 'modern', '--method', 'skills/list', '--verify'),
    /skill:\/\/odd-one\/SKILL\.md/,
  );
});

async function installed(t: TestContext, name: string): Promise<string> {
  const folder = temporaryFolder(t);
  await run(['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', name], folder, {
    ...(process.env.HOME !== undefined && { HOME: process.env.HOME }),
    ...(process.env.NODE_EXTRA_CA_CERTS !== undefined && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
  });
  return folder;
}

/** The suite knows no tokens: here one is added, and nothing else is changed but the port in the names it asks for. */
async function openDoorTo({ port: ours, token }: Served, t: TestContext): Promise<number> {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    for (const name of ['host', 'origin'] as const) headers[name] = headers[name]?.replace(`:${port}`, `:${ours}`);
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const { url, method } = request;
    const asked = ask(
      { host: '127.0.0.1', port: ours, path: url, method, headers: given, setHost: false },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return port;
}
