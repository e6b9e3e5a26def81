// What people say to calls of the toolset: the whole question, a yes that counts no more than `--yes`, and a no.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { OpenOptions, SkillTool, Skillwright } from '../../../src/index.ts';
import { skillFiles } from '../../support/door-support.ts';
import { openIn, WRITER } from '../../support/library/handle.ts';

const KEEPER = skillFiles(
  'keeper',
  'name: keeper\ndescription: Uses a variable of its user.\nsecrets: [KEEPER_TOKEN]\nallowed-tools: Bash(./scripts/*)',
  { 'scripts/use.sh': 'test -n "$KEEPER_TOKEN" && echo has > used.txt\n' },
);
const PROMPT = skillFiles('advice', 'name: advice\ndescription: Says how to write notes.', {});
const ENV = { PATH: process.env.PATH, KEEPER_TOKEN: 'abcdefghijkl' };
const WRITE = { skill: 'writer', script: 'scripts/write.sh', args: ['hello'] };

test('the question of a call says all of it, and what a yes covers', async (t) => {
  const { run } = await openRun(t);
  const { question = '' } = await run.decide(WRITE);
  for (const part of [
    /^project:writer \([0-9a-f]{12}\) wants to use run_script \[medium risk\]$/m,
    /scripts\/write\.sh/,
    /echo "\$1" > note\.txt/,
    /hello/,
    /sandbox/i,
    /^A yes also puts the new and changed ordinary files that it writes into the project; deletions, /m,
  ])
    assert.match(question, part);
  const chinese = await openRun(t, { language: 'zh' });
  assert.match((await chinese.run.decide(WRITE)).question ?? '', /请求使用 run_script [\s\S]*同意也包括/);
  assert.equal((await run.decide({ skill: 'advice' })).question, undefined);
});

test('a yes is told as what it is: of a program that asked somebody', async (t) => {
  const { sw, run, runId } = await openRun(t);
  const { approval = '' } = await run.decide(WRITE);
  assert.equal((await run.execute(WRITE, { approval })).ok, true);
  assert.deepEqual(await answersIn(sw, runId()), [{ answer: 'yes', by: 'client' }]);
});

test('a no is recorded with its reason and nothing is run, even where a grant would allow it', async (t) => {
  const { sw, run, runId, project } = await openRun(t);
  await sw.grants.add({ skill: 'writer', script: 'scripts/write.sh', writes: true, tier: 'S1' });
  assert.equal((await run.decide(WRITE)).effect, 'allow');
  const refused = await run.execute(WRITE, { approval: { no: 'not on a Friday' } });
  const again = await run.execute(WRITE, { approval: false });
  for (const { ok, error } of [refused, again]) assert.deepEqual([ok, Object(error).code], [false, 'APPROVAL_DENIED']);
  assert.match(Object(refused.error).message, /not on a Friday/);
  assert.equal(existsSync(path.join(project, 'note.txt')), false);
  const no = { answer: 'no', by: 'client' };
  assert.deepEqual(await answersIn(sw, runId()), [no, no]);
  assert.equal((await run.execute(WRITE)).ok, true, 'the control: nobody says no');
});

test('a no to what only reads is a no, too', async (t) => {
  const { run, read } = await openRun(t);
  const results = [
    await run.execute({ skill: 'advice' }, { approval: false }),
    await read.execute({ skill: 'writer', path: 'scripts/write.sh' }, { approval: { no: 'private' } }),
  ];
  for (const { ok, error } of results) assert.deepEqual([ok, Object(error).code], [false, 'APPROVAL_DENIED']);
});

test('what --yes does not answer no approval answers: it waits for a person at a terminal', async (t) => {
  const { sw, run, project } = await openRun(t, { env: ENV });
  const use = { skill: 'keeper', script: 'scripts/use.sh' };
  const decision = await run.decide(use);
  assert.deepEqual([decision.effect, decision.approval], ['ask', undefined]);
  assert.match(decision.question ?? '', /KEEPER_TOKEN[\s\S]*Only a person at a terminal can say yes to this/);
  const waits = await run.execute(use, { approval: true });
  assert.deepEqual([waits.ok, waits.state], [false, 'interrupted'], JSON.stringify(waits));
  assert.equal(existsSync(path.join(project, 'used.txt')), false);
  const [question] = await sw.questions();
  assert.ok(question);
  assert.match(String(waits.hint), new RegExp(`skillwright resume ${question.id} --decide approve`));
  const asked = await sw.tools({ ask: () => 'yes' });
  const done = await asked.tools.find(({ name }) => name === 'run_skill')?.execute(use);
  assert.equal(done?.ok, true, 'the control: code that decides in the place of a person');
});

async function openRun(t: TestContext, options: OpenOptions = {}) {
  const { sw, project } = await openIn(t, { ...WRITER, ...KEEPER, ...PROMPT }, options);
  const { tools, runId } = await sw.tools();
  const named = (name: string): SkillTool => {
    const tool = tools.find((one) => one.name === name);
    assert.ok(tool, name);
    return tool;
  };
  return { sw, project, runId, run: named('run_skill'), read: named('read_skill_resource') };
}

async function answersIn(sw: Skillwright, run: string | undefined) {
  assert.ok(run);
  const { events, check } = await sw.runs.show(run);
  assert.equal(check.ok, true);
  return events.filter(({ type }) => type === 'approval').map(({ answer, by }) => ({ answer, by }));
}
