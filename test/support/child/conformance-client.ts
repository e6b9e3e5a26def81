// What the protocol's conformance suite starts as "the client": our command line, whose user has settings that name the
// suite's server, run with a scripted model that calls what the scenario wants called.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeTree } from '../../../src/base/files.ts';
import { answer, type Script, tool } from '../agent-support.ts';
import { runCli } from '../support.ts';

interface SuiteCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

/** What the suite's own example client does in a scenario. */
const CALLS: Readonly<Record<string, (tools: readonly ListedTool[]) => readonly SuiteCall[]>> = {
  tools_call: () => [{ name: 'add_numbers', arguments: { a: 5, b: 3 } }],
  'sse-retry': () => [{ name: 'test_reconnection', arguments: {} }],
  'elicitation-sep1034-client-defaults': (tools) => allOf(tools),
  'sep-2322-client-request-state': (tools) => allOf(tools),
  'http-standard-headers': (tools) => allOf(tools),
  'http-invalid-tool-headers': (tools) => allOf(tools),
  'json-schema-2020-12-preservation': (tools) => [
    {
      name: 'json_schema_echo',
      arguments: { schema: tools.find(({ name }) => name !== 'json_schema_echo')?.inputSchema },
    },
  ],
};

const root = mkdtempSync(path.join(tmpdir(), 'skillwright-test-'));
const [project, home] = ['project', 'home'].map((name) => path.join(root, name)) as [string, string];

try {
  process.exitCode = await play(process.argv.at(-1) ?? '');
} finally {
  removeTree(root);
}

async function play(url: string): Promise<number> {
  mkdirSync(path.join(project, '.agent'), { recursive: true });
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent', 'config.json'), JSON.stringify({ mcp_servers: { suite: { url } } }));
  const listed = await skillwright('servers', '--json');
  const tools: readonly ListedTool[] = JSON.parse(listed.stdout).data.servers[0].tools;
  const calls = callsOf(tools);
  if (calls.length === 0) return listed.code ?? 1;
  const script: Script = [...calls.map((call) => tool(`mcp:suite/${call.name}`, call.arguments)), answer('done')];
  const file = path.join(root, 'case.json');
  writeFileSync(file, JSON.stringify(script));
  const { code } = await skillwright('run', 'call them', '--model', `mock:${file}`, '--yes', '--json');
  return code ?? 1;
}

function callsOf(tools: readonly ListedTool[]): readonly SuiteCall[] {
  const given = process.env.MCP_CONFORMANCE_CONTEXT;
  const { toolCalls } = given === undefined ? {} : JSON.parse(given);
  return toolCalls ?? CALLS[process.env.MCP_CONFORMANCE_SCENARIO ?? '']?.(tools) ?? [];
}

function allOf(tools: readonly ListedTool[]): readonly SuiteCall[] {
  return tools.map(({ name }) => ({ name, arguments: {} }));
}

async function skillwright(...args: string[]) {
  const ran = await runCli(args, { cwd: project, home });
  process.stderr.write(ran.stdout + ran.stderr);
  return ran;
}
