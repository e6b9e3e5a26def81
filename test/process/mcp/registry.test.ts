// server.json, by which the registry of MCP servers knows this package, and what it says to start.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { home, makeProject } from '../../support/door-support.ts';
import { commandLine, compiledCode, repository } from '../../support/support.ts';

const [server, manifest] = ['server.json', 'package.json'].map((name) =>
  JSON.parse(readFileSync(path.join(repository, name), 'utf8')),
);

test('server.json and package.json name the same server, package and version', () => {
  const [entry, ...others] = server.packages;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [server.name, server.version, entry.registryType, entry.identifier, entry.version],
    [manifest.mcpName, manifest.version, 'npm', manifest.name, manifest.version],
  );
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.description.length <= 100);
});

test('what server.json says to start is a server', async (t) => {
  const [{ packageArguments, transport }] = server.packages;
  assert.equal(transport.type, 'stdio');
  const args = packageArguments.map(({ value }: { value: string }) => value);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [commandLine(), ...args], cwd: makeProject(t, {}) },
      env: { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() },
    }),
  );
  try {
    assert.equal(client.getServerVersion()?.version, manifest.version);
    assert.ok((await client.listTools()).tools.length > 0);
  } finally {
    await client.close();
  }
});
