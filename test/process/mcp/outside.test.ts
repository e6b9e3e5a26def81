// The program of a server runs without a sandbox only where a person let exactly that program.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type HostWorld, hostWorld, observed, odd, useOnce } from '../../support/mcp/host.ts';

const STATES = (stdout: string) =>
  JSON.parse(stdout).data.grants.map(({ skill, state }: Record<string, string>) => `${skill} ${state}`);

test('threat 87 blocked and control: outside by a grant, which is shown, ends with a change of the program, and permits no tool', async (t) => {
  const world = hostWorld(t);
  const file = path.join(world.project, 'made.txt');
  world.settle({ odd: odd(world, 'write', [file]) });
  assert.match(observed(await useOnce(world)), /refused: /);
  assert.ok(!existsSync(file));

  const given = await world.run(['grants', 'add', 'mcp:odd', '--outside']);
  assert.equal(given.code, 0, given.stderr);
  assert.match(given.stdout, /be started without a sandbox: \/usr\/bin\/python3 \S+odd\.py write/);
  const shown = await world.run(['servers']);
  assert.match(shown.stdout + shown.stderr, /odd runs without a sandbox/);
  assert.equal((await useOnce(world, { args: [] })).code, 4);
  assert.match(observed(await useOnce(world)), /written/);
  assert.equal(readFileSync(file, 'utf8'), 'x');

  writeFileSync(file, '');
  appendFileSync(path.join(world.servers, 'odd.py'), '# Another one.\n');
  assert.deepEqual(STATES((await world.run(['grants', 'list', '--json'])).stdout), ['mcp:odd changed']);
  assert.match(observed(await useOnce(world)), /refused: /);
  assert.equal(readFileSync(file, 'utf8'), '');
});

test('threat 87 blocked and control: where there is no sandbox, a server is started only by such a grant', async (t) => {
  const world = hostWorld(t);
  world.settle({ odd: odd(world, 'env') });
  await takeSandbox(world);
  const refused = await useOnce(world);
  assert.match(observed(refused), /no sandbox here to start it in[\s\S]*skillwright grants add mcp:odd --outside/);
  const given = await world.run(['grants', 'add', 'mcp:odd', '--outside']);
  assert.equal(given.code, 0, given.stderr);
  const [json = ''] = /\{.*\}/.exec(observed(await useOnce(world))) ?? [];
  assert.equal(JSON.parse(json).HOME, world.home);
});

test('threat 87 blocked and control: outside it starts in the home of its user, where no file of a project stands for one of the server', async (t) => {
  const world = hostWorld(t, { 'notes.md': 'mine\n' });
  world.settle({ odd: odd(world, 'list', ['.']) });
  assert.match(observed(await useOnce(world)), /notes\.md/);
  assert.equal((await world.run(['grants', 'add', 'mcp:odd', '--outside'])).code, 0);
  const outside = observed(await useOnce(world));
  assert.match(outside, /\.agent/);
  assert.doesNotMatch(outside, /notes\.md/);
});

test('--outside is for a program of the settings, not for one of its tools, an address or a skill', async (t) => {
  const world = hostWorld(t);
  world.settle({ odd: odd(world, 'env'), far: { url: 'https://mcp.example.com/mcp' } });
  for (const name of ['mcp:odd/echo', 'mcp:far', 'csv-insights']) {
    const { code, stderr } = await world.run(['grants', 'add', name, '--outside']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /--outside is for the program of a server that your settings start/);
  }
  assert.deepEqual(STATES((await world.run(['grants', 'list', '--json'])).stdout), []);
});

/** The probes found none: what they found is remembered. */
async function takeSandbox(world: HostWorld): Promise<void> {
  const { code } = await world.run(['servers']);
  assert.equal(code, 0);
  const file = path.join(world.home, '.agent', 'cache', 'sandbox', 'sandbox.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), tier: 'S0' }));
}
