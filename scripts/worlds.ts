// Runs what a tier changes once more at each tier, as root and as an ordinary user, and says which tests ran nowhere.
// worlds.ts [--equip] [--after FILE]: installs what is missing first; FILE holds the results of `npm test` before it, and
// what takes long then runs at the strongest tier, and where a tier changes it at the weakest.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isReadableByAll } from '../test/support/world/sandbox-support.ts';
import { type World, whyUnreachable, worldWords } from '../test/support/world/world.ts';
import { slowFiles } from './slow-files.ts';
import type { Result } from './test-results.ts';
import { equip } from './world-equip.ts';
import { filesOfTiers } from './world-files.ts';

const ORDINARY_USER = 12345;
/** What needs data that is not in the repository, belongs to `npm run test:long`, or is about devices and a second Python that no package brings. */
const NEEDS_MORE = /SKILLWRIGHT_(?:DATA|REAL)|in the long run only|\/dev\/kvm|one Python with pip/;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { equip: { type: 'boolean' }, after: { type: 'string' } } });

interface Run {
  readonly title: string;
  readonly seconds: number;
  readonly passed: boolean;
  readonly results: readonly Result[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'skillwright-worlds-'));
chmodSync(folder, 0o755);
try {
  process.exitCode = await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const before = values.after === undefined ? [] : readResults(values.after);
  // The whole run before this one was at that tier.
  const done = values.after === undefined ? undefined : tierFound();
  const lacking = values.equip ? equip(root) : [];
  for (const line of lacking) say(`could not be installed: ${line}`);
  const [first, ...others] = planned(before, done);
  const runs = first ? [await enter(first, showAtOnce), ...(await inLanes(others))] : [];
  show(runs);
  const nowhere = notRunAnywhere([...before, ...runs.flatMap(({ results }) => results)]);
  for (const line of nowhere) say(`not run: ${line}`);
  const isComplete = nowhere.length === 0 || lacking.length > 0 || !values.equip;
  return runs.every(({ passed }) => passed) && runs.length > 0 && isComplete ? 0 : 1;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Planned {
  readonly world: World;
  readonly title: string;
  readonly files: readonly string[];
}

/** The first has by far the most to do. */
function planned(before: readonly Result[], done: string | undefined): Planned[] {
  const { everywhere, travellers } = filesOfTiers(root);
  const slow = values.after === undefined ? new Set<string>() : slowFiles(root);
  const quick = everywhere.filter((file) => !slow.has(file));
  const untried = [...new Set(before.filter(({ notRun }) => notRun.length > 0).map(({ file }) => file))];
  const all = worlds();
  const found: Planned[] = [];
  for (const [index, world] of all.entries()) {
    const title = titleOf(world);
    const why = whyNot(world);
    if (why !== undefined) say(`not run: ${title}: ${why}`);
    const isDone = world.user === undefined && world.tier === done;
    // What was missing before is there now; once is enough.
    const atOnce = found.length > 0 ? [] : [...(isDone ? [] : travellers), ...untried, ...slow];
    const ofTiers = index === 0 || index === all.length - 1 ? everywhere : quick;
    const files = [...new Set([...(isDone ? [] : ofTiers), ...atOnce])];
    if (why === undefined && files.length > 0) found.push({ world, title, files });
  }
  return found;
}

function whyNot(world: World): string | undefined {
  if (world.user !== undefined && !isReadableByAll(root)) return 'others may not read this clone';
  return whyUnreachable(world);
}

/** The small ones wait for processes and clocks most of their time: the last, which has more to do, runs beside the others. */
async function inLanes(runs: readonly Planned[]): Promise<Run[]> {
  const oneByOne = async (lane: readonly Planned[]): Promise<Run[]> => {
    const ended: Run[] = [];
    for (const one of lane) ended.push(await enter(one, showAtEnd));
    return ended;
  };
  return (await Promise.all([oneByOne(runs.slice(0, -1)), oneByOne(runs.slice(-1))])).flat();
}

/** The strongest first. */
function worlds(): World[] {
  const tiers = ['S3', 'S2', 'S1'] as const;
  if (process.geteuid?.() !== 0) return tiers.map((tier) => ({ tier }));
  const passwd = path.join(folder, 'passwd');
  const line = `skillwright-test:x:${ORDINARY_USER}:${ORDINARY_USER}::${folder}:/bin/sh\n`;
  writeFileSync(passwd, `${readFileSync('/etc/passwd', 'utf8').trimEnd()}\n${line}`, { mode: 0o644 });
  return [...tiers.map((tier) => ({ tier })), ...tiers.map((tier) => ({ tier, user: ORDINARY_USER, passwd }))];
}

function tierFound(): string | undefined {
  const words = [path.join(root, 'src/bin.ts'), 'doctor', '--json'];
  const env = { ...process.env, HOME: folder };
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
  return JSON.parse(stdout).data?.sandbox?.tier;
}

function titleOf({ tier, user }: World): string {
  return `${tier} as ${user === undefined && process.geteuid?.() === 0 ? 'root' : 'an ordinary user'}`;
}

async function enter({ world, title, files }: Planned, show: (child: Child) => () => void): Promise<Run> {
  say(`tests on tier ${title}`);
  const home = path.join(folder, title.replaceAll(' ', '-'));
  mkdirSync(home);
  if (world.user !== undefined) chownSync(home, world.user, world.user);
  const report = path.join(home, 'results.json');
  const [program = '', ...words] = worldWords(world);
  const startedAt = performance.now();
  const test = [process.execPath, path.join(root, 'scripts/test.ts'), '--results', report, ...files];
  const child = spawn(program, [...words, ...test], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home },
  });
  const showRest = show(child);
  const [status] = (await once(child, 'close')) as [number | null];
  showRest();
  const seconds = (performance.now() - startedAt) / 1000;
  return { title, seconds, passed: status === 0, results: existsSync(report) ? readResults(report) : [] };
}

function showAtOnce({ stdout, stderr }: Child): () => void {
  for (const stream of [stdout, stderr]) stream.on('data', (bytes: Buffer) => process.stdout.write(bytes));
  return () => {};
}

/** Two worlds at once: what one says stays together. */
function showAtEnd({ stdout, stderr }: Child): () => void {
  const said: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream.on('data', (bytes: Buffer) => said.push(bytes));
  return () => process.stdout.write(Buffer.concat(said));
}

/** A test counts as run where it passed without leaving something out. */
function notRunAnywhere(results: readonly Result[]): string[] {
  const open = new Map<string, string>();
  const done = new Set<string>();
  for (const { file, name, state, notRun } of results) {
    const test = `${file}: ${name}`;
    if (state !== 'skipped' && notRun.length === 0) done.add(test);
    else open.set(test, notRun.join('; '));
  }
  const left = [...open].filter(([test, why]) => !done.has(test) && !NEEDS_MORE.test(why));
  return left.map(([test, why]) => `${test} (${why})`);
}

function show(runs: readonly Run[]): void {
  for (const { title, seconds, passed, results } of runs) {
    const count = (state: Result['state']) => results.filter((result) => result.state === state).length;
    const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
    say(`${passed ? '✔' : '✖'} tier ${title}: ${counts}, ${seconds.toFixed(0)} s`);
  }
}

function readResults(file: string): Result[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Result[];
}

function say(text: string): void {
  process.stdout.write(`worlds: ${text}\n`);
}
