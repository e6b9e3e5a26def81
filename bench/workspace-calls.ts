// Calls that work in a layer, in one process and interleaved: the same script in projects of different sizes, beside a
// bare spawn of it; and what applying a thousand changed files takes, beside a plain copy of them.
// Started by suite-workspace.ts, once as the caller and once as an ordinary user; prints its figures as JSON.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRuntime, type Runtime } from '../src/app/runtime.ts';
import { execScript } from '../src/app/skill/exec.ts';
import { removeTree } from '../src/base/files.ts';
import { openSandbox, type Sandbox } from '../src/process/sandbox/sandbox.ts';
import { changeSetOf, type FileChange } from '../src/workspace/change.ts';
import { entryAt } from '../src/workspace/entry.ts';
import { openJournals } from '../src/workspace/transaction/journal.ts';
import { transact } from '../src/workspace/transaction/transaction.ts';

export interface WorkspaceFigures {
  readonly tiers: Readonly<Record<string, TierFigures>>;
  readonly apply: number[];
  readonly copy: number[];
}

export interface TierFigures {
  /** The script by itself. */
  readonly bare: number[];
  /** By `exec`, in a layer, by the size of the project. */
  readonly empty: number[];
  readonly small: number[];
  /** Absent where such a project is refused. */
  readonly large?: number[];
}

const SMALL = 10_000;
const LARGE = 200_000;
const FILES_IN_FOLDER = 80;
const APPLIED = 1_000;
const TIERS = ['S3', 'S2', 'S1'] as const;
/** A copy of a project takes seconds. */
const COPY_ROUNDS = 3;
/** Folders that have just been made are looked through anew each time. */
const SETTLE_MS = 2_500;

const rounds = Number(process.argv[2] ?? '20');
const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-layers-'));

try {
  const projects = { empty: plantProject('empty', 0), small: plantProject('small', SMALL) };
  const large = plantProject('large', LARGE);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const tiers: Record<string, TierFigures> = {};
  for (const tier of TIERS) {
    const sandbox = await openSandbox({ cacheFolder: path.join(folder, 'cache', tier), tier });
    if (sandbox.tier !== tier) continue;
    tiers[tier] = await measureTier(sandbox, tier === 'S1' ? projects : { ...projects, large });
  }
  process.stdout.write(JSON.stringify({ tiers, ...measureApply() }));
} finally {
  // Snapshots are read-only, so that an ordinary user cannot just remove them.
  removeTree(folder);
}

async function measureTier(sandbox: Sandbox, projects: Readonly<Record<string, string>>): Promise<TierFigures> {
  const count = sandbox.layers ? rounds : COPY_ROUNDS;
  const runtimes = await Promise.all(
    Object.entries(projects).map(async ([size, project]) => [size, await runtimeAt(project, sandbox)] as const),
  );
  const times: Record<keyof TierFigures, number[]> = { bare: [], empty: [], small: [], large: [] };
  for (let round = sandbox.layers ? -2 : 0; round < count; round++) {
    for (const [size, runtime] of runtimes) {
      if (size === 'empty') await timed(times, 'bare', round, () => runBare(runtime));
      await timed(times, size, round, () => exec(runtime));
    }
  }
  const { large, ...others } = times;
  return large.length > 0 ? times : others;
}

async function runtimeAt(project: string, sandbox: Sandbox): Promise<Runtime> {
  const home = path.join(folder, 'home');
  const runtime = await createRuntime({ project, home, env: process.env, language: 'en' });
  return { ...runtime, sandbox: async () => sandbox };
}

async function exec(runtime: Runtime): Promise<void> {
  const order = { skill: 'noop', script: 'scripts/noop.sh', args: [], stdin: '', text: 'noop', apply: 'ask' } as const;
  const { outcome } = await execScript(order, runtime, { yes: true });
  if (outcome.state !== 'success') throw new Error(outcome.summary);
}

function runBare({ project }: Runtime): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const script = path.join(project, '.claude', 'skills', 'noop', 'scripts', 'noop.sh');
  const child = spawn('/bin/sh', [script], { cwd: project, stdio: 'ignore' });
  child.on('error', reject);
  child.on('close', () => resolve());
  return promise;
}

async function timed(times: Record<string, number[]>, name: string, round: number, work: () => Promise<void>) {
  const startedAt = performance.now();
  await work();
  if (round >= 0) times[name]?.push(performance.now() - startedAt);
}

function plantProject(name: string, files: number): string {
  const project = path.join(folder, name);
  const skill = path.join(project, '.claude', 'skills', 'noop');
  mkdirSync(path.join(skill, 'scripts'), { recursive: true });
  mkdirSync(path.join(project, '.agent'));
  mkdirSync(path.join(folder, 'home'), { recursive: true });
  writeFileSync(path.join(skill, 'SKILL.md'), '---\nname: noop\ndescription: Does nothing.\n---\n# Nothing\n');
  writeFileSync(path.join(skill, 'scripts', 'noop.sh'), 'exit 0\n');
  writeFileSync(path.join(project, '.env'), 'TOKEN=1\n');
  for (let number = 0; number < files; number++) {
    const at = path.join(
      project,
      `part-${Math.floor(number / FILES_IN_FOLDER / 50)}`,
      String(Math.floor(number / FILES_IN_FOLDER)),
    );
    if (number % FILES_IN_FOLDER === 0) mkdirSync(at, { recursive: true });
    writeFileSync(path.join(at, `file-${number}.txt`), '');
  }
  return project;
}

/** What a transaction takes once a yes was given: content is staged, flushed, and gets its names. */
function measureApply(): { apply: number[]; copy: number[] } {
  const [apply, copy]: [number[], number[]] = [[], []];
  for (let round = -1; round < Math.min(rounds, 10); round++) {
    const place = mkdtempSync(path.join(folder, 'apply-'));
    const [project, layer] = ['project', 'layer'].map((name) => path.join(place, name)) as [string, string];
    for (const [at, text] of [
      [project, 'old'],
      [layer, 'new'],
    ] as const)
      plantChanged(at, text);
    const copied = clock(() => execFileSync('cp', ['-a', layer, path.join(place, 'copied')]));
    const changes = Array.from(
      { length: APPLIED },
      (_, number): FileChange => changeOf(nameOf(number), project, layer),
    );
    const plan = {
      ...({ kind: 'apply', project, run: 'bench', of: undefined, now: Date.now() + round } as const),
      changes: changeSetOf(changes).changes,
      content: ({ path: below }: FileChange) => path.join(layer, below),
    };
    const journals = openJournals(path.join(folder, 'home'), path.join(place, 'journals'));
    const applied = clock(() => transact(plan, journals));
    if (round >= 0) {
      copy.push(copied);
      apply.push(applied);
    }
    rmSync(place, { recursive: true });
  }
  return { apply, copy };
}

function plantChanged(at: string, text: string): void {
  for (let number = 0; number < APPLIED; number++) {
    if (number % 50 === 0) mkdirSync(path.dirname(path.join(at, nameOf(number))), { recursive: true });
    writeFileSync(path.join(at, nameOf(number)), `${text} ${number}\n`.repeat(400));
  }
}

function nameOf(number: number): string {
  return `src/part-${Math.floor(number / 50)}/file-${number}.txt`;
}

function changeOf(name: string, project: string, layer: string): FileChange {
  const [before, after] = [entryAt(path.join(project, name)), entryAt(path.join(layer, name))];
  return { path: name, ...(before && { before }), ...(after && { after }) };
}

function clock(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
