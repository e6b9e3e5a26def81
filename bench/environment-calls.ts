// Calls in a prepared environment and without one, and the preparation beside pip alone, interleaved; prints its figures as JSON.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenDoor, openDoor } from '../src/app/open-door.ts';
import { createRuntime } from '../src/app/runtime.ts';
import { removeTree } from '../src/base/files.ts';
import { perform } from '../src/door/perform.ts';
import { listenIndex } from '../test/support/environment/package-index.ts';
import { wheel } from '../test/support/environment/packages.ts';

const [root = '', counted = '10'] = process.argv.slice(2);
const rounds = Number(counted);
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-environment-'));
const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
const cli = path.join(root, 'dist', 'cli.cjs');
const names = Array.from({ length: 20 }, (_, at) => `small-${at}`);
const wheels = names.map((name) => wheel({ name, version: '1.0' }));
const index = await listenIndex({ wheels });

try {
  plant('bare', '', 'print(1)\n');
  plant('uses', names.join('\n'), 'print(1)\n');
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent/config.json'), index.settings());
  const figures = {
    pip: [] as number[],
    anew: [] as number[],
    first: [] as number[],
    second: [] as number[],
    list: [] as number[],
  };
  for (let round = -1; round < rounds; round++) {
    const venv = await makeVenv(round);
    removeTree(path.join(project, '.agent/environments.lock.json'));
    const pip = await timed(() => plainPip(venv));
    const anew = await timed(() => sw('prepare', 'uses', '--yes'));
    await sw('environments', 'prune', '--days', '0');
    const taken = {
      ...{ pip, anew },
      first: await timed(() => sw('prepare', 'uses', '--yes')),
      second: await timed(() => sw('prepare', 'uses', '--yes')),
      list: await timed(() => sw('list')),
    };
    if (round >= 0)
      for (const key of ['pip', 'anew', 'first', 'second', 'list'] as const) figures[key].push(taken[key]);
    if (round < rounds - 1) await sw('environments', 'prune', '--days', '0');
  }
  process.stdout.write(JSON.stringify({ ...figures, ...(await measureCalls()) }));
} finally {
  index.close();
  removeTree(folder);
}

function plant(name: string, requirements: string, script: string): void {
  const skill = path.join(project, '.agent/skills', name);
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  writeFileSync(path.join(skill, 'SKILL.md'), `---\nname: ${name}\ndescription: Measured.\n---\n# ${name}\n`);
  writeFileSync(path.join(skill, 'scripts/run.py'), script);
  if (requirements !== '') writeFileSync(path.join(skill, 'requirements.txt'), `${requirements}\n`);
}

/** Not timed: people have one already. */
async function makeVenv(round: number): Promise<string> {
  const venv = path.join(folder, `venv-${round}`);
  await run('python3', ['-m', 'venv', venv]);
  return venv;
}

async function plainPip(venv: string): Promise<void> {
  const words = ['-m', 'pip', 'install', '-q', '--index-url', index.python, '--no-cache-dir', ...names];
  await run(path.join(venv, 'bin/python3'), words);
}

function sw(...words: string[]): Promise<void> {
  return run(process.execPath, [cli, ...words]);
}

function run(program: string, words: readonly string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const child = spawn(program, words, { cwd: project, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.on('error', reject);
  child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${words.join(' ')}: ${said}`))));
  return promise;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function measureCalls() {
  const times = { without: [] as number[], within: [] as number[] };
  const runtime = await createRuntime({ project, home, env: { PATH: process.env.PATH, HOME: home } });
  for (let round = -2; round < Math.max(rounds, 20); round++) {
    const taken = { without: await call('bare', runtime), within: await call('uses', runtime) };
    if (round >= 0) for (const key of ['without', 'within'] as const) times[key].push(taken[key]);
  }
  return times;
}

async function call(skill: string, runtime: Awaited<ReturnType<typeof createRuntime>>): Promise<number> {
  using door: OpenDoor = openDoor(runtime, { kind: 'bench', request: 'bench', version: '0', yes: true });
  return await timed(async () => {
    const words = { kind: 'run_script', skill, script: 'scripts/run.py', args: [], context: door.context } as const;
    const outcome = await perform(words, door);
    if (outcome.state !== 'success') throw new Error(outcome.summary);
  });
}
