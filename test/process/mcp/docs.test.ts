// docs/mcp.md: its conversations, held with the command line by a real client, and the files that connect other agents.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CONNECTED_AGENTS, type ConnectedAgent, connectionOf } from '../../../src/app/project/connection.ts';
import { home, skillFiles } from '../../support/door-support.ts';
import { beforeRemoval, connectProcess, ERAS, type Era, servedProject } from '../../support/mcp/client.ts';
import { commandLine, compiledCode, repository, runCli, temporaryFolder } from '../../support/support.ts';

const NOTE = skillFiles('note-keeper', 'name: note-keeper\ndescription: Notes something down in a file.', {
  'scripts/note.sh': 'echo "$1" >> notes.txt\necho noted\n',
});

const PAGE = readFileSync(path.join(repository, 'docs', 'mcp.md'), 'utf8');
const CONVERSATIONS = [...PAGE.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text.trim().split('\n'));

interface Line {
  readonly who: string;
  readonly said: string;
}

function read(line: string): Line {
  const [, who = '', said = ''] = /^(client(?: without elicitation)?|server(?: asks)?|person) → (.+)$/.exec(line) ?? [];
  assert.ok(said !== '', `no line of a conversation: ${line}`);
  return { who, said };
}

for (const era of ERAS)
  test(`${era}: every conversation of docs/mcp.md goes as it stands there`, async (t) => {
    assert.equal(CONVERSATIONS.length, 3);
    const project = servedProject(t, NOTE);
    for (const lines of CONVERSATIONS) await hold(t, project, era, lines.map(read));
  });

async function hold(t: TestContext, project: string, era: Era, lines: readonly Line[]): Promise<void> {
  const isAsked = lines.some(({ who }) => who === 'person');
  const answers = lines.filter(({ who }) => who === 'person').map(({ said }) => said === 'yes');
  const questions: string[] = [];
  const { client } = await connectProcess(t, project, [], {
    era,
    capabilities: isAsked ? { elicitation: {} } : {},
    prepare: (made) => {
      if (!isAsked) return;
      made.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: { approve: answers.shift() === true } };
      });
    },
  });
  let result: unknown;
  for (const { who, said } of lines) {
    if (who.startsWith('client')) {
      const [, method = '', params = '{}'] = /^(\S+) (.+)$/.exec(said) ?? [];
      assert.equal(method, 'tools/call');
      result = (await client.callTool(JSON.parse(params))).structuredContent;
    } else if (who === 'server') {
      assertHas(result, JSON.parse(said), said);
    } else if (who === 'server asks') {
      assert.ok(questions.shift()?.includes(said), said);
    }
  }
  assert.deepEqual(questions, [], 'nothing else was asked');
}

/** Every field that is written there, and in lists as many entries. */
function assertHas(found: unknown, told: unknown, line: string): void {
  const message = `${line}\n${JSON.stringify(found)}`;
  const isPlain = typeof told !== 'object' || told === null;
  if (isPlain) assert.equal(found, told, message);
  if (Array.isArray(told)) assert.equal(Object(found).length, told.length, message);
  for (const [name, value] of isPlain ? [] : Object.entries(told)) assertHas(Object(found)[name], value, line);
}

test('init --for writes what connects each agent, and a client that reads it is served', async (t) => {
  const project = servedProject(t, NOTE);
  const bin = temporaryFolder(t);
  const elsewhere = temporaryFolder(t);
  writeFileSync(path.join(bin, 'skillwright'), `#!/bin/sh\nexec "${process.execPath}" "${commandLine()}" "$@"\n`);
  chmodSync(path.join(bin, 'skillwright'), 0o755);
  const all = CONNECTED_AGENTS.flatMap((agent) => ['--for', agent]);
  const made = await runCli(['init', ...all], { cwd: project, home });
  assert.equal(made.code, 0, made.stderr);
  for (const agent of CONNECTED_AGENTS) {
    assert.match(PAGE, new RegExp(`--for ${agent}`));
    assert.ok(PAGE.includes(`\`${connectionOf(agent).file}\``), agent);
    const { command, args } = startOf(agent, project);
    const isEditor = agent === 'vscode' || agent === 'cursor';
    const transport = new StdioClientTransport({
      command,
      args: args.map((word) => word.replace(/^\$\{workspaceFolder\}$/, project)),
      cwd: isEditor ? elsewhere : project,
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...compiledCode() },
    });
    const client = new Client({ name: agent, version: '1' });
    beforeRemoval(t, () => client.close());
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: 'load_skill', arguments: { name: 'note-keeper' } });
    assert.equal(Object(structuredContent).ok, true, agent);
  }
  const again = await runCli(['init', ...all, '--json'], { cwd: project, home });
  assert.equal(JSON.parse(again.stdout).data.by_hand, undefined);
});

test('a file of a person stays as it is, and what to add to it is said', async (t) => {
  const project = servedProject(t, NOTE);
  mkdirSync(path.join(project, '.vscode'));
  const mine = path.join(project, '.vscode', 'mcp.json');
  writeFileSync(mine, '// mine\n{"servers": {}}\n');
  const made = await runCli(['init', '--minimal', '--for', 'vscode'], { cwd: project, home });
  assert.match(made.stdout, /\.vscode\/mcp\.json is yours; add to it:\n\{\n {2}"servers"/);
  assert.equal(readFileSync(mine, 'utf8'), '// mine\n{"servers": {}}\n');
  const wrong = await runCli(['init', '--for', 'emacs'], { cwd: project, home });
  assert.deepEqual([wrong.code, /claude-code/.test(wrong.stderr)], [2, true], wrong.stderr);
});

/** As the agent reads it. */
function startOf(
  agent: ConnectedAgent,
  project: string,
): { readonly command: string; readonly args: readonly string[] } {
  const text = readFileSync(path.join(project, connectionOf(agent).file), 'utf8');
  if (agent !== 'codex') {
    const { mcpServers, servers } = JSON.parse(text);
    return (mcpServers ?? servers).skillwright;
  }
  const [, command = '', args = '[]'] =
    /^\[mcp_servers\.skillwright\]\ncommand = "(.+)"\nargs = (.+)\n$/.exec(text) ?? [];
  return { command, args: JSON.parse(args) };
}
