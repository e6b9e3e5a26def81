// Random file operations by scripts and by file tools, in the layer of a run and in a plain copy: the same tree,
// applied exactly, and undone to the last byte, mode and link.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findTrusted } from '../../../src/process/sandbox/host.ts';
import { answer, script, select, tool } from '../../support/agent-support.ts';
import { skillFiles } from '../../support/door-support.ts';
import { count, randomSeed, repository } from '../../support/support.ts';
import { anyStep, assertSameTree, type FileStep, plainName, takeStep } from '../../support/workspace/file-step.ts';
import { type EnteredProject, enterWorld, type NamedWorld, worldsHere } from '../../support/world/enter.ts';
import { ORDINARY_USER } from '../../support/world/sandbox-support.ts';
import { worldWords } from '../../support/world/world.ts';

/** Sequences that one run works on, each in a folder of its own. */
const AT_ONCE = 50;
const PARTS = 3;

const SCRIPT = readFileSync(path.join(repository, 'test/support/workspace/steps.py'), 'utf8');
const FILES = skillFiles('step', 'name: step\ndescription: Takes steps.', { 'scripts/steps.py': SCRIPT });

const anySteps = fc.array(anyStep, { maxLength: 14 });

/** Two names of one file in the project are two files in an overlay once one of them is written: declared. */
interface Sequence {
  readonly before: readonly FileStep[];
  readonly parts: readonly (readonly FileStep[])[];
  /** What a file tool does after each part. */
  readonly tools: readonly { readonly does: 'write' | 'make' | 'delete' | 'move'; readonly which: number }[];
}
const anySequence: fc.Arbitrary<Sequence> = fc.record({
  before: anySteps.map((steps) => steps.filter(({ op }) => op !== 'link')),
  parts: fc.array(anySteps, { minLength: PARTS, maxLength: PARTS }),
  tools: fc.array(
    fc.record({
      does: fc.constantFrom('write', 'make', 'delete', 'move'),
      which: fc.nat(),
    }),
    { minLength: PARTS, maxLength: PARTS },
  ),
});

for (const world of worldsHere())
  test(`${world.title}: what scripts and file tools do in a layer is what is done in a plain copy, applied and undone exactly`, async (t) => {
    const seed = randomSeed();
    const rounds = count(world.tier === 'S1' ? 8 : 40, 1);
    for (let round = 0; round < rounds; round++) {
      const entered = enterWorld(t, world, FILES);
      if (!entered) return;
      const sampled = fc.sample(anySequence, { seed: seed + round, numRuns: count(AT_ONCE, 8) });
      const sequences = world.tier === 'S1' ? sampled.map(withoutModes) : sampled;
      await compare(entered, world, sequences).catch((error: Error) => {
        throw new Error(`seed: ${seed + round}\n${error.message}`, { cause: error });
      });
      removeWhole(path.dirname(entered.project));
      mkdirSync(path.dirname(entered.project));
    }
    t.diagnostic(`${rounds * count(AT_ONCE, 8)} sequences, seed: ${seed}`);
  });

/** Where no namespace separates a call from the user's own files it changes no mode: declared. */
function withoutModes({ parts, ...rest }: Sequence): Sequence {
  return { ...rest, parts: parts.map((part) => part.filter(({ op }) => op !== 'chmod')) };
}

async function compare({ project, run }: EnteredProject, world: NamedWorld, sequences: readonly Sequence[]) {
  const place = path.dirname(project);
  const [plain, original] = [path.join(place, 'plain'), path.join(place, 'original')];
  plantBefore(project, sequences, world);
  for (const copy of [plain, original]) execFileSync('cp', ['-a', project, copy]);
  const answers = [select('step'), ...partsOf(plain, world, sequences), answer('done')];
  writeFileSync(path.join(place, 'case.json'), JSON.stringify(answers));
  writeFileSync(path.join(place, 'home/.agent/config.json'), JSON.stringify(BUDGETS));
  const words = ['run', 'do it', '--model', `mock:${path.join(place, 'case.json')}`, '--json', '--yes'];
  const waits = await run([...words, '--apply', 'never']);
  assert.equal(waits.code, 0, waits.stdout + waits.stderr);
  for (const folder of foldersOf(sequences)) assertSameTree(original, project, folder);
  const applied = await run(['runs', 'apply', 'latest', '--json']);
  assert.equal(applied.code, 0, applied.stdout + applied.stderr);
  for (const folder of foldersOf(sequences)) assertSameTree(plain, project, folder);
  const undone = await run(['runs', 'undo', 'latest', '--json']);
  assert.equal(undone.code, 0, undone.stdout + undone.stderr);
  for (const folder of foldersOf(sequences)) assertSameTree(original, project, folder);
}

const BUDGETS = { budgets: { turns: 500, tool_calls: 500, script_runs: 100, tokens: 1e9, seconds: 3600 } };

const foldersOf = (sequences: readonly Sequence[]) => sequences.map((_, index) => `s${index}`);

function plantBefore(project: string, sequences: readonly Sequence[], { user }: NamedWorld): void {
  const steps: Record<string, readonly (readonly object[])[]> = {};
  for (const [index, { before, parts }] of sequences.entries()) {
    const folder = path.join(project, `s${index}`);
    mkdirSync(folder);
    for (const step of before) takeStep(folder, step);
    steps[`s${index}`] = parts.map((part) => part.map((step) => ({ ...step, target: plainName(step.text) })));
  }
  writeFileSync(path.join(project, 'steps.json'), JSON.stringify(steps));
  const home = path.join(path.dirname(project), 'home/.agent');
  mkdirSync(home, { recursive: true });
  if (user !== undefined) execFileSync('chown', ['-hR', `${user}:${user}`, project, path.dirname(home)]);
}

/** Does each part in the plain copy, and says what a model has to ask for to have the same done in its layer. */
function partsOf(plain: string, world: NamedWorld, sequences: readonly Sequence[]): object[] {
  // As root a call is nobody, to whom the project belongs: modes count for it.
  const user = world.user ?? (process.geteuid?.() === 0 ? ORDINARY_USER : undefined);
  const [program = '', ...rest] = worldWords({ tier: 'S3', ...(user !== undefined && { user }) });
  const give = () => user !== undefined && execFileSync('chown', ['-hR', `${user}:${user}`, plain]);
  return Array.from({ length: PARTS }, (_, part) => {
    give();
    const words = [PYTHON, path.join(plain, '.claude/skills/step/scripts/steps.py'), 'steps.json', String(part)];
    execFileSync(program, [...rest, ...words], { cwd: plain, env: { PATH: '/usr/bin:/bin' } });
    const used = sequences.flatMap(({ tools }, index) => {
      const wish = tools[part];
      return wish ? byTool(plain, `s${index}`, wish, part) : [];
    });
    return [script('step', 'steps.py', 'steps.json', String(part)), ...used];
  }).flat();
}

const PYTHON = findTrusted('python3') ?? 'python3';

function byTool(plain: string, folder: string, { does, which }: Sequence['tools'][number], part: number): object[] {
  const files = plainFiles(plain, folder);
  const file = files[which % files.length];
  const fresh = `${folder}/made-${part}/by/tool.txt`;
  if (does === 'make' && (lstatSync(path.join(plain, folder)).mode & 0o200) !== 0) {
    put(plain, fresh, 'made\n');
    return [tool('write_file', { path: fresh, content: 'made\n' })];
  }
  if (file === undefined || does === 'make') return [];
  const at = path.join(plain, file);
  if (does === 'write') {
    writeFileSync(at, `written ${part}\n`);
    return [tool('write_file', { path: file, content: `written ${part}\n` })];
  }
  if (does === 'delete') {
    rmSync(at);
    return [tool('delete_file', { path: file })];
  }
  const to = path.join(path.dirname(file), `moved-${part}`);
  if (existsSync(path.join(plain, to))) return [];
  renameSync(at, path.join(plain, to));
  return [tool('move_file', { from: file, to })];
}

function put(plain: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(plain, file)), { recursive: true });
  writeFileSync(path.join(plain, file), text);
}

/** Plain files with one name, that their owner may write, in folders that may be written. */
function plainFiles(plain: string, folder: string): string[] {
  const { mode } = lstatSync(path.join(plain, folder));
  if ((mode & 0o200) === 0) return [];
  return readdirSync(path.join(plain, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const below = path.join(folder, entry.name);
      if (entry.isDirectory()) return plainFiles(plain, below);
      const stats = lstatSync(path.join(plain, below));
      return entry.isFile() && stats.nlink === 1 && (stats.mode & 0o200) !== 0 ? [below] : [];
    });
}

/** Also what its owner may not change. */
function removeWhole(folder: string): void {
  execFileSync('chmod', ['-R', 'u+rwx', folder]);
  rmSync(folder, { recursive: true });
}
