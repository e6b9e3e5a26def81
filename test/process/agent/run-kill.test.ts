// Runs that are killed: the command line as a real process, SIGKILL at any instant, and what a resumed run makes of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRuns, verifyRun } from '../../../src/audit/run-archive.ts';
import { findRunFolder } from '../../../src/audit/run-folder.ts';
import { readRecords } from '../../../src/audit/verify.ts';
import { answer, makeWorld, readText, script, select, skillFile, type World } from '../../support/agent-support.ts';
import { type CliResult, commandLine, count, runCli } from '../../support/support.ts';

const LINES = 8;
const KILLS = count(50, 4);
const OUTPUT = 'mybox/output/lines.txt';
const SKILL = {
  ...skillFile('append'),
  '.agent/skills/append/scripts/add.sh': 'echo "$2" >> "$SKILL_OUTPUT_DIR/lines.txt"\n',
};
const STEPS = [
  select('append'),
  ...Array.from({ length: LINES }, (_, at) => script('append', 'add.sh', OUTPUT, `line ${at}`)),
  answer('all lines are written'),
];
const OPTIONS = ['--yes', '--json', '--budget', 'script_runs=20'];

test(`a run killed at ${KILLS} random instants is resumed without losing or repeating a line`, async (t) => {
  const whole = await timeOf(await prepare(t));
  let uncertain = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const world = prepare(t);
    const started = ['run', 'append them', '--model', 'mock:case.json', ...OPTIONS];
    const kills = [await runAndKill(world, started, Math.random() * whole)];
    // Some resumed runs are killed, too.
    if (kill % 3 === 0)
      kills.push(await runAndKill(world, ['run', '--resume', 'latest', ...OPTIONS], Math.random() * whole));
    if (await checkResumed(world, kills)) uncertain++;
  }
  t.diagnostic(`${KILLS} kills, ${uncertain} with one uncertain effect`);
});

test('Ctrl-C stops after what is under way, and the run can be resumed', async (t) => {
  const world = prepare(t);
  const child = start(world, ['run', 'append them', '--model', 'mock:case.json', ...OPTIONS]);
  await sightOf(() => existsSync(path.join(world.project, OUTPUT)));
  child.process.kill('SIGINT');
  const stopped = await child.ended;
  assert.equal(stopped.code, 4, stopped.stderr);
  const { data } = JSON.parse(stopped.stdout);
  const resumed = await runCli(['run', '--resume', data.run_id, ...OPTIONS], { cwd: world.project, home: world.home });
  assert.equal(resumed.code, 0, resumed.stdout);
  assert.deepEqual(linesOf(world), allLines());
});

function prepare(t: Parameters<typeof makeWorld>[0]): World {
  const world = makeWorld(t, SKILL);
  writeFileSync(path.join(world.project, 'case.json'), JSON.stringify(STEPS));
  return world;
}

/** Whether one effect stayed uncertain; everything else must be right. */
async function checkResumed(world: World, kills: readonly number[]): Promise<boolean> {
  const [run] = listRuns(world.project);
  const hasState = run && existsSync(path.join(run.folder, 'state.json'));
  if (!run || !hasState) {
    assert.deepEqual(linesOf(world), []);
    return false;
  }
  const broken = findBroken(world, run.id, kills);
  const isOver = readRecords(run.folder).some(({ type }) => type === 'run-end');
  if (!isOver) {
    const resumed = await runCli(['run', '--resume', run.id, ...OPTIONS], { cwd: world.project, home: world.home });
    const outcome = JSON.parse(resumed.stdout);
    assert.equal(outcome.data.answer, 'all lines are written', resumed.stdout);
    assert.equal((outcome.data.uncertain ?? []).length, broken.length, resumed.stdout);
    assert.equal(outcome.state, broken.length > 0 ? 'partial' : 'success');
    for (const { args } of outcome.data.uncertain ?? []) assert.ok(outcome.summary.includes(args.slice(0, 100)));
  }
  assert.equal(verifyRun(world.project, world.home, run.id).ok, true);
  const doubtful = new Set(broken);
  const sure = (lines: readonly string[]) => lines.filter((line) => !doubtful.has(line));
  assert.deepEqual(sure(linesOf(world)), sure(allLines()));
  for (const line of doubtful) assert.ok(linesOf(world).filter((one) => one === line).length <= 1, line);
  return broken.length > 0;
}

/** Lines whose effect was announced and never reported: only these may be in doubt, and only where a kill came next. */
function findBroken(world: World, id: string, kills: readonly number[]): string[] {
  const folder = findRunFolder(world.project, id);
  const records = readRecords(folder);
  const reported = new Set(records.flatMap((record) => (record.type === 'call-result' ? [record.call] : [])));
  return records.flatMap((record, at) => {
    if (record.type !== 'call-intent' || reported.has(record.call)) return [];
    const next = Date.parse(records[at + 1]?.ts ?? '') || Infinity;
    assert.ok(kills.some((kill) => Date.parse(record.ts) <= kill && kill <= next));
    const args = JSON.parse(readText(folder, record.args));
    return [String(args.args[1])];
  });
}

function allLines(): string[] {
  return Array.from({ length: LINES }, (_, at) => `line ${at}`);
}

function linesOf(world: World): string[] {
  const file = path.join(world.project, OUTPUT);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

async function timeOf(world: World): Promise<number> {
  const startedAt = performance.now();
  const { code, stdout } = await start(world, ['run', 'append them', '--model', 'mock:case.json', ...OPTIONS]).ended;
  assert.equal(code, 0, stdout);
  assert.deepEqual(linesOf(world), allLines());
  return performance.now() - startedAt;
}

/** When it was killed; NaN when it had ended before. */
async function runAndKill(world: World, args: readonly string[], afterMs: number): Promise<number> {
  const child = start(world, args);
  const early = await Promise.race([sleep(afterMs, false), child.ended.then(() => true)]);
  if (!early) child.process.kill('SIGKILL');
  await child.ended;
  return early ? Number.NaN : Date.now();
}

function start(world: World, args: readonly string[]) {
  const child = spawn(process.execPath, [commandLine(), ...args], {
    cwd: world.project,
    env: { PATH: process.env.PATH ?? '', HOME: world.home },
  });
  const { promise: ended, resolve } = Promise.withResolvers<CliResult>();
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.on('close', (code) => resolve({ code, stdout, stderr }));
  return { process: child, ended };
}

async function sightOf(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2000 && !isThere(); tries++) await sleep(5);
  assert.ok(isThere());
}
