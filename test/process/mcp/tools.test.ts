// `skillwright mcp`: the toolset as tools of MCP, for the SDK's own client of either era, in this process and over pipes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '@modelcontextprotocol/client';
import { type GrantWish, openSkillwright } from '../../../src/index.ts';
import { home, skillFiles } from '../../support/door-support.ts';
import { oddTime, processesWith, sightOf, WRITER } from '../../support/library/handle.ts';
import { callTool, connect, connectProcess, ERAS, servedProject } from '../../support/mcp/client.ts';
import { answering } from '../../support/protocol-support.ts';
import { runCli } from '../../support/support.ts';

const NAMES = ['search_skills', 'load_skill', 'read_skill_resource', 'run_skill', 'get_run'];
const SKILLS = {
  ...WRITER,
  ...skillFiles('counter', 'name: counter\ndescription: Counts.\nallowed-tools: Read', {
    'scripts/count.sh': 'echo 3\n',
  }),
  ...skillFiles('secretive', 'name: secretive\ndescription: For people.\ndisable-model-invocation: true'),
  ...skillFiles('teller', 'name: teller\ndescription: Tells.\nentry: main.py\nactions: {x: {description: Tells.}}', {
    'main.py': answering('{}', 'for n in [10, 60, 30, 90]: print(f"{n}% at {n}", file=sys.stderr, flush=True)\n'),
  }),
  'sales.csv': 'region,sum\nnorth,3\nsouth,5\n',
  'agents/reader/agent.yaml': 'name: reader\nallowed_tools: [read_file]\n',
};

for (const era of ERAS) {
  test(`${era}: the tools have fixed names in a fixed order, schemas and annotations; the server says how to use them`, async (t) => {
    const project = servedProject(t, SKILLS);
    const { client } = await connect(t, project, { era });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      NAMES,
    );
    await using sw = await openSkillwright({ project, home, language: 'en' });
    const set = await sw.tools();
    for (const [index, tool] of tools.entries()) {
      const ours = set.tools[index];
      assert.deepEqual([tool.inputSchema, tool.outputSchema], [ours?.inputSchema, ours?.outputSchema]);
      assert.deepEqual(tool.annotations, ours?.annotations);
      assert.equal(tool.title, ours?.annotations.title);
    }
    assert.deepEqual(
      tools.map(({ annotations }) => annotations?.readOnlyHint),
      [true, true, true, false, true],
    );
    assert.equal(client.getInstructions(), set.instructions.trimEnd());
    assert.equal(client.getServerVersion()?.name, 'skillwright');
  });

  test(`${era}: skills are found, read and run, and what came out is there as data and as text`, async (t) => {
    const project = servedProject(t, SKILLS);
    const { client } = await connect(t, project, { era });
    const found = await callTool(client, 'search_skills', { query: 'note a line' });
    assert.match(JSON.stringify(found.result.skills), /"name":"writer"/);
    const raw = await client.callTool({ name: 'load_skill', arguments: { name: 'writer' } });
    const [text] = raw.content;
    assert.ok(text?.type === 'text');
    assert.deepEqual(JSON.parse(text.text), raw.structuredContent);
    assert.deepEqual(Object(raw.structuredContent).resources, [
      'scripts/fail.sh',
      'scripts/wait.sh',
      'scripts/write.sh',
    ]);
    const params = { target: 'sales.csv' };
    const made = await callTool(client, 'run_skill', { skill: 'csv-insights', action: 'analyze', params });
    assert.deepEqual([made.isError, made.result.state], [false, 'success'], JSON.stringify(made));
    const seen = await callTool(client, 'get_run', {});
    assert.deepEqual([typeof seen.result.runId, Object(seen.result).calls.length], ['string', 1]);
    const unknown = await callTool(client, 'load_skill', { name: 'secretive' });
    assert.deepEqual([unknown.isError, Object(unknown.result.error).code], [true, 'SKILL_NOT_FOUND']);
    await assert.rejects(callTool(client, 'rm_rf', {}), /there is no tool rm_rf/);
  });

  test(`${era}: a call that needs a yes is not made, and says by which command a person decides`, async (t) => {
    const project = servedProject(t, SKILLS);
    const { client } = await connect(t, project, { era });
    const asked = await callTool(client, 'run_skill', { skill: 'writer', script: 'scripts/write.sh', args: ['x'] });
    assert.deepEqual([asked.isError, asked.result.ok, asked.result.state], [false, false, 'interrupted']);
    const { id } = Object(asked.result.question);
    assert.match(String(asked.result.hint), new RegExp(`skillwright resume ${id}`));
    assert.equal(existsSync(path.join(project, 'note.txt')), false);
  });

  test(`${era}: progress is told to a client that asks for it, and only forwards`, async (t) => {
    const project = servedProject(t, SKILLS);
    await grant(project, { skill: 'teller', action: 'x', tier: 'S1' });
    const { client } = await connect(t, project, { era });
    const told: unknown[] = [];
    const onprogress = ({ progress, total, message }: Progress) => told.push([progress, total, message]);
    const done = await callTool(client, 'run_skill', { skill: 'teller', action: 'x' }, { onprogress });
    assert.equal(done.result.state, 'success', JSON.stringify(done));
    assert.deepEqual(told, [
      [0.1, 1, 'at 10'],
      [0.6, 1, 'at 60'],
      [0.9, 1, 'at 90'],
    ]);
  });

  test(`${era}: a cancelled call ends with all of its processes`, async (t) => {
    const project = servedProject(t, SKILLS);
    await grant(project, { skill: 'writer', script: 'scripts/wait.sh', tier: 'S1' });
    const { client } = await connect(t, project, { era });
    const word = oddTime();
    const cancelling = new AbortController();
    const running = callTool(
      client,
      'run_skill',
      { skill: 'writer', script: 'scripts/wait.sh', args: [word] },
      { signal: cancelling.signal },
    );
    running.catch(() => {});
    await sightOf(word);
    cancelling.abort();
    await assert.rejects(running);
    await until(() => processesWith(word).length === 0);
  });
}

test('--skills, --role and --read-only take away', async (t) => {
  const project = servedProject(t, SKILLS);
  const few = await connect(t, project, { skills: ['counter'] });
  const unknown = await callTool(few.client, 'load_skill', { name: 'writer' });
  assert.equal(Object(unknown.result.error).code, 'SKILL_NOT_FOUND');
  assert.equal((await callTool(few.client, 'load_skill', { name: 'counter' })).result.name, 'counter');
  const bound = await connect(t, project, { role: 'reader' });
  const denied = await callTool(bound.client, 'run_skill', {
    skill: 'writer',
    script: 'scripts/write.sh',
    args: ['x'],
  });
  assert.equal(Object(denied.result.error).type, 'PermissionDenied', JSON.stringify(denied));
  const reading = await connect(t, project, { readOnly: true });
  const { tools } = await reading.client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    NAMES.filter((name) => name !== 'run_skill'),
  );
  await assert.rejects(callTool(reading.client, 'run_skill', { skill: 'csv-insights' }), /there is no tool run_skill/);
  assert.equal((await callTool(reading.client, 'load_skill', { name: 'counter' })).result.name, 'counter');
});

test('the command line serves over pipes, names the client in the record, and ends when the client leaves', async (t) => {
  for (const era of ERAS) {
    const project = servedProject(t, SKILLS);
    const { client, pid, stderr } = await connectProcess(t, project, [], { era });
    const done = await callTool(client, 'run_skill', {
      skill: 'csv-insights',
      action: 'analyze',
      params: { target: 'sales.csv' },
    });
    assert.equal(done.result.ok, true, JSON.stringify(done));
    await client.close();
    await until(() => isGone(pid));
    assert.equal(stderr(), '');
    const events = await runCli(['runs', 'show', 'latest', '--json'], { cwd: project, home });
    assert.match(events.stdout, /"mcp:tester"/);
  }
});

test('a role or a skill that is not there ends the command before anything is served', async (t) => {
  const project = servedProject(t, SKILLS);
  const role = await runCli(['mcp', '--role', 'raeder'], { cwd: project, home });
  assert.deepEqual([role.code, role.stdout], [1, '']);
  assert.match(role.stderr, /no role raeder[\s\S]*Did you mean reader/);
  const skill = await runCli(['mcp', '--skills', 'conter'], { cwd: project, home });
  assert.deepEqual([skill.code, skill.stdout], [1, '']);
  assert.match(skill.stderr, /conter[\s\S]*counter/);
});

test('bytes that are no message are answered or logged, and nothing but the protocol is on stdout', async (t) => {
  const project = servedProject(t, SKILLS);
  const open = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const lines = [
    'no json',
    '{"jsonrpc":"2.0","id":7}',
    JSON.stringify(open),
    '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  ];
  const { code, stdout } = await runCli(['mcp'], { cwd: project, home, input: `${lines.join('\n')}\n` });
  assert.equal(code, 0);
  for (const line of stdout.trimEnd().split('\n').filter(Boolean)) assert.equal(JSON.parse(line).jsonrpc, '2.0');
});

async function grant(project: string, wish: GrantWish): Promise<void> {
  await using sw = await openSkillwright({ project, home });
  await sw.grants.add(wish);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
}
