// The same ways out against the file tools and against the sandbox: neither lets through what the other refuses.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../src/base/errors.ts';
import { findHiddenFiles } from '../../src/base/hidden-files.ts';
import { absolutePath } from '../../src/base/value/absolute-path.ts';
import { isOwnState } from '../../src/policy/place.ts';
import { runProcess } from '../../src/process/run.ts';
import { defaultNetworkPolicy } from '../../src/tools/network.ts';
import { runTool, type ToolContext } from '../../src/tools/tool-call.ts';
import { type Guard, toolRunner } from '../support/changed/careless-reader.ts';
import { count, temporaryFolder } from '../support/support.ts';
import { placesAt } from '../support/world/places.ts';
import { type Level, orderOf, sandboxAt, workIn } from '../support/world/sandbox-support.ts';

/** In the form of a key: by its name alone a file may be anything. */
const CANARY = '-----BEGIN PRIVATE KEY----- canary-51c0: nobody may read this';

interface Stage {
  readonly root: string;
  readonly project: string;
  readonly secret: string;
  /** Where whoever tries stands. */
  readonly cwd: string;
}

type Probe = readonly [name: string, path: (stage: Stage) => string];

const SECRETS = [
  'secret.txt',
  'outside/secret.txt',
  'outside/deep/er.txt',
  'project-evil/secret.txt',
  'home/.ssh/id_rsa',
  'home/.agent/state/p/state.db',
  'project/.env',
  'project/.env.local',
  'project/src/.env',
  'project/keys/server.pem',
  'project/id_rsa',
  'project/.npmrc',
  'project/.git/config',
  'project/.agent/state.db',
  'project/.agent/runs/r/events.jsonl',
];

const LINKS: readonly (readonly [link: string, target: (stage: Stage) => string])[] = [
  ['absolute-link', ({ secret }) => secret],
  ['relative-link', () => '../secret.txt'],
  ['src/up', () => '../..'],
  ['out', ({ root }) => `${root}/outside`],
  ['chain', () => 'relative-link'],
  ['all', () => '/proc/self/root'],
  ['notes.md', () => '.env'],
  ['src/records', () => '../.agent/runs'],
];

const PROBES: readonly Probe[] = [
  ...[
    '../secret.txt',
    './../secret.txt',
    'src/../../secret.txt',
    'src/./../../secret.txt',
    '../project-evil/secret.txt',
    '../project/../secret.txt',
    '..//secret.txt',
    'src//..//..//secret.txt',
    '../outside/deep/../secret.txt',
    '../home/.ssh/id_rsa',
    '../home/.agent/state/p/state.db',
  ].map((attempt): Probe => [`climbs with ${attempt}`, () => attempt]),
  ['absolute', ({ secret }) => secret],
  ['absolute with two slashes', ({ secret }) => `/${secret}`],
  ['absolute through another folder', ({ secret }) => `/dev/..${secret}`],
  ['absolute through /proc/self/root', ({ secret }) => `/proc/self/root${secret}`],
  ['absolute through a thread', ({ secret }) => `/proc/thread-self/root${secret}`],
  ['absolute through /proc/self/cwd', ({ secret, cwd }) => `/proc/self/cwd/${path.relative(cwd, secret)}`],
  ['absolute, beginning with the project', ({ project }) => `${project}/../secret.txt`],
  ...['absolute-link', 'relative-link', 'src/up/secret.txt', 'out/secret.txt', 'out/deep/er.txt', 'chain'].map(
    (attempt): Probe => [`goes out through the link ${attempt}`, () => attempt],
  ),
  ['a link through /proc', ({ secret }) => `all${secret}`],
  ...[
    '.env',
    '.env.local',
    'src/.env',
    'keys/server.pem',
    'id_rsa',
    '.npmrc',
    '.git/config',
    '.agent/state.db',
    '.agent/runs/r/events.jsonl',
  ].map((attempt): Probe => [`names the hidden ${attempt}`, () => attempt]),
  ['a hidden file by its absolute path', ({ project }) => `${project}/.env`],
  ['a hidden file through /proc', ({ project }) => `/proc/self/root${project}/.env`],
  ['a link to a hidden file', () => 'notes.md'],
  ['a link to a hidden folder', () => 'src/records/r/events.jsonl'],
];

test('threat 32 blocked: there are at least 30 path probes, all different', () => {
  assert.ok(PROBES.length >= 30, `${PROBES.length}`);
  assert.equal(new Set(PROBES.map(([name]) => name)).size, PROBES.length);
});

test('threat 32 blocked: no probe gets anything out of the file tools, or anything changed', async (t) => {
  const stage = makeStage(t);
  const context = contextOf(stage);
  for (const guard of ['descriptor', 'path'] as const) {
    const run = await toolRunner(guard);
    for (const [name, probe] of PROBES) {
      const file = probe(stage);
      for (const [tool, args] of [
        ['read_file', {}],
        ['grep', { pattern: 'canary' }],
        ['write_file', { content: 'overwritten' }],
        ['write_file', { edits: [{ op: 'append', content: 'changed' }] }],
      ] as const) {
        const refusal = await refusalOf(() => run(tool, { path: file, ...args }, context));
        assert.equal(refusal, 'PathBlocked', `${guard} ${tool} ${name}`);
      }
    }
  }
  for (const file of SECRETS) assert.equal(readFileSync(path.join(stage.root, file), 'utf8'), CANARY, file);
});

test('threat 32 blocked: moving reaches no further than writing, with neither of its ends', async (t) => {
  const stage = makeStage(t);
  const context = contextOf(stage);
  writeFileSync(path.join(stage.project, 'plain.txt'), 'plain');
  for (const [name, probe] of PROBES) {
    const file = probe(stage);
    const refused = async (args: object) => await refusalOf(() => runTool('move_file', args, context));
    assert.ok(await refused({ from: file, to: 'mybox/taken.txt' }), `from ${name}`);
    assert.ok(await refused({ from: 'plain.txt', to: file, overwrite: true }), `to ${name}`);
  }
  for (const file of SECRETS) assert.equal(readFileSync(path.join(stage.root, file), 'utf8'), CANARY, file);
  assert.equal(readFileSync(path.join(stage.project, 'plain.txt'), 'utf8'), 'plain');
});

test('threat 32 control: with the guard off a move takes the canary, and another replaces it', async (t) => {
  const run = await toolRunner('off');
  const stage = makeStage(t);
  await run('move_file', { from: '../secret.txt', to: 'taken.txt' }, contextOf(stage));
  assert.equal(readFileSync(path.join(stage.project, 'taken.txt'), 'utf8'), CANARY);
  writeFileSync(path.join(stage.project, 'plain.txt'), 'plain');
  await run('move_file', { from: 'plain.txt', to: '.env', overwrite: true }, contextOf(stage));
  assert.equal(readFileSync(path.join(stage.project, '.env'), 'utf8'), 'plain');
});

test('threat 32 blocked: deleting reaches no further than writing', async (t) => {
  const stage = makeStage(t);
  const context = contextOf(stage);
  for (const [, probe] of PROBES) await refusalOf(() => runTool('delete_file', { path: probe(stage) }, context));
  for (const file of SECRETS) assert.equal(readFileSync(path.join(stage.root, file), 'utf8'), CANARY, file);
});

test('threat 32 control: with the guard off every probe reads its canary, and writes over it', async (t) => {
  const run = await toolRunner('off');
  for (const [name, probe] of PROBES) {
    const stage = makeStage(t);
    assert.equal((await run('read_file', { path: probe(stage) }, contextOf(stage))).content, CANARY, name);
  }
  const stage = makeStage(t);
  await run('write_file', { path: '../secret.txt', content: 'overwritten' }, contextOf(stage));
  assert.equal(readFileSync(stage.secret, 'utf8'), 'overwritten');
});

for (const level of ['S3', 'S2', 'S1'] as const satisfies readonly Level[]) {
  test(`threat 32 blocked: the same probes from a process in the sandbox at ${level}`, async (t) => {
    const read = await readInSandbox(t, level);
    if (read) assert.deepEqual(read, { leaked: [], control: 'plain' });
  });
}

test('threat 32 control: without a sandbox the same process reads every canary', async (t) => {
  const read = await readInSandbox(t, 'S0');
  if (!read) return;
  assert.deepEqual(
    read.leaked,
    PROBES.map(([name]) => name),
  );
});

test('threat 32 blocked: a folder exchanged for a link while files are written leads nowhere', async (t) => {
  assert.deepEqual(await raceForFolder(t, 'descriptor'), { inside: true, outside: false });
});

test('threat 32 control: with the guard off the exchange leads out', async (t) => {
  assert.equal((await raceForFolder(t, 'off')).outside, true);
});

/** Spellings that some file system takes for a closed name; here they exist as names of their own. */
const SPELLINGS = ['.SSH/key', '.ſsh/key', '.Env', '.ENV.local', 'ID_RSA', '.AGENT/state.db', '.Git/config', '.env.'];

test('threat 53 blocked: another spelling of a closed path is closed', async (t) => {
  const stage = makeStage(t);
  writeFiles(stage.project, SPELLINGS);
  const context = contextOf(stage);
  for (const file of [...SPELLINGS, `/proc/self/cwd/${path.relative(process.cwd(), stage.secret)}`])
    assert.equal(await refusalOf(() => runTool('read_file', { path: file }, context)), 'PathBlocked', file);
});

test('threat 53 control: with the guard off the same spellings are read', async (t) => {
  const run = await toolRunner('off');
  const stage = makeStage(t);
  writeFiles(stage.project, SPELLINGS);
  for (const file of SPELLINGS)
    assert.equal((await run('read_file', { path: file }, contextOf(stage))).content, CANARY, file);
});

test('a plain file is read by its name, its absolute path and a link inside the project', async (t) => {
  const stage = makeStage(t);
  symlinkSync('src/plain.txt', path.join(stage.project, 'inside'));
  for (const guard of ['descriptor', 'path'] as const) {
    const run = await toolRunner(guard);
    for (const file of ['src/plain.txt', './src/plain.txt', `${stage.project}/src/plain.txt`, 'inside'])
      assert.equal((await run('read_file', { path: file }, contextOf(stage))).content, 'plain');
  }
});

const FLIPPER = `
  const fs = require('node:fs');
  const { workerData: { shared, place, link, parked } } = require('node:worker_threads');
  const counter = new Int32Array(shared);
  while (Atomics.load(counter, 1) === 0) {
    fs.renameSync(place, parked); fs.renameSync(link, place);
    fs.renameSync(place, link); fs.renameSync(parked, place);
    Atomics.add(counter, 0, 1);
  }`;

/** Edits again and again while another thread exchanges the folder; says where the edits arrived. */
async function raceForFolder(t: TestContext, guard: Guard) {
  const stage = makeStage(t);
  const { root, project } = stage;
  const run = await toolRunner(guard);
  const context = contextOf(stage);
  const [inside, outside] = [path.join(project, 'src'), path.join(root, 'outside')];
  for (const folder of [inside, outside]) writeFileSync(path.join(folder, 'race.txt'), 'old');
  const link = path.join(root, 'spare');
  symlinkSync(outside, link);
  const shared = new SharedArrayBuffer(8);
  const counter = new Int32Array(shared);
  const worker = new Worker(FLIPPER, {
    eval: true,
    workerData: { shared, place: inside, link, parked: `${root}/parked` },
  });
  const ended = new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  const seen = { done: 0, outside: false };
  const isDone = () => (guard === 'off' ? seen.outside : seen.done > 0 && Atomics.load(counter, 0) >= count(2000, 200));
  for (const deadline = Date.now() + 30_000; !isDone() && Date.now() < deadline; ) {
    const edits = [{ op: 'regex', pattern: '^\\w+', replacement: `new${seen.done}` }];
    const done = await run('write_file', { path: 'src/race.txt', edits }, context).catch(() => undefined);
    if (done) seen.done++;
    seen.outside = readFileSync(path.join(outside, 'race.txt'), 'utf8') !== 'old';
    await new Promise((resolve) => setImmediate(resolve));
  }
  Atomics.store(counter, 1, 1);
  await ended;
  return { inside: readFileSync(path.join(inside, 'race.txt'), 'utf8').startsWith('new'), outside: seen.outside };
}

function makeStage(t: TestContext): Stage {
  const root = temporaryFolder(t);
  const project = path.join(root, 'project');
  const stage = { root, project, secret: path.join(root, 'secret.txt'), cwd: process.cwd() };
  writeFiles(root, SECRETS);
  writeFileSync(path.join(project, 'src/plain.txt'), 'plain');
  for (const [link, target] of LINKS) symlinkSync(target(stage), path.join(project, link));
  return stage;
}

function writeFiles(folder: string, files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), CANARY);
  }
}

function contextOf({ root, project }: Stage): ToolContext {
  const places = placesAt(project, path.join(root, 'home'));
  return {
    project,
    outputFolder: path.join(project, 'mybox/output'),
    isOwnState: (file) => isOwnState(file, places),
    network: defaultNetworkPolicy,
  };
}

async function refusalOf(act: () => Promise<unknown>): Promise<string> {
  try {
    return `no refusal: ${JSON.stringify(await act())}`;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    assert.ok(!JSON.stringify([error.message, error.details]).includes(CANARY));
    return error.type;
  }
}

async function readInSandbox(t: TestContext, level: Level) {
  const sandbox = await sandboxAt(level, temporaryFolder(t), t);
  if (!sandbox) return undefined;
  const { project, ...rest } = makeStage(t);
  const stage = { ...rest, project, cwd: project };
  const work = workIn(temporaryFolder(t));
  const script = 'cat src/plain.txt; for file do echo; cat -- "$file" 2>/dev/null || echo none; done';
  const argv = ['/bin/sh', '-c', script, 'probe', ...PROBES.map(([, probe]) => probe(stage))];
  const view = {
    work,
    project: { folder: absolutePath(project), hide: findHiddenFiles(project), writable: false },
    readOnly: [],
    writable: [],
  };
  const launch = sandbox.prepare(orderOf({ argv, work }, { cwd: project, view }));
  const { stdout } = await runProcess(launch, { timeoutMs: 10_000 });
  const [control, ...answers] = Buffer.from(stdout).toString('utf8').split('\n');
  const leaked = PROBES.filter((_, index) => answers[index]?.includes(CANARY)).map(([name]) => name);
  return { leaked, control };
}
