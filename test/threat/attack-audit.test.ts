// Attacks on the record of runs, by somebody who can write into the project and not under home; each with a control
// that runs the same attack against the source without its guard.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer, makeWorld, script, select, skillFile, tool, type World } from '../support/agent-support.ts';
import type { Change } from '../support/changed/changed-source.ts';
import { runCli } from '../support/support.ts';

const NOTES = Array.from({ length: 8 }, (_, at) => `notes-${at}.txt`);
const STEPS = [
  select('failing'),
  script('failing', 'fail.sh'),
  ...NOTES.map((name) => tool('read_file', { path: name })),
  answer('done'),
];
const FILES = {
  ...skillFile('failing'),
  '.agent/skills/failing/scripts/fail.sh': 'echo no; exit 9\n',
  ...Object.fromEntries(NOTES.map((name) => [name, `what stands in ${name}\n`])),
};
const RUN = ['run', 'do it', '--model', 'mock:case.json', '--yes', '--json'];
const CHAIN = 'src/audit/chain.ts';
const LOG = 'src/audit/log.ts';
const VERIFY = 'src/audit/verify.ts';

type Line = Record<string, unknown> & { type: string };

function prepare(t: TestContext): World {
  return makeWorld(t, { ...FILES, 'case.json': JSON.stringify(STEPS) });
}

function cli({ project, home }: World, args: readonly string[], ...change: Change[]) {
  return runCli(args, { cwd: project, home, change });
}

async function verify(world: World, ...change: Change[]) {
  const { code, stdout } = await cli(world, ['runs', 'verify', '--json'], ...change);
  const { data } = JSON.parse(stdout);
  return { code, why: String(data.why), pruned: data.runs[0]?.pruned };
}

/** The folder of the only run. */
function runOf({ project }: World): string {
  const runs = path.join(project, '.agent', 'runs');
  const [id = '', ...more] = readdirSync(runs).filter((name) => !name.startsWith('.'));
  assert.deepEqual(more, []);
  return path.join(runs, id);
}

/** Dies by SIGKILL at the sixth file that was read: the script before it has failed, and reads need no durable line. */
const DIES: Change = {
  file: LOG,
  from: 'return recorded;',
  to: `if (event.type === 'call-result' && event.tool === 'read_file' && recorded.seq >= ${STEPS.length + 20})
        process.kill(process.pid, 'SIGKILL');
      return recorded;`,
};

/** As version 0.1.0 did it: a head at durable lines only, and no seal of the lines. */
const SEALS_SELDOM: Change = {
  file: CHAIN,
  from: 'head.write({ ...fixed, events, hash, flushed, ended: isEnd',
  to: 'if (isDurable) head.write({ ...fixed, events, hash, flushed, ended: isEnd',
};
const ASKS_NO_SEAL: Change = {
  file: VERIFY,
  from: 'if (key && unsealJson(line, key) === undefined)',
  to: 'if (false)',
};

async function runAndDie(world: World, ...change: Change[]): Promise<Line[]> {
  const { code } = await cli(world, RUN, DIES, ...change);
  assert.equal(code, null, 'it was killed');
  const text = readFileSync(path.join(runOf(world), 'events.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Whoever has no key can still number the lines anew and bind each to the one before. */
function relink(world: World, lines: readonly Line[]): void {
  let prev = String(lines[0]?.prev);
  const linked = lines.map((line, seq) => {
    const text = JSON.stringify({ ...line, seq, prev });
    prev = createHash('sha256').update(text).digest('hex');
    return text;
  });
  writeFileSync(path.join(runOf(world), 'events.jsonl'), `${linked.join('\n')}\n`);
}

/** The failed script becomes a success, and two of the files read after it were never read. */
function beautify(lines: readonly Line[]): Line[] {
  const failed = lines.findIndex(({ type, exit }) => type === 'call-result' && exit === 9);
  assert.ok(failed > 0, 'the script failed');
  const reads = lines.flatMap((line, at) => (line.tool === 'read_file' && at > failed ? [line.call] : []));
  const unseen = new Set(reads.slice(0, 2));
  return lines
    .map((line, at) => (at === failed ? { ...line, exit: 0, state: 'success' } : line))
    .filter(({ call }) => call === undefined || !unseen.has(call));
}

test('attack 10 threat 99 blocked: the record of a killed run can be neither rewritten nor cut without the key', async (t) => {
  const world = prepare(t);
  const lines = await runAndDie(world);
  const file = path.join(runOf(world), 'events.jsonl');
  const honest = readFileSync(file, 'utf8');
  const whole = await verify(world);
  assert.deepEqual([whole.code, lines.length > 25], [0, true]);
  relink(world, beautify(lines));
  assert.deepEqual((await verify(world)).why, 'its seal is not ours');
  relink(world, lines.with(-1, { ...lines.at(-1), type: 'call-result', exit: 0 }));
  assert.equal((await verify(world)).why, 'its seal is not ours', 'the very last line');
  relink(world, [...lines, ...lines.filter(({ type }) => type === 'observation').slice(-1)]);
  assert.equal((await verify(world)).why, 'its seal is not ours', 'one line more');
  for (const gone of [1, 5, 20]) {
    writeFileSync(
      file,
      honest
        .split('\n')
        .slice(0, -1 - gone)
        .join('\n')
        .concat('\n'),
    );
    const cut = await verify(world);
    assert.deepEqual([cut.code, cut.why], [1, 'the end is missing'], `${gone} lines cut off`);
  }
  writeFileSync(file, honest);
  assert.equal((await verify(world)).code, 0);
});

test('attack 10 threat 99 control: with a head at durable lines alone the same run is rewritten and cut unnoticed', async (t) => {
  const world = prepare(t);
  const lines = await runAndDie(world, SEALS_SELDOM);
  relink(world, beautify(lines));
  assert.equal((await verify(world, ASKS_NO_SEAL)).code, 0);
  relink(world, beautify(lines).slice(0, -5));
  assert.equal((await verify(world, ASKS_NO_SEAL)).code, 0);
});

test('attack 10: a killed run goes on, and what it lost in a power cut is told and recorded', async (t) => {
  const world = prepare(t);
  await runAndDie(world);
  const file = path.join(runOf(world), 'events.jsonl');
  const text = readFileSync(file, 'utf8');
  const start: Change = {
    file: VERIFY,
    from: "readTextIfThere('/proc/sys/kernel/random/boot_id')?.trim()",
    to: "'later'",
  };
  writeFileSync(file, text.split('\n').slice(0, -3).join('\n').concat('\n'));
  assert.match((await verify(world, start)).why, /last 2 events are missing: cut off, or lost in a power cut/);
  const resume = ['run', '--resume', 'latest', '--yes', '--json'];
  assert.notEqual((await cli(world, resume)).code, 0, 'without a new start of the machine it was no power cut');
  const resumed = await cli(world, resume, start);
  assert.equal(resumed.code, 0, resumed.stdout);
  assert.match(readFileSync(file, 'utf8'), /"type":"run-resumed","torn":false,"lost":2,/);
  assert.equal((await verify(world)).code, 0);
});

test('attack 19 threat 99 blocked: texts that somebody deleted are missed; only what was pruned counts as pruned', async (t) => {
  const world = prepare(t);
  assert.equal((await cli(world, RUN)).code, 0);
  const observations = path.join(runOf(world), 'observations');
  const kept = `${observations}-kept`;
  renameSync(observations, kept);
  const missed = await verify(world);
  assert.deepEqual([missed.code, missed.why], [1, 'observations/00001.txt is missing, and no pruning is recorded']);
  rmSync(kept, { recursive: true });
  mkdirSync(observations);
  assert.equal((await verify(world)).code, 1, 'an empty folder in its place');
});

test('attack 19 threat 99 control: where every missing text counts as pruned, deleting them goes unnoticed', async (t) => {
  const world = prepare(t);
  await cli(world, RUN);
  rmSync(path.join(runOf(world), 'observations'), { recursive: true });
  const believes = { file: 'src/audit/run-archive.ts', from: 'recorded.has(file) || sealedFrom > 0', to: 'true' };
  const { code, pruned } = await verify(world, believes);
  assert.deepEqual([code, pruned > 0], [0, true]);
});

test('attack 19: what runs prune took is pruned and verifies, and a note that somebody wrote is none', async (t) => {
  const world = prepare(t);
  mkdirSync(path.join(world.home, '.agent'), { recursive: true });
  writeFileSync(path.join(world.home, '.agent', 'config.json'), '{"retention":{"observations_days":0}}');
  await cli(world, RUN);
  const pruned = await cli(world, ['runs', 'prune', '--json']);
  assert.equal(JSON.parse(pruned.stdout).data.emptied.length, 1, pruned.stdout);
  const found = await verify(world);
  assert.deepEqual([found.code, found.pruned > 0], [0, true]);
  const register = path.join(world.home, '.agent', 'run-register');
  const [note = ''] = readdirSync(register, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.pruned$/.test(name),
  );
  const text = readFileSync(path.join(register, note), 'utf8');
  writeFileSync(path.join(register, note), text.replace('00001', '00002'));
  assert.equal((await verify(world)).code, 1);
});

const ANY_PROJECT: Change = { file: VERIFY, from: 'if (!isOfProject(head, place))', to: 'if (false)' };

/** The run of one project, put into another one of the same user. */
async function transplant(t: TestContext): Promise<World> {
  const world = prepare(t);
  await cli(world, RUN);
  const other = { ...world, project: path.join(path.dirname(world.project), 'other') };
  cpSync(runOf(world), path.join(other.project, '.agent', 'runs', path.basename(runOf(world))), { recursive: true });
  return other;
}

test('attack 19 threat 99 blocked: the run of another project of the same user does not verify here', async (t) => {
  const other = await transplant(t);
  const { code, why } = await verify(other);
  assert.deepEqual([code, why], [1, 'it belongs to another project']);
  const shown = await cli(other, ['runs', 'show', 'latest', '--json']);
  assert.equal(shown.code, 1);
  const taken = await cli(other, ['runs', 'verify', '--moved-from', '../project', '--json']);
  assert.match(JSON.parse(taken.stdout).summary, /copied, not moved/);
});

test('attack 19 threat 99 control: where a head is bound to no project, it does', async (t) => {
  assert.equal((await verify(await transplant(t), ANY_PROJECT)).code, 0);
});

test('attack 19: a project that was moved keeps its runs; one that came to another disk says where it was', async (t) => {
  const world = prepare(t);
  await cli(world, RUN);
  const moved = { ...world, project: `${world.project}-moved` };
  renameSync(world.project, moved.project);
  assert.equal((await verify(moved)).code, 0);
  const copied = { ...world, project: `${world.project}-copied` };
  cpSync(moved.project, copied.project, { recursive: true });
  rmSync(moved.project, { recursive: true });
  const lost = await cli(copied, ['runs', 'verify']);
  assert.equal(lost.code, 1);
  assert.match(lost.stdout + lost.stderr, /--moved-from/);
  assert.equal((await cli(copied, ['runs', 'verify', '--moved-from', '../nowhere'])).code !== 0, true);
  assert.equal((await cli(copied, ['runs', 'verify', '--moved-from', world.project])).code, 0);
  assert.equal((await verify(copied)).code, 0);
  rmSync(runOf(copied), { recursive: true });
  assert.equal((await verify(copied)).why, 'the whole record is gone', 'and they are missed here');
});

/** A killed run whose run.json says that all went well. */
async function embellish(t: TestContext): Promise<World> {
  const world = prepare(t);
  await runAndDie(world);
  const file = path.join(runOf(world), 'run.json');
  const summary = JSON.parse(readFileSync(file, 'utf8'));
  const lies = { outcome: 'success', output: 'all tests pass', request: 'something else', exit_codes: [0], tools: [] };
  writeFileSync(file, JSON.stringify({ ...summary, ...lies }));
  return world;
}

test('attack 10 blocked: of a killed run, runs show tells what the sealed events say, not its run.json', async (t) => {
  const { stdout } = await cli(await embellish(t), ['runs', 'show', 'latest', '--json']);
  const { run, verified } = JSON.parse(stdout).data;
  assert.equal(verified.ok, true);
  assert.deepEqual([run.outcome, run.output, run.request, run.exit_codes], ['running', null, 'do it', [9]]);
  assert.ok(run.tools.length >= 2);
});

test('attack 10 control: where run.json is believed, the lies are shown as verified', async (t) => {
  const believes = {
    file: 'src/app/record/show.ts',
    from: 'verified.ended ? run.summary : summarizeRecords(run, proven)',
    to: 'run.summary',
  };
  const { stdout } = await cli(await embellish(t), ['runs', 'show', 'latest', '--json'], believes);
  const { run, verified } = JSON.parse(stdout).data;
  assert.deepEqual([verified.ok, run.outcome, run.exit_codes], [true, 'success', [0]]);
});

test('runs prune says which runs somebody had removed before it forgets them', async (t) => {
  const world = prepare(t);
  await cli(world, RUN);
  const id = path.basename(runOf(world));
  rmSync(runOf(world), { recursive: true });
  const { stdout } = await cli(world, ['runs', 'prune', '--keep', '3', '--json']);
  assert.deepEqual(JSON.parse(stdout).data.vanished, [id]);
  assert.equal((await cli(world, ['runs', 'verify'])).code, 0);
});
