// Programs of others that long tests meet, each in one version, installed into a folder that is gone after the test.
import type { TestContext } from 'node:test';
import { run } from '../package-support.ts';
import { temporaryFolder } from '../support.ts';

export const OUTSIDE = {
  conformance: '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  inspector: '@modelcontextprotocol/inspector@2.12.0',
  aiSdk: '@ai-sdk/mcp@2.0.99',
  remote: 'mcp-remote@0.15.1',
  supergateway: 'supergateway@4.0.0',
  proxy: 'mcp-proxy@6.7.19',
} as const;

/** What npm needs from the user's surroundings to reach its registry. */
const NEEDED = ['HOME', 'NODE_EXTRA_CA_CERTS', 'npm_config_cafile'];

export async function installed(t: TestContext, ...names: readonly string[]): Promise<string> {
  const folder = temporaryFolder(t);
  const env = Object.fromEntries(NEEDED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  await run(
    ['npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...names],
    folder,
    env,
  );
  return folder;
}
