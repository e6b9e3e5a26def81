// The end of a budget: a person is asked whether to go on, without one the command is told, and nothing is lost.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  answer,
  makeWorld,
  runProcess,
  type Script,
  script,
  select,
  skillFile,
  type World,
} from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const STEPS = 11;
/** Each step needs what the one before it left. */
const EDIT = `doc="$SKILL_OUTPUT_DIR/doc.txt"
touch "$doc"
[ "$(wc -l < "$doc")" -eq "$(($1 - 1))" ] || { echo "step $1 does not fit" >&2; exit 1; }
echo "step $1" >> "$doc"
wc -l < "$doc"
`;

/** Select, eleven steps, an answer: one turn more than there are. */
function document(t: Parameters<typeof makeWorld>[0]): { world: World; steps: Script } {
  const world = makeWorld(t, { ...skillFile('doc'), '.agent/skills/doc/scripts/edit.sh': EDIT });
  const edits = Array.from({ length: STEPS }, (_, at) =>
    script('doc', 'edit.sh', String(at + 1), 'mybox/output/doc.txt'),
  );
  return { world, steps: [select('doc'), ...edits, answer('all steps done')] };
}

function requireWhole({ project }: World): void {
  const text = readFileSync(path.join(project, 'mybox/output/doc.txt'), 'utf8');
  assert.equal(text, Array.from({ length: STEPS }, (_, at) => `step ${at + 1}\n`).join(''));
}

test('an edit of eleven steps finishes with the script runs there are', async (t) => {
  const { world, steps } = document(t);
  const ran = await runProcess(world, steps, { args: ['--yes', '--budget', 'turns=20'] });
  assert.deepEqual([ran.code, ran.outcome.data.answer], [0, 'all steps done'], ran.stdout);
  assert.match(ran.prompts[0] ?? '', /script_runs: 30 of 30 left/);
  requireWhole(world);
});

test('nobody there: what was done so far, and the command that goes on with as much again', async (t) => {
  const { world, steps } = document(t);
  const first = await runProcess(world, steps, { args: ['--yes'] });
  const { run_id, resume_command, exhausted } = first.outcome.data;
  assert.deepEqual([first.code, first.outcome.state, exhausted], [6, 'partial', 'turns'], first.stdout);
  assert.match(first.prompts.at(-1) ?? '', /This is the last turn/);
  assert.equal(resume_command, `skillwright run --resume ${run_id}`);
  const shown = await runCli(['runs', 'verify', 'latest', '--json'], { cwd: world.project, home: world.home });
  assert.equal(shown.code, 0, shown.stdout);
  const words = [...String(resume_command).split(' ').slice(1), '--yes', '--json'];
  const second = await runCli(words, { cwd: world.project, home: world.home });
  const { data } = JSON.parse(second.stdout);
  assert.deepEqual([second.code, data.answer, data.turns, data.run_id], [0, 'all steps done', STEPS + 2, run_id]);
  requireWhole(world);
  const replayed = await runCli(['runs', 'replay', 'latest', '--json'], { cwd: world.project, home: world.home });
  assert.equal(replayed.code, 0, replayed.stdout);
  const again = await runCli(words, { cwd: world.project, home: world.home });
  assert.equal(again.code, 1, 'an ended run is not resumed');
});

test('a person is asked one turn before the end: a yes goes on with as much again, a no lets the model answer', async (t) => {
  const { steps } = document(t);
  const early = [...steps.slice(0, -2), answer('not all of it'), answer('never said')];
  for (const [type, answers, expected] of [
    ['y\r', steps, /all steps done/],
    ['\r', early, /not all of it/],
  ] as const) {
    const own = document(t).world;
    const caseFile = path.join(own.home, 'case.json');
    writeFileSync(caseFile, JSON.stringify(answers));
    const { project: cwd, home } = own;
    const run = ['run', 'edit it', '--model', `mock:${caseFile}`, '--yes'];
    const said = await atTerminal(run, { cwd, home, type, until: 'Go on with 12 more? [y/N]' });
    assert.deepEqual([said.code, said.asked], [0, true], said.shown);
    assert.match(said.shown, /The budget is at its end: turns \(12\)\. Go on with 12 more\?/);
    assert.match(said.shown, expected);
    assert.equal(said.shown.split('Go on with').length, 2, 'asked once');
    const replayed = await runCli(['runs', 'replay', 'latest', '--json'], { cwd, home });
    assert.equal(replayed.code, 0, replayed.stdout);
    if (type.startsWith('y')) requireWhole(own);
  }
});

test('the same for script runs: asked when the next one is due, and without a yes only an answer is left', async (t) => {
  const { world, steps } = document(t);
  const caseFile = path.join(world.home, 'case.json');
  writeFileSync(caseFile, JSON.stringify(steps));
  const { project: cwd, home } = world;
  const run = ['run', 'edit it', '--model', `mock:${caseFile}`, '--yes', '--budget', 'turns=20,script_runs=6'];
  const said = await atTerminal(run, { cwd, home, type: 'y\r', until: 'script_runs (6). Go on with 6 more? [y/N]' });
  assert.equal(said.code, 0, said.shown);
  requireWhole(world);
});
