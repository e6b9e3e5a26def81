// Many calls at once over one connection, and a server that dies in the middle of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { openSkillwright } from '../../../src/index.ts';
import { home, skillFiles } from '../../support/door-support.ts';
import { endOf, oddTime, processesWith, sightOf, WRITER } from '../../support/library/handle.ts';
import { callTool, connectProcess, ERAS, servedProject } from '../../support/mcp/client.ts';
import { connectHttp, serveHttp } from '../../support/mcp/http.ts';
import { count, runCli } from '../../support/support.ts';

const MANY = 10;
const NAMES = Array.from({ length: MANY }, (_, at) => `skill-${at}`);
const SKILLS = Object.assign(
  {},
  WRITER,
  ...NAMES.map((name) => skillFiles(name, `name: ${name}\ndescription: Is ${name}.`, { 'who.txt': `${name}\n` })),
);

async function grantAll(project: string, whose: string): Promise<void> {
  await using sw = await openSkillwright({ project, home: whose });
  for (const script of ['scripts/write.sh', 'scripts/wait.sh'])
    await sw.grants.add({ skill: 'writer', script, writes: true, tier: 'S1' });
}

/** Each call is answered with what it asked for, whoever else asks meanwhile. */
async function callMany(client: Client): Promise<void> {
  const calls = Array.from({ length: count(200, 40) }, async (_, at) => {
    const name = NAMES[at % MANY] ?? '';
    if (at % 4 > 0) {
      const { result } = await callTool(client, 'read_skill_resource', { skill: name, path: 'who.txt' });
      assert.equal(result.text, name, JSON.stringify(result));
      return;
    }
    const given = { skill: 'writer', script: 'scripts/write.sh', args: [`word ${at}`] };
    const { result } = await callTool(client, 'run_skill', given, { timeout: 600_000 });
    assert.equal(Object(result.result).stdout, `wrote word ${at}\n`, JSON.stringify(result));
  });
  await Promise.all(calls);
}

for (const era of ERAS) {
  test(`${era}: many calls at once are each answered with their own result`, async (t) => {
    const project = servedProject(t, SKILLS);
    await grantAll(project, home);
    const { client } = await connectProcess(t, project, [], { era });
    await callMany(client);
  });

  test(`${era}: over HTTP, too`, async (t) => {
    const served = await serveHttp(t, SKILLS);
    await grantAll(served.project, served.home);
    await callMany(await connectHttp(t, served, { era }));
  });
}

test('reading does not wait for a call that runs, and calls that run wait for each other', async (t) => {
  const project = servedProject(t, SKILLS);
  await grantAll(project, home);
  const { client } = await connectProcess(t, project, []);
  const word = oddTime();
  const ending = new AbortController();
  const wait = { skill: 'writer', script: 'scripts/wait.sh', args: [word] };
  const running = callTool(client, 'run_skill', wait, { signal: ending.signal }).catch(() => 'cancelled');
  await sightOf(word);
  const order: string[] = [];
  const second = callTool(client, 'run_skill', { skill: 'writer', script: 'scripts/write.sh', args: ['x'] });
  const noted = second.then(() => order.push('run'));
  for (const name of NAMES) await callTool(client, 'load_skill', { name });
  order.push('read');
  ending.abort();
  assert.equal(await running, 'cancelled');
  await noted;
  assert.deepEqual(order, ['read', 'run']);
  assert.equal(processesWith(word).length, 0);
});

test('a server that is killed leaves nothing running, its record can be read, and the next one serves', async (t) => {
  const project = servedProject(t, SKILLS);
  await grantAll(project, home);
  const first = await connectProcess(t, project, []);
  const word = oddTime();
  const running = callTool(first.client, 'run_skill', { skill: 'writer', script: 'scripts/wait.sh', args: [word] });
  running.catch(() => {});
  await sightOf(word, 'sleep');
  process.kill(first.pid, 'SIGKILL');
  await assert.rejects(running);
  await endOf(word);
  const verified = await runCli(['runs', 'verify', 'latest', '--json'], { cwd: project, home });
  assert.equal(JSON.parse(verified.stdout).data.ok, true, verified.stdout);
  const next = await connectProcess(t, project, []);
  const written = { skill: 'writer', script: 'scripts/write.sh', args: ['after'] };
  assert.equal((await callTool(next.client, 'run_skill', written)).result.state, 'success');
});
