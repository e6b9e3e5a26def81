// A run that dies at each single instant: from a certain look at the clock on nothing more is recorded, as after a kill.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { resumeRequest } from '../../../src/app/run/resume.ts';
import { runRequest } from '../../../src/app/run/start.ts';
import { createRuntime } from '../../../src/app/runtime.ts';
import { listRuns, verifyRun } from '../../../src/audit/run-archive.ts';
import { readRecords } from '../../../src/audit/verify.ts';
import type { Outcome } from '../../../src/base/outcome.ts';
import { answer, invoke, makeWorld, select, skillFile, tool, type World } from '../../support/agent-support.ts';
import { count, runCli } from '../../support/support.ts';

const FILE = 'mybox/lines.txt';
const append = (line: string) => tool('write_file', { path: FILE, edits: [{ op: 'append', content: `${line}\n` }] });
const STEPS = [
  'no decision at all',
  append('one'),
  invoke('inner', { task: 'go on' }),
  append('two'),
  tool('read_file', { path: FILE }),
  answer('inner is done'),
  select('notes'),
  append('three'),
  answer('the end'),
];
const SKILLS = { ...skillFile('notes'), ...skillFile('inner', 'run-mode: subagent\n') };
const LINES = ['one', 'two', 'three'];
/** More looks at the clock than a whole run takes. */
const INSTANTS = 400;
const STEP = count(1, 7);

test('a run that dies at any instant is resumed without losing or repeating an effect', async (t) => {
  let deaths = 0;
  let uncertain = 0;
  for (let instant = 1; instant < INSTANTS; instant += STEP) {
    const world = makeWorld(t, { ...SKILLS, 'case.json': JSON.stringify(STEPS) });
    const died = await runUntil(world, instant);
    if (!died) break;
    deaths++;
    const outcome = await goOn(world);
    if (outcome && checkLines(world, outcome)) uncertain++;
  }
  t.diagnostic(`${deaths} deaths, ${uncertain} with one uncertain effect`);
  assert.ok(deaths > INSTANTS / STEP / 10);
  assert.ok(uncertain > 0 || STEP > 1);
});

test('a run that died is replayed like one that did not', async (t) => {
  const world = makeWorld(t, { ...SKILLS, 'case.json': JSON.stringify(STEPS) });
  assert.ok(await runUntil(world, 60));
  const outcome = await goOn(world);
  assert.equal(outcome?.data.answer, 'the end');
  const replayed = await runCli(['runs', 'replay', 'latest', '--json'], { cwd: world.project, home: world.home });
  assert.equal(JSON.parse(replayed.stdout).state, 'success', replayed.stdout);
});

/** Whether the clock stopped before the run had ended. */
async function runUntil(world: World, instant: number): Promise<boolean> {
  let looks = 0;
  const clock = {
    now: () => {
      if (++looks > instant) throw new Error('dead');
      return Date.now();
    },
  };
  try {
    const runtime = await createRuntime({ ...world, env: process.env, language: 'en', clock });
    await runRequest(runtime, { text: 'write them' }, order(world));
    return looks > instant;
  } catch (error) {
    assert.match(String(error), /dead/);
    return true;
  }
}

async function goOn(world: World): Promise<Outcome | undefined> {
  const [run] = listRuns(world.project);
  const isResumable = run && existsSync(path.join(run.folder, 'state.json'));
  if (!run || !isResumable || readRecords(run.folder).some(({ type }) => type === 'run-end')) {
    assert.ok(run === undefined || isResumable || linesOf(world).length === 0);
    return undefined;
  }
  const runtime = await createRuntime({ ...world, env: process.env, language: 'en' });
  const outcome = await resumeRequest(runtime, run.id, { version: '0' });
  assert.equal(outcome.data.answer, 'the end', JSON.stringify(outcome));
  assert.equal(verifyRun(world.project, world.home, run.id).ok, true);
  return outcome;
}

function checkLines(world: World, { data, state }: Outcome): boolean {
  const doubts = (data.uncertain ?? []) as { args: string }[];
  assert.ok(doubts.length <= 1);
  assert.equal(state, doubts.length > 0 ? 'partial' : 'success');
  const doubtful = LINES.filter((line) => doubts.some(({ args }) => args.includes(line)));
  assert.equal(doubtful.length, doubts.length);
  const sure = (lines: readonly string[]) => lines.filter((line) => !doubtful.includes(line));
  assert.deepEqual(sure(linesOf(world)), sure(LINES), JSON.stringify(data));
  for (const line of doubtful) assert.ok(linesOf(world).filter((one) => one === line).length <= 1);
  return doubts.length > 0;
}

function linesOf({ project }: World): string[] {
  const file = path.join(project, FILE);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

function order({ project }: World) {
  writeFileSync(path.join(project, 'case.json'), JSON.stringify(STEPS));
  return { version: '0', model: `mock:${path.join(project, 'case.json')}` };
}
