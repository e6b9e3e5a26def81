// What tests of the MCP host share: a project whose user has servers in their settings, and a scripted run that uses them.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { ServerSettings } from '../../../src/config/value.ts';
import { answer, makeWorld, type Ran, runProcess, tool, type World } from '../agent-support.ts';
import { type CliResult, runCli } from '../support.ts';

const ODD = path.join(import.meta.dirname, 'servers', 'odd.py');

export interface HostWorld extends World {
  /** Outside the project: where the servers are. */
  readonly servers: string;
  /** Writes the user's settings. */
  settle(servers: Readonly<Record<string, object>>, more?: object): void;
  run(args: readonly string[], env?: Record<string, string>): Promise<CliResult>;
}

export function hostWorld(t: TestContext, files: Readonly<Record<string, string>> = {}): HostWorld {
  const world = makeWorld(t, files);
  const servers = path.join(path.dirname(world.project), 'servers');
  mkdirSync(servers);
  copyFileSync(ODD, path.join(servers, 'odd.py'));
  for (const folder of [path.dirname(servers), servers]) chmodSync(folder, 0o755);
  const config = path.join(world.home, '.agent', 'config.json');
  return {
    ...world,
    servers,
    settle(named, more = {}) {
      mkdirSync(path.dirname(config), { recursive: true });
      writeFileSync(config, JSON.stringify({ mcp_servers: named, ...more }));
    },
    run: (args, env = {}) => runCli(args, { cwd: world.project, home: world.home, env }),
  };
}

/** The settings of the server of that kind. */
export function odd(
  { servers }: Pick<HostWorld, 'servers'>,
  mode: string,
  words: readonly string[] = [],
  more: Partial<Record<keyof ServerSettings | 'variables' | 'hosts' | 'timeout_seconds', unknown>> = {},
): object {
  return { command: ['/usr/bin/python3', path.join(servers, 'odd.py'), mode, ...words], read: [servers], ...more };
}

/** A run of the agent that calls `echo` of the server `odd` once. */
export async function useOnce(
  world: HostWorld,
  { name = 'mcp:odd/echo', args = ['--yes'], env = {} }: UseOptions = {},
): Promise<Ran & CliResult> {
  return await runProcess(world, [tool(name, { text: 'hi' }), answer('done')], { args, env });
}

/** Escape codes, and marks that turn a text around. */
export const CONTROL = new RegExp(
  `[${['\\u0000', '\\u0007', '\\u001b', '\\u200b', '\\u202e', '\\u2066'].join('')}]`,
  'u',
);

export type Used = Ran & CliResult & { readonly said: string };

/** One call of the tool `echo` of a server of that kind; the run ends well, whatever the server did. */
export async function use(
  world: HostWorld,
  mode: string,
  words: readonly string[] = [],
  more: Parameters<typeof odd>[3] = {},
): Promise<Used> {
  world.settle({ odd: odd(world, mode, words, more) });
  const ran = await useOnce(world);
  assert.equal(ran.outcome.state, 'success', ran.stdout);
  return { ...ran, said: observed(ran) };
}

/** What `servers` says of a server of that kind. */
export async function toolsOf(world: HostWorld, mode: string, words: readonly string[] = []): Promise<ShownTool[]> {
  world.settle({ odd: odd(world, mode, words) });
  const { stdout } = await world.run(['servers', '--json']);
  return JSON.parse(stdout).data.servers[0].tools;
}

export interface ShownTool {
  readonly name: string;
  readonly description: string;
}

interface UseOptions {
  readonly name?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** What the model was told the call came to. */
export function observed({ events, folder }: Ran): string {
  const last = events.findLast((event) => event.type === 'observation');
  if (last?.type !== 'observation') return '';
  const { ref, at } = last.text;
  const bytes = readFileSync(path.join(folder, ref?.split('#')[0] ?? ''));
  const [from = 0, length = 0] = at ?? [];
  return bytes.subarray(from, from + length).toString('utf8');
}
