// Runs of the agent from code: events as they happen, questions, a model of one's own, the end of everything by a signal.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Model, RunEvent } from '../../../src/index.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import { answer, script, select } from '../../support/agent-support.ts';
import { oddTime, openIn, processesWith, sightOf, WRITER } from '../../support/library/handle.ts';

const STEPS = [select('writer'), script('writer', 'write.sh', 'hello'), answer('It is written.')];

test('a run tells what happens while it happens, asks, and ends with its outcome', async (t) => {
  const { sw, project } = await openIn(t);
  const run = sw.run('note hello', { model: scriptedModel(STEPS, { pieceLength: 4 }), ask: () => 'yes' });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const outcome = await run.outcome;
  assert.ok(outcome.state === 'success', outcome.summary);
  const { answer: said, skills, turns, toolCalls } = outcome.result;
  assert.deepEqual([said, skills, turns, toolCalls], ['It is written.', ['writer'], 3, 1]);
  assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
  const [first] = events;
  assert.ok(
    first?.type === 'started' && first.runId === outcome.runId && first.model === 'mock',
    JSON.stringify(first),
  );
  const pieces = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  assert.ok(pieces.length > 1);
  assert.equal(pieces.join(''), 'It is written.');
  const actions = events.flatMap((event) => (event.type === 'action' ? [event.kind] : []));
  assert.deepEqual(actions, ['select_skills', 'run_script', 'final_answer']);
  const asked = events.flatMap((event) => (event.type === 'question' ? [event.question.about] : []));
  assert.deepEqual(asked, ['call', 'changes']);
  assert.deepEqual(events.at(-1), { type: 'ended', outcome });
  const late: string[] = [];
  for await (const { type } of run) late.push(type);
  assert.equal(late.length, events.length);
  assert.equal((await sw.runs.replay(outcome.runId ?? '')).same, true);
});

test('a run without anybody to ask waits, and goes on with the answer and the same model', async (t) => {
  const { sw, project } = await openIn(t, WRITER, { model: scriptedModel(STEPS) });
  const waiting = await sw.run('note hello').outcome;
  assert.ok(waiting.state === 'interrupted' && waiting.question, waiting.summary);
  const [question] = await sw.questions();
  assert.equal(question?.of, 'run');
  const types: string[] = [];
  const done = await sw.answer(waiting.question.id, 'yes', {
    apply: 'always',
    onEvent: ({ type }) => types.push(type),
  });
  assert.equal(done.state, 'success', done.summary);
  assert.equal(done.runId, waiting.runId);
  assert.deepEqual([types[0], types.at(-1)], ['started', 'ended']);
  assert.equal(readFileSync(path.join(project, 'note.txt'), 'utf8'), 'hello\n');
});

test('a signal ends the run and every process it has started, and the run goes on later', async (t) => {
  const { sw, open } = await openIn(t);
  const [abort, time] = [new AbortController(), oddTime()];
  const steps = [select('writer'), script('writer', 'wait.sh', time), answer('never')];
  const run = sw.run('wait', { model: scriptedModel(steps), ask: () => 'yes', signal: abort.signal });
  await sightOf(time);
  const before = performance.now();
  abort.abort();
  const outcome = await run.outcome;
  assert.ok(performance.now() - before < 10_000);
  assert.ok(outcome.state === 'interrupted' && outcome.waitsFor === 'resume', outcome.summary);
  assert.deepEqual(processesWith(time), []);
  const again = await open({ model: scriptedModel([answer('over')]) });
  const resumed = await again.runs.resume(outcome.runId ?? '').outcome;
  assert.ok(resumed.state !== 'error' && resumed.result?.answer === 'over', resumed.summary);
});

test('closing the handle ends what is under way and waits for it', async (t) => {
  const { sw } = await openIn(t);
  const time = oddTime();
  const under = sw.exec('writer', 'scripts/wait.sh', [time], { ask: () => 'yes' });
  await sightOf(time);
  await sw[Symbol.asyncDispose]();
  assert.notEqual((await under).state, 'success');
  assert.deepEqual(processesWith(time), []);
});

test('an open question does not hold up the end', async (t) => {
  const { sw } = await openIn(t);
  const abort = new AbortController();
  const asked = Promise.withResolvers<AbortSignal>();
  const ask = (_: unknown, signal: AbortSignal) => {
    asked.resolve(signal);
    return new Promise<never>(() => {});
  };
  const under = sw.exec('writer', 'scripts/write.sh', ['x'], { ask, signal: abort.signal });
  const signal = await asked.promise;
  abort.abort();
  assert.equal((await under).state, 'error');
  assert.equal(signal.aborted, true);
});

test('a model of one’s own sees the request and the schema, and its budget binds it', async (t) => {
  const { sw } = await openIn(t);
  const seen: unknown[] = [];
  const model: Model = {
    name: 'mine',
    async decide({ messages, schema }) {
      seen.push(
        typeof schema,
        messages.some(({ content }) => content.includes('look around')),
      );
      const text = JSON.stringify({ action: { type: 'search_skills', query: `q${seen.length}` } });
      return { text, usage: { inputTokens: 10, outputTokens: 5, cost: 0.5 } };
    },
  };
  const outcome = await sw.run('look around', { model, budget: { turns: 2 } }).outcome;
  assert.equal(outcome.state, 'partial', outcome.summary);
  assert.deepEqual([outcome.result?.turns, outcome.result?.tokens], [2, 30]);
  assert.deepEqual(seen, ['object', true, 'object', true]);
});

test('an observer that throws ends nothing', async (t) => {
  const { sw } = await openIn(t);
  const warned: string[] = [];
  const warn = t.mock.method(process, 'emitWarning', (text: string) => void warned.push(text));
  const onEvent = () => {
    throw new Error('observer');
  };
  const outcome = await sw.run('x', { model: scriptedModel([answer('fine')]), onEvent }).outcome;
  warn.mock.restore();
  assert.equal(outcome.state, 'success');
  assert.match(warned[0] ?? '', /onEvent threw: .*observer/);
});
