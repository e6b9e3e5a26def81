// A model of the AI SDK handed over as it is: asked in its terms, tried again, and refused where it is too old.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent, SdkModel } from '../../../src/index.ts';
import { openIn } from '../../support/library/handle.ts';

const ANSWER = JSON.stringify({ action: { type: 'final_answer', content: 'from the SDK' } });
const USAGE = { inputTokens: { total: 40 }, outputTokens: { total: 2 } };

test('it answers by calling the tool, in one piece and in many, and its tokens are counted', async (t) => {
  const { sw } = await openIn(t);
  const asked: Record<string, unknown>[] = [];
  const model = sdkModel((options) => asked.push(options));
  const run = sw.run('say something', { model });
  const pieces: string[] = [];
  for await (const event of run) if (event.type === 'text') pieces.push(event.text);
  const outcome = await run.outcome;
  assert.ok(outcome.state === 'success', outcome.summary);
  assert.deepEqual([outcome.result.answer, outcome.result.tokens], ['from the SDK', 42]);
  assert.equal(pieces.join(''), 'from the SDK');
  const [{ prompt, toolChoice, abortSignal } = {}] = asked;
  assert.deepEqual(toolChoice, { type: 'tool', toolName: 'decide' });
  assert.ok(Array.isArray(prompt) && prompt[0].role === 'system');
  assert.ok(abortSignal instanceof AbortSignal);
  const [first] = await eventsOf(run);
  assert.ok(first?.type === 'started' && first.model === 'mine-1', JSON.stringify(first));
});

test('what passes by is tried again, and what does not is an outcome with the server’s words', async (t) => {
  const { sw } = await openIn(t);
  let calls = 0;
  const busy = sdkModel(() => {
    if (++calls < 2) throw Object.assign(new Error('busy'), { statusCode: 503, responseBody: '{"error":"busy"}' });
  });
  const events = await eventsOf(sw.run('x', { model: busy }));
  assert.ok(events.some(({ type }) => type === 'retry'));
  const last = events.at(-1);
  assert.ok(last?.type === 'ended' && last.outcome.state === 'success', JSON.stringify(last));
  const refuses = sdkModel(() => {
    throw Object.assign(new Error('no'), { statusCode: 401, responseBody: '{"error":{"message":"bad key"}}' });
  });
  const outcome = await sw.run('x', { model: refuses }).outcome;
  assert.ok(outcome.state === 'error', outcome.summary);
  assert.match(outcome.error.message, /401: bad key/);
});

test('an older interface is refused by its version', async (t) => {
  const { sw } = await openIn(t);
  const outcome = await sw.run('x', { model: { ...sdkModel(), specificationVersion: 'v2' } }).outcome;
  assert.ok(outcome.state === 'error' && outcome.error.code === 'CONFIG_INVALID', JSON.stringify(outcome));
  assert.match(outcome.error.message, /version v2/);
});

test('a model of one’s own that throws, or answers with something else, is named in the outcome, and the run can be resumed', async (t) => {
  const { sw } = await openIn(t);
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const throws = async () => Promise.reject(new TypeError('fetch failed', { cause }));
  const failed = await sw.run('x', { model: { name: 'mine', decide: throws } }).outcome;
  assert.ok(failed.state === 'error', failed.summary);
  assert.equal(failed.error.code, 'EXTERNAL_SERVICE_ERROR');
  assert.match(failed.error.message, /the model failed: mine: fetch failed: connect ECONNREFUSED 127\.0\.0\.1:1$/);
  const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
  for (const reply of [undefined, 'text', { text: ANSWER }, { text: 1, usage }, { text: ANSWER, usage: { cost: 0 } }]) {
    const odd = { name: 'odd', decide: async () => JSON.parse(JSON.stringify(reply ?? null)) };
    const outcome = await sw.run('x', { model: odd }).outcome;
    assert.ok(outcome.state === 'error', outcome.summary);
    assert.match(outcome.error.message, /the model odd gave no \{ text, usage/, JSON.stringify(reply));
  }
  const answers = { name: 'mine', decide: async () => ({ text: ANSWER, usage }) };
  const resumed = await sw.runs.resume(failed.runId ?? '', { model: answers }).outcome;
  assert.ok(resumed.state === 'success', resumed.summary);
  assert.equal(resumed.result.answer, 'from the SDK');
});

async function eventsOf(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

function sdkModel(see: (options: Record<string, unknown>) => unknown = () => {}): SdkModel {
  const finish = { finishReason: { unified: 'tool-calls', raw: undefined }, usage: USAGE };
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'decide', input: ANSWER };
  return {
    ...{ specificationVersion: 'v4', provider: 'mine', modelId: 'mine-1' },
    async doGenerate(options: Record<string, unknown>) {
      see(options);
      return { content: [call], ...finish };
    },
    async doStream(options: Record<string, unknown>) {
      see(options);
      const deltas = ANSWER.match(/.{1,9}/g) ?? [];
      const parts = [
        ...deltas.map((delta) => ({ type: 'tool-input-delta', id: '1', delta })),
        call,
        { type: 'finish', ...finish },
      ];
      return { stream: ReadableStream.from(parts) };
    },
  };
}
