import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { type RecordOptions, type RunFolder, resumeRun, startRun } from './run-folder.ts';

function optionsFor(t: TestContext): RecordOptions {
  const [project, home] = [temporaryFolder(t), temporaryFolder(t)];
  const context = { request_id: 'r', agent_id: null, user_id: null };
  return { project, home, clock: { now: () => Date.now() }, kind: 'run', request: 'x', version: '0', context };
}

const states = (run: RunFolder) => readdirSync(run.folder).filter((name) => name.startsWith('state'));
const turnOf = (state: unknown) => (state as { turn: number }).turn;

test('a run that was closed has one state, the last one, also where it became shorter', (t) => {
  for (const turns of [1, 2, 3, 4]) {
    const options = optionsFor(t);
    const run = startRun(options);
    for (let turn = 1; turn <= turns; turn++) run.saveState({ turn, text: 'x'.repeat(100 - turn * 10) });
    run.close('interrupted');
    assert.deepEqual(states(run), ['state.json']);
    assert.equal(turnOf(JSON.parse(readFileSync(path.join(run.folder, 'state.json'), 'utf8'))), turns);
    const again = resumeRun(options, run.id);
    assert.equal(turnOf(again.state), turns);
    again.run.close('interrupted');
  }
});

test('a state that was half written when the run was killed leaves the one before it', (t) => {
  for (const turns of [2, 3]) {
    const options = optionsFor(t);
    const run = startRun(options);
    for (let turn = 1; turn <= turns; turn++) run.saveState({ turn });
    const last = turns % 2 === 1 ? 'state.json' : 'state.next.json';
    truncateSync(path.join(run.folder, last), 4);
    const { run: again, state } = resumeRun(options, run.id);
    assert.equal(turnOf(state), turns - 1);
    again.saveState({ turn: 9 });
    again.close('interrupted');
    assert.equal(turnOf(resumeRun(options, run.id).state), 9);
  }
});

test('a run killed twice before a new state was written goes on with the last there is; an older one is refused', (t) => {
  const options = optionsFor(t);
  const run = startRun(options);
  run.saveState({ turn: 1 });
  run.saveState({ turn: 2 });
  const [older, good] = ['state.json', 'state.next.json'].map((name) => path.join(run.folder, name));
  const [one, two] = [older, good].map((file) => readFileSync(file ?? '', 'utf8'));
  run.saveState({ turn: 3 });
  writeFileSync(older ?? '', '{"tu');
  const second = resumeRun(options, run.id);
  assert.equal(turnOf(second.state), 2);
  second.run.saveState({ turn: 4 });
  writeFileSync(older ?? '', '{"tur');
  const third = resumeRun(options, run.id);
  assert.equal(turnOf(third.state), 2);
  third.run.saveState({ turn: 5 });
  third.run.saveState({ turn: 6 });
  for (const file of [older, good]) writeFileSync(file ?? '', one ?? '');
  assert.throws(() => resumeRun(options, run.id), /the files changed/);
  assert.notEqual(one, two);
});
