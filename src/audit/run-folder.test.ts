import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { sha256 } from '../base/ids.ts';
import { readKeptBytes } from './observation.ts';
import { findVanished, forgetRuns, listRuns, pruneRuns, readRun, verifyRun } from './run-archive.ts';
import { type RecordOptions, type RunFolder, resumeRun, startRun } from './run-folder.ts';

const start = Date.UTC(2026, 10, 15, 3, 20, 45);
const DAY = 24 * 60 * 60 * 1000;

function optionsFor(t: TestContext): RecordOptions {
  const root = realpathSync(temporaryFolder(t));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  const context = { request_id: 'req-1', agent_id: 'analyst', user_id: 'u1' };
  const clock = { now: () => start };
  return { project, home, clock, kind: 'run', request: 'convert notes.md', version: '0.1.0', context, tier: 'S3' };
}

function work(run: RunFolder, output: string): void {
  run.record({ type: 'skill-selected', skill: 'md', source: 'project', digest: 'd1' });
  run.record({ type: 'resource-loaded', skill: 'md', path: 'reference/x.md', sha256: 'h' });
  const args = run.keep('["a"]');
  run.record({ type: 'call-intent', call: 'c1', tool: 'run_script', args, network: false });
  const kept = run.keep(output);
  const result = { call: 'c1', tool: 'run_script', skill: 'md', state: 'success', exit: 0, duration_ms: 5 };
  run.record({ type: 'call-result', ...result, output: kept });
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

test('002-82 002-83 a run leaves .agent/runs/<time-id>/run.json with what was asked, used, run and said', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  work(run, 'all good');
  run.finish({ outcome: 'success', output: 'done', budget: { turns: 3 } });
  assert.match(run.id, /^20261115T032045Z-[0-9a-f]{6}$/);
  const file = path.join(options.project, '.agent', 'runs', run.id, 'run.json');
  const summary = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(summary.request, 'convert notes.md');
  assert.deepEqual(summary.skills, [{ skill: 'md', source: 'project', digest: 'd1' }]);
  assert.deepEqual(summary.resources, [{ skill: 'md', path: 'reference/x.md', sha256: 'h' }]);
  assert.deepEqual(
    summary.tools.map(({ tool, exit }: { tool: string; exit: number }) => [tool, exit]),
    [['run_script', 0]],
  );
  assert.deepEqual([summary.exit_codes, summary.output, summary.outcome], [[0], 'done', 'success']);
  assert.deepEqual([summary.request_id, summary.budget, summary.tier], ['req-1', { turns: 3 }, 'S3']);
  assert.deepEqual(verifyRun(options.project, options.home, run.id), {
    ok: true,
    events: 6,
    torn: false,
    ended: true,
    pruned: 0,
  });
  assert.deepEqual(
    listRuns(options.project).map(({ id }) => id),
    [run.id],
  );
  for (const kept of everyFile(run.folder)) assert.equal(statSync(kept).mode & 0o077, 0, kept);
});

test('secrets are in no file of a run', (t) => {
  const secret = 'canary-S3cret/value+1';
  const options = { ...optionsFor(t), request: `use ${secret}`, secrets: [{ name: 'TOKEN', value: secret }] };
  const run = startRun(options);
  work(run, `${secret}\n${Buffer.from(secret).toString('base64')}\nsk-${'a1'.repeat(20)}`);
  run.saveState({ note: secret });
  run.finish({ outcome: 'success', output: secret });
  const all = everyFile(run.folder)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  assert.doesNotMatch(all, /canary-S3cret|Y2FuYXJ5|sk-a1/);
  assert.ok(verifyRun(options.project, options.home, run.id).ok);
});

test('--private keeps no text at all and cannot be resumed', (t) => {
  const options = { ...optionsFor(t), private: true };
  const run = startRun(options);
  work(run, 'private words');
  run.saveState({ text: 'private words' });
  run.close('interrupted');
  const all = everyFile(run.folder)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  assert.doesNotMatch(all, /private words|convert notes/);
  assert.match(all, new RegExp(sha256('private words')));
  assert.throws(() => resumeRun(options, run.id), /no data/);
});

test('a large text is cut between two characters, and said so', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  const kept = run.keep(`a${'文'.repeat(600_000)}`);
  const fromBytes = run.keep(Buffer.from(`a${'文'.repeat(600_000)}`));
  run.record({ type: 'observation', text: kept });
  run.record({ type: 'observation', text: fromBytes });
  run.finish({ outcome: 'success' });
  assert.equal(kept.cut, true);
  assert.equal(kept.bytes, 1_800_001);
  const stored = readKeptBytes(run.folder, kept)?.toString('utf8') ?? '';
  assert.match(stored, /^a文+$/);
  assert.deepEqual([fromBytes.cut, fromBytes.bytes, fromBytes.sha256], [kept.cut, kept.bytes, kept.sha256]);
  assert.ok(verifyRun(options.project, options.home, run.id).ok);
});

test('a changed text or summary breaks the record, a pruned one does not', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  work(run, 'all good');
  run.finish({ outcome: 'success' });
  const verify = () => verifyRun(options.project, options.home, run.id);
  const texts = path.join(run.folder, 'observations', '00001.txt');
  const honest = readFileSync(texts, 'utf8');
  writeFileSync(texts, honest.replace('all good', 'all bad!'));
  assert.deepEqual([verify().ok, verify().broken_at], [false, 4]);
  writeFileSync(texts, honest.slice(0, honest.indexOf('all good')));
  assert.deepEqual([verify().ok, verify().broken_at], [false, 4]);
  rmSync(texts);
  assert.equal(verify().why, 'observations/00001.txt is missing, and no pruning is recorded');
  writeFileSync(texts, honest);
  pruneRuns(options.project, options.home, { now: start + 8 * DAY, runsMs: 30 * DAY, observationsMs: 7 * DAY });
  assert.deepEqual([verify().ok, verify().pruned], [true, 3]);
  writeFileSync(path.join(run.folder, 'run.json'), '{}');
  assert.equal(verify().ok, false);
});

test('threat 48 blocked: of an ended run every byte beside the log is covered, also around the texts', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  work(run, 'all good');
  run.saveState({ turn: 1 });
  run.close('interrupted');
  const { run: resumed } = resumeRun(options, run.id);
  resumed.record({ type: 'observation', text: resumed.keep('') });
  resumed.record({ type: 'observation', text: resumed.keep('more') });
  resumed.finish({ outcome: 'success' });
  const verify = () => verifyRun(options.project, options.home, run.id);
  assert.equal(verify().ok, true);
  const observations = path.join(run.folder, 'observations');
  for (const name of ['00001.txt', '00002.txt']) {
    const texts = path.join(observations, name);
    const honest = readFileSync(texts, 'utf8');
    const edits = {
      'a title': honest.replace('text 1', 'text 9'),
      'a later title': honest.replace('=== text 2 ===', '=== lies 2 ==='),
      'the gap before a title': honest.replace('\n=== text 2', ' === text 2'),
      'behind the last': `${honest}x`,
      'one more text': `${honest}\n=== text 4 ===\nforged`,
    };
    for (const [what, text] of Object.entries(edits)) {
      writeFileSync(texts, text);
      assert.deepEqual(
        [verify().ok, verify().why],
        [false, `observations/${name} holds something that was not recorded`],
        what,
      );
    }
    writeFileSync(texts, honest);
  }
  writeFileSync(path.join(observations, '00003.txt'), 'forged');
  assert.deepEqual([verify().ok, verify().why], [false, 'observations/00003.txt was added']);
  rmSync(path.join(observations, '00003.txt'));
  pruneRuns(options.project, options.home, { now: start + 8 * DAY, runsMs: 30 * DAY, observationsMs: 7 * DAY });
  assert.deepEqual([verify().ok, verify().pruned], [true, 5]);
  mkdirSync(observations);
  writeFileSync(path.join(observations, '00001.txt'), 'forged');
  assert.equal(verify().ok, false, 'in the place of what was pruned');
});

test('a text that a kill kept from being recorded breaks nothing, before the run goes on and after its end', (t) => {
  const options = optionsFor(t);
  const killed = startRun(options);
  work(killed, 'all good');
  killed.saveState({ turn: 1 });
  const texts = path.join(killed.folder, 'observations', '00001.txt');
  const recorded = readFileSync(texts, 'utf8');
  killed.keep('written, never recorded');
  const verify = () => verifyRun(options.project, options.home, killed.id);
  assert.deepEqual([verify().ok, verify().ended], [true, false]);
  resumeRun(options, killed.id).run.keep('never recorded either');
  assert.equal(readFileSync(texts, 'utf8'), recorded);
  resumeRun(options, killed.id).run.finish({ outcome: 'success' });
  assert.deepEqual([verify().ok, verify().ended], [true, true]);
});

test('a private run that ended has no texts, and nobody can add one', (t) => {
  const options = { ...optionsFor(t), private: true };
  const run = startRun(options);
  work(run, 'private words');
  run.finish({ outcome: 'success' });
  const verify = () => verifyRun(options.project, options.home, run.id);
  assert.equal(verify().ok, true);
  mkdirSync(path.join(run.folder, 'observations'));
  writeFileSync(path.join(run.folder, 'observations', '00001.txt'), 'forged');
  assert.equal(verify().ok, false);
});

test('threat 62 blocked: a forged run state or a run from another machine is not resumed', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  run.saveState({ turn: 1 });
  run.saveState({ turn: 2 });
  run.close('interrupted');
  const file = path.join(run.folder, 'state.json');
  const honest = readFileSync(file);
  writeFileSync(file, '{"turn":99}\n');
  assert.throws(() => resumeRun(options, run.id), /the files changed/);
  writeFileSync(file, honest);
  const stranger = { ...options, home: temporaryFolder(t) };
  assert.throws(() => resumeRun(stranger, run.id), /the files changed/);
  assert.equal(verifyRun(options.project, stranger.home, run.id).ok, false);
});

test('threat 62 control: without the check the forged state is what the run goes on with', async (t) => {
  const trusting = await changed<typeof import('./run-folder.ts')>('src/audit/run-folder.ts', {
    file: 'src/audit/saved-state.ts',
    from: 'sha256(text) === hash',
    to: 'true',
  });
  const options = optionsFor(t);
  const run = startRun(options);
  run.saveState({ turn: 1 });
  run.close('interrupted');
  writeFileSync(path.join(run.folder, 'state.json'), '{"turn":99}\n');
  const resumed = trusting.resumeRun(options, run.id);
  resumed.run.close('interrupted');
  assert.equal(JSON.stringify(resumed.state), '{"turn":99}');
});

test('a stopped run is resumed with its state, and the record goes on', (t) => {
  const options = optionsFor(t);
  const first = startRun(options);
  work(first, 'all good');
  first.saveState({ turn: 2 });
  first.close('interrupted');
  const summary = () => readRun(options.project, first.id).summary ?? {};
  assert.deepEqual([summary().outcome, summary().ended, summary().exit_codes], ['interrupted', null, [0]]);
  const { run, state, records } = resumeRun({ ...options, request: '' }, first.id);
  assert.deepEqual([summary().outcome, summary().request], ['running', 'convert notes.md']);
  assert.equal(JSON.stringify(state), '{"turn":2}');
  assert.equal(records.length, 6);
  const more = run.keep('more');
  run.record({ type: 'observation', text: more });
  assert.equal(more.ref, 'observations/00002.txt#1');
  assert.equal(readKeptBytes(run.folder, more)?.toString(), 'more');
  run.finish({ outcome: 'success' });
  assert.ok(verifyRun(options.project, options.home, first.id).ok);
  assert.deepEqual([summary().outcome, summary().request], ['success', 'convert notes.md']);
  assert.throws(() => resumeRun(options, first.id), /already there/);
});

test('a project that ships a link instead of its runs folder leads no write away', (t) => {
  const options = optionsFor(t);
  const elsewhere = temporaryFolder(t);
  for (const link of ['.agent', '.agent/runs']) {
    rmSync(path.join(options.project, '.agent'), { recursive: true, force: true });
    if (link !== '.agent') mkdirSync(path.join(options.project, '.agent'));
    symlinkSync(elsewhere, path.join(options.project, link));
    assert.throws(() => startRun(options), /path not allowed/);
  }
  assert.deepEqual(readdirSync(elsewhere), []);
  for (const id of ['../../x', '', '.', 'x'.repeat(30)]) assert.throws(() => readRun(options.project, id), /no data/);
});

test('runs are pruned by age, their texts earlier than themselves', (t) => {
  const options = optionsFor(t);
  const ids = [0, 10, 40].map((days) => {
    const run = startRun({ ...options, clock: { now: () => start - days * DAY } });
    work(run, 'x');
    run.finish({ outcome: 'success' });
    return run.id;
  });
  const pruned = pruneRuns(options.project, options.home, { now: start, runsMs: 30 * DAY, observationsMs: 7 * DAY });
  assert.deepEqual(pruned, { removed: [ids[2]], emptied: [ids[1]], vanished: [] });
  assert.deepEqual(
    listRuns(options.project).map(({ id }) => id),
    [ids[0], ids[1]],
  );
  assert.deepEqual(verifyRun(options.project, options.home, ids[1] ?? '').pruned, 3);
});

test('threat 48 blocked: a record that is gone whole is missed, and an end that was taken back is found', (t) => {
  const options = optionsFor(t);
  const [gone, cut] = ['gone', 'cut'].map(() => {
    const run = startRun(options);
    const folder = path.join(options.project, '.agent', 'runs', run.id);
    const early = readFileSync(path.join(folder, 'events.jsonl'));
    work(run, 'x');
    run.finish({ outcome: 'success' });
    return { id: run.id, folder, early };
  });
  assert.ok(gone && cut);
  assert.deepEqual(findVanished(options.project, options.home), []);
  rmSync(gone.folder, { recursive: true });
  assert.deepEqual(findVanished(options.project, options.home), [gone.id]);
  assert.equal(verifyRun(options.project, options.home, cut.id).ok, true);
  // Once valid, and sealed: only the head under home knows that there was more.
  writeFileSync(path.join(cut.folder, 'events.jsonl'), cut.early);
  assert.equal(verifyRun(options.project, options.home, cut.id).why, 'the end is missing');
  forgetRuns(options.project, options.home, [gone.id]);
  assert.deepEqual(findVanished(options.project, options.home), []);
});

test('the record of a project that was moved still verifies', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  work(run, 'x');
  run.finish({ outcome: 'success' });
  const moved = `${options.project}-moved`;
  renameSync(options.project, moved);
  assert.equal(verifyRun(moved, options.home, run.id).ok, true);
});

test('threat 48 blocked: what is pruned in a copy of a project takes no sealed head away from the project itself', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  work(run, 'output');
  run.finish({ outcome: 'success' });
  const copy = `${options.project}-copy`;
  cpSync(options.project, copy, { recursive: true });
  const all = { now: start + 60 * DAY, runsMs: DAY, observationsMs: DAY };
  assert.deepEqual(pruneRuns(copy, options.home, all).removed, [run.id]);
  assert.equal(verifyRun(options.project, options.home, run.id).ok, true);
  assert.deepEqual(pruneRuns(options.project, options.home, all).removed, [run.id], 'control: in the project it is');
  assert.deepEqual(findVanished(options.project, options.home), []);
});

test('the texts of a task may wait while it is under way; at its end they are there', (t) => {
  const options = { ...optionsFor(t), kind: 'task' };
  const run = startRun(options);
  const kept = run.keep('a result');
  run.record({ type: 'observation', text: kept });
  assert.deepEqual(readdirSync(run.folder), ['events.jsonl']);
  run.finish({ outcome: 'success' });
  assert.equal(readKeptBytes(run.folder, kept)?.toString(), 'a result');
  assert.equal(verifyRun(options.project, options.home, run.id).ok, true);
});

test('a run that can go on has its texts on disk before anything else happens', (t) => {
  const run = startRun(optionsFor(t));
  assert.equal(readKeptBytes(run.folder, run.keep('a text'))?.toString(), 'a text');
  run.close('stopped');
});

test('what waits is written nowhere once the folder of the run is gone', async (t) => {
  const run = startRun({ ...optionsFor(t), kind: 'task' });
  rmSync(run.folder, { recursive: true });
  await sleep(50);
  assert.equal(existsSync(run.folder), false);
});

test('texts that could not be written are told at the end', (t) => {
  const run = startRun({ ...optionsFor(t), kind: 'task' });
  writeFileSync(path.join(run.folder, 'observations'), 'a file where the folder should be');
  assert.throws(() => run.finish({ outcome: 'success' }), /ENOTDIR/);
});

test('the latest run comes first, also within one second; a summary cannot move a run out of its second', (t) => {
  const options = optionsFor(t);
  const startAt = (ms: number) => startRun({ ...options, clock: { now: () => start + ms } }).id;
  const ids = [5, 900, 40, 300, 1000].map((ms) => ({ ms, id: startAt(ms) }));
  const latestFirst = ids.toSorted((a, b) => b.ms - a.ms).map(({ id }) => id);
  assert.deepEqual(
    listRuns(options.project).map(({ id }) => id),
    latestFirst,
  );
  const oldest = path.join(options.project, '.agent', 'runs', latestFirst.at(-1) ?? '', 'run.json');
  writeFileSync(oldest, JSON.stringify({ started: '2099-01-01T00:00:00.000Z' }));
  assert.equal(listRuns(options.project).at(-1)?.id, latestFirst.at(-1));
});

test('of two runs in one second the later one is the latest, also when its second ends while it begins', (t) => {
  const options = optionsFor(t);
  const clockFrom = (...moments: number[]) => ({
    now: () => start + ((moments.length > 1 ? moments.shift() : moments[0]) ?? 0),
  });
  const begin = (...moments: number[]) => startRun({ ...options, clock: clockFrom(...moments) });
  const first = begin(850);
  first.finish({ outcome: 'success' });
  const second = begin(999, 1_002);
  second.finish({ outcome: 'success' });
  assert.deepEqual(
    listRuns(options.project).map(({ id }) => id),
    [second.id, first.id],
  );
});
