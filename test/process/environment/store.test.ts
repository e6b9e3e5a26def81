// Built environments below home: sealed, shared by equal needs, the same on every machine, whole after every kill.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { plant } from '../../support/agent-support.ts';
import {
  anotherHome,
  type EnvironmentDesk,
  lockOf,
  openEnvironmentDesk,
  skillOf,
  storedIn,
} from '../../support/environment/desk.ts';
import { wheel } from '../../support/environment/packages.ts';
import { commandLine, compiledCode, count } from '../../support/support.ts';

const PLAIN = wheel({ name: 'plain' });
const FILES = { 'requirements.txt': 'plain\n', 'scripts/use.py': 'import plain\nprint("plain", plain.VERSION)\n' };

async function prepared(t: TestContext): Promise<EnvironmentDesk & { readonly module: string }> {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  return { ...desk, module: moduleIn(desk.home) };
}

/** The installed file itself. */
function moduleIn(home: string): string {
  const [name = ''] = storedIn(home);
  const tree = path.join(home, '.agent/environments', name, 'tree');
  const found = readdirSync(tree, { recursive: true, encoding: 'utf8' }).find((file) => file.endsWith('/plain.py'));
  return path.join(tree, found ?? '');
}

test('threat 84 blocked: a stored environment that was changed is not used, is named, and is built again', async (t) => {
  const desk = await prepared(t);
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/);
  chmodSync(desk.module, 0o644);
  writeFileSync(desk.module, 'VERSION = "bad"\n');
  const refused = await desk.exec('scripts/use.py');
  assert.match(refused, /the python packages of uses are not as they were built/);
  assert.doesNotMatch(refused, /plain bad/);
  const verified = await desk.run(['environments', 'verify']);
  assert.equal(verified.code, 1);
  assert.match(verified.stdout, /site-packages\/plain\.py/);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/);
  assert.equal((await desk.run(['environments', 'verify'])).code, 0);
});

test('threat 84 control: without the look at its trace the changed environment is used', async (t) => {
  const desk = await prepared(t);
  chmodSync(desk.module, 0o644);
  writeFileSync(desk.module, 'VERSION = "bad"\n');
  const blind = {
    file: 'src/environment/store/sound.ts',
    from: 'return traceOf(tree) === trace;',
    to: 'return trace !== traceOf(home);',
  };
  const { stdout } = await desk.run(['exec', 'uses', 'scripts/use.py', '--yes'], { change: [blind] });
  assert.match(stdout, /^plain bad\n/);
});

test('a manifest that was written by somebody else counts for nothing', async (t) => {
  const desk = await prepared(t);
  const [name = ''] = storedIn(desk.home);
  const file = path.join(desk.home, '.agent/environments', name, 'manifest.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"plain==1.0"', '"plain==2.0"'));
  assert.match(await desk.exec('scripts/use.py'), /not as they were built/);
  const [listed] = (await desk.ask(['environments', 'list'])).data.environments as { damaged: boolean }[];
  assert.equal(listed?.damaged, true);
});

test('skills with the same needs share one environment, and each is consented to by itself', async (t) => {
  const many = count(50, 4);
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  const names = Array.from({ length: many }, (_, at) => `uses-${at}`);
  for (const name of names) plant(desk.project, skillOf(name, { ...FILES, 'scripts/own.py': `print("${name}")\n` }));
  for (const name of names) assert.equal((await desk.ask(['prepare', name, '--yes'])).state, 'success');
  assert.equal(storedIn(desk.home).length, 1);
  assert.equal(lockOf(desk).environments.length, 1);
  const files = desk.index.asked.filter((asked) => asked.startsWith('/files/'));
  assert.ok(files.length <= 2, `resolved and built once: ${files}`);
  const shown = await desk.ask(['environments', 'show', storedIn(desk.home)[0] ?? '']);
  assert.deepEqual(shown.data.skills, names.toSorted());
});

test('another machine with the same lock has the same tree, and refuses another one', async (t) => {
  const desk = await prepared(t);
  const [{ trees = {} } = {}] = lockOf(desk).environments;
  const [kind = '', tree] = Object.entries(trees)[0] ?? [];
  const home = anotherHome(desk);
  const there = await desk.ask(['prepare', 'uses', '--yes', '--frozen'], { home });
  assert.equal(there.state, 'success', JSON.stringify(there));
  const [built] = there.data.environments as { tree: string; exact: string }[];
  assert.deepEqual([built?.exact, built?.tree], [kind, tree]);
  assert.deepEqual(lockOf(desk).environments[0]?.trees, trees);
  const file = path.join(desk.project, '.agent/environments.lock.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(String(tree), `sha256:${'1'.repeat(64)}`));
  const third = await desk.ask(['prepare', 'uses', '--yes', '--frozen'], { home: anotherHome({ ...desk, home }) });
  assert.deepEqual([third.code, third.data.type], [1, 'IntegrityMismatch'], JSON.stringify(third));
});

function start({ project, home }: EnvironmentDesk) {
  const child = spawn(process.execPath, [commandLine(), 'prepare', 'uses', '--yes', '--json'], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...compiledCode() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)));
  return { child, ended };
}

test('what was prepared and what was removed is on the owner’s record', async (t) => {
  const desk = await prepared(t);
  const [name = ''] = storedIn(desk.home);
  assert.equal((await desk.run(['environments', 'prune', name.slice(0, 8)])).code, 0);
  const { events } = (await desk.ask(['log'])).data as { events: { command: string; files: string[] }[] };
  const told = events.map(({ command, files }) => [command, files]);
  assert.deepEqual(told.toReversed(), [
    ['prepare', ['uses']],
    ['environments prune', [name]],
  ]);
  assert.deepEqual(storedIn(desk.home), []);
  assert.match(
    await desk.exec('scripts/use.py'),
    /the python packages of uses were removed.*`skillwright prepare uses`/s,
  );
});

test('with --all every skill that declares packages is prepared, and one that cannot be keeps no other from its own', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN] });
  plant(desk.project, { ...skillOf('lost', { 'requirements.txt': 'nowhere\n' }), ...skillOf('bare', {}) });
  const { code, stdout } = await desk.run(['prepare', '--all', '--yes']);
  assert.equal(code, 6, stdout);
  assert.match(stdout, /✓ uses {2}uses is prepared: 1 package/);
  assert.match(stdout, /✗ lost {2}PackageRefused: .*nowhere is not in the index/);
  assert.doesNotMatch(stdout, /bare/);
  assert.equal((await desk.run(['prepare'])).code, 2);
});

test('two builders at once build once', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN], delayMs: 30 });
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  desk.index.asked.length = 0;
  const both = await Promise.all([start(desk).ended, start(desk).ended]);
  for (const said of both) assert.equal(JSON.parse(said).state, 'success', said);
  const found = both.map((said) => JSON.parse(said).data.environments[0].found);
  assert.deepEqual(found.toSorted(), [false, true]);
  assert.equal(desk.index.asked.filter((asked) => asked.startsWith('/files/')).length, 1);
});

test('a build that is killed at any instant leaves nothing half, and the next one succeeds', async (t) => {
  const desk = await openEnvironmentDesk(t, FILES, { wheels: [PLAIN], delayMs: 20 });
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  // As it is repeated below: from the lock.
  const before = performance.now();
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  const duration = performance.now() - before;
  assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  const times = count(100, 10);
  for (let at = 1; at <= times; at++) {
    const { child, ended } = start(desk);
    await delay((duration * at) / (times + 1));
    child.kill('SIGKILL');
    await ended;
    const stored = storedIn(desk.home);
    const verified = await desk.run(['environments', 'verify']);
    assert.equal(verified.code, 0, `kill ${at}: ${verified.stdout}`);
    const used = await desk.exec('scripts/use.py');
    const whole = stored.length > 0 ? /^plain 1\.0\n/ : /were removed|No module named 'plain'/;
    assert.match(used, whole, `kill ${at}`);
    const next = await desk.ask(['prepare', 'uses', '--yes']);
    assert.equal(next.state, 'success', `after kill ${at}: ${JSON.stringify(next)}`);
    assert.equal((await desk.run(['environments', 'prune', '--days', '0'])).code, 0);
  }
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.match(await desk.exec('scripts/use.py'), /^plain 1\.0\n/);
  const building = path.join(desk.home, '.agent/environments/.building');
  const left = existsSync(building) ? readdirSync(building).filter((name) => /^[0-9a-f]{64}$/.test(name)) : [];
  assert.deepEqual(left, [], 'nothing of a killed build is left where environments are built');
});
