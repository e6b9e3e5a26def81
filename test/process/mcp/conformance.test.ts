// What others say of our server: the protocol's own conformance suite over HTTP, and the inspector at its pipes; in the long run only.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { type Served, serveHttp } from '../../support/mcp/http.ts';
import { installed, OUTSIDE } from '../../support/mcp/outside.ts';
import { call, run } from '../../support/package-support.ts';
import { commandLine, compiledCode, isLong, repository } from '../../support/support.ts';

const SKIP = { skip: isLong() ? false : 'in the long run only' };
const DRIVER = path.join(repository, 'test/support/child/conformance-client.ts');

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

/** We offer a server nobody to ask: it is answered that there is no such method, and no default of a form is filled in. */
const ASKS_NOBODY = [
  'client-elicitation-sep1034-boolean-default',
  'client-elicitation-sep1034-enum-default',
  'client-elicitation-sep1034-general',
  'client-elicitation-sep1034-integer-default',
  'client-elicitation-sep1034-number-default',
  'client-elicitation-sep1034-string-default',
];

/** The same in 2026: a result that asks for a person ends the call, so that it is never sent again with an answer. */
const TRIES_NO_SECOND_TIME = [
  'sep-2322-client-jsonrpc-id-different',
  'sep-2322-client-no-state-omitted',
  'sep-2322-client-request-state-echoed',
];

/**
 * What the command line does as a client, and which checks fail because it does less than a client may. Not here are
 * scenarios of `auth/`: a server by its address gets the token that the user's settings name, and is logged in to by nobody.
 */
const CLIENT_SCENARIOS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '2025-06-18': { initialize: [], tools_call: [] },
  '2025-11-25': {
    initialize: [],
    tools_call: [],
    'sse-retry': [],
    'json-schema-2020-12-preservation': [],
    'elicitation-sep1034-client-defaults': ASKS_NOBODY,
  },
  '2026-07-28': {
    tools_call: [],
    'request-metadata': [],
    'http-standard-headers': [],
    'http-custom-headers': [],
    'http-invalid-tool-headers': [],
    'json-schema-ref-no-deref': [],
    'json-schema-2020-12-preservation': [],
    'sep-2322-client-request-state': TRIES_NO_SECOND_TIME,
  },
};

test('the conformance suite of the protocol passes, but for checks that call tools of its own', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.conformance);
  const port = await openDoorTo(await serveHttp(t, SKILLS), t);
  const url = `http://127.0.0.1:${port}/mcp`;
  for (const [version, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios) {
      const out = path.join(folder, 'out', version, scenario);
      const options = ['--scenario', scenario, '--spec-version', version, '--force', '--output-dir', out];
      await call([path.join(folder, 'node_modules/.bin/conformance'), 'server', '--url', url, ...options], folder, {});
      assert.deepEqual(
        failedChecks(out, scenario),
        scenario === 'server-stateless' ? NEED_ITS_TOOLS : [],
        `${scenario} ${version}`,
      );
    }
});

test(
  'as a client of servers the command line passes the suite, but where it does less than a client may',
  SKIP,
  async (t) => {
    const folder = await installed(t, OUTSIDE.conformance);
    for (const [version, scenarios] of Object.entries(CLIENT_SCENARIOS))
      for (const [scenario, expected] of Object.entries(scenarios)) {
        const out = path.join(folder, 'out', version, scenario);
        const options = ['--scenario', scenario, '--spec-version', version, '--force', '--output-dir', out];
        const client = ['--command', `${process.execPath} ${DRIVER}`, '--timeout', '120000'];
        const suite = path.join(folder, 'node_modules/.bin/conformance');
        const { code, stdout, stderr } = await call([suite, 'client', ...client, ...options], folder, compiledCode());
        assert.deepEqual(failedChecks(out, scenario), expected, `${scenario} ${version}`);
        // It says so too where nothing failed and the client did not end well.
        assert.equal(code, expected.length === 0 ? 0 : 1, stdout + stderr);
      }
  },
);

/** By their ids; some check has passed. */
function failedChecks(folder: string, scenario: string): string[] {
  const [file = ''] = globSync('**/checks.json', { cwd: folder });
  const checks: { id: string; status: string }[] = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
  assert.ok(
    checks.some(({ status }) => ['SUCCESS', 'FAILURE'].includes(status)),
    scenario,
  );
  return [...new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id))].toSorted();
}

test('the inspector lists and verifies skills and tools of either era', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.inspector);
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
