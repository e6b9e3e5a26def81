// Models over real HTTP: what each kind of answer comes to, and how often the server is asked.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/errors.ts';
import { decisionSchemas } from '../../../src/model/action.ts';
import type { Model, ModelRequest, Retry } from '../../../src/model/model.ts';
import { openModel } from '../../../src/model/open.ts';
import { parseDecision } from '../../../src/model/parse-action.ts';
import type { ModelSettings } from '../../../src/model/settings.ts';
import {
  type Act,
  anthropic,
  type Dialect,
  drops,
  fails,
  type ModelServer,
  neverAnswers,
  openai,
  says,
  sendEvents,
  sendJson,
  sendsPage,
  startModelServer,
  stopsHalfway,
} from '../../support/server/model-server.ts';

const KEY = 'sk-test-0123456789';
const DECISION = '{"action":{"type":"final_answer","content":"完成 ✔ done"}}';
const CALL = { calls: [DECISION] };
const schema = decisionSchemas().decision;
const retryLimit = 2;

interface Stage extends ModelServer {
  readonly model: Model;
  readonly waits: number[];
}

/** A model whose waits cost no time, in front of a server that acts as told. */
async function stage(t: TestContext, dialect: Dialect, acts: Act[], over: Partial<ModelSettings> = {}): Promise<Stage> {
  const server = await startModelServer(t, ...acts);
  const waits: number[] = [];
  const pace = { clock: systemClock, random: () => 1, sleep: async (ms: number) => void waits.push(ms) };
  const settings: ModelSettings = {
    provider: dialect.provider,
    name: 'test-model',
    baseUrl: server.url,
    keyEnv: 'TEST_KEY',
    params: {},
    timeoutSeconds: 60,
    retries: retryLimit,
    ...over,
  };
  return { ...server, waits, model: await openModel(settings, { env: { TEST_KEY: KEY }, pace }) };
}

interface Heard {
  readonly request: ModelRequest;
  readonly pieces: string[];
  readonly retries: Retry[];
}

function question(streamed: boolean, over: Partial<ModelRequest> = {}): Heard {
  const pieces: string[] = [];
  const retries: Retry[] = [];
  const onRetry = (retry: Retry) => {
    retries.push(retry);
    pieces.length = 0;
  };
  const messages = [
    { role: 'system', content: 'You decide.' },
    { role: 'user', content: 'Convert notes.md' },
  ] as const;
  const shown = streamed && { onText: (piece: string) => void pieces.push(piece) };
  return { pieces, retries, request: { messages, schema, onRetry, ...shown, ...over } };
}

const fault =
  (type: string, check: (fault: Fault) => boolean = () => true) =>
  (error: unknown) =>
    error instanceof Fault && error.type === type && check(error);

/** The same test in both formats, plain and streamed. */
function everyWay(name: string, run: (t: TestContext, dialect: Dialect, streamed: boolean) => Promise<void>): void {
  describe(name, { concurrency: true }, () => {
    for (const dialect of [openai, anthropic])
      for (const streamed of [false, true])
        test(`${name} (${dialect.provider}, ${streamed ? 'streamed' : 'plain'})`, (t) => run(t, dialect, streamed));
  });
}

everyWay('002-100 a tool call is the decision, counted and priced, in one request', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [says(dialect, CALL)], { inputPrice: 3, outputPrice: 15 });
  const { request, pieces } = question(streamed);
  const { text, usage } = await model.decide(request);
  assert.deepEqual(JSON.parse(text), JSON.parse(DECISION));
  assert.deepEqual(usage, { inputTokens: 1200, outputTokens: 34, cost: (1200 * 3 + 34 * 15) / 1e6 });
  assert.equal(pieces.join(''), streamed ? text : '');
  assert.equal(seen.length, 1);
  assert.equal(seen[0]?.path, dialect.path);
  const { headers, body } = seen[0] ?? assert.fail();
  assert.equal(headers.authorization ?? headers['x-api-key'], dialect === openai ? `Bearer ${KEY}` : KEY);
  assert.match(JSON.stringify(body.tool_choice), /"name":"decide"/);
  assert.match(JSON.stringify(body.tools), /search_skills/);
});

everyWay('002-100 JSON written as text is the decision too', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [says(dialect, { text: DECISION })]);
  const { request, pieces } = question(streamed);
  const { text } = await model.decide(request);
  assert.equal(text, DECISION);
  assert.equal(pieces.join(''), streamed ? text : '');
  assert.equal(seen.length, 1);
});

everyWay('002-100 in JSON mode the schema stands in the prompt and no tool is sent', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [says(dialect, { text: DECISION })], { params: { mode: 'json' } });
  const { request, pieces } = question(streamed);
  assert.equal((await model.decide(request)).text, DECISION);
  assert.equal(pieces.join(''), streamed ? DECISION : '');
  assert.equal(seen[0]?.body.tools, undefined);
  assert.match(JSON.stringify(seen[0]?.body.system ?? seen[0]?.body.messages), /You decide.*search_skills/);
});

everyWay(
  '002-100 invalid JSON passes through as text; the corrected answer is a second request',
  async (t, dialect, streamed) => {
    const broken = '{"action":{"type":"final_answer"';
    const { model, seen, waits } = await stage(t, dialect, [says(dialect, { text: broken }), says(dialect, CALL)]);
    const first = await model.decide(question(streamed).request);
    assert.equal(first.text, broken);
    assert.equal(parseDecision(first.text).ok, false);
    assert.equal(parseDecision((await model.decide(question(streamed).request)).text).ok, true);
    assert.equal(seen.length, 2);
    assert.deepEqual(waits, []);
  },
);

everyWay('002-100 two calls in one answer stay two, and no decision', async (t, dialect, streamed) => {
  const { model } = await stage(t, dialect, [says(dialect, { calls: [DECISION, DECISION] })]);
  const { text } = await model.decide(question(streamed).request);
  const parsed = parseDecision(text);
  assert.ok(!parsed.ok && /several/.test(parsed.problem));
});

for (const [header, value] of [
  ['retry-after', '7'],
  ['retry-after-ms', '7000'],
] as const)
  everyWay(`002-100 429 with ${header} waits as told and asks once more`, async (t, dialect, streamed) => {
    const busy = fails(dialect, 429, 'slow down', { [header]: value });
    const { model, seen, waits } = await stage(t, dialect, [busy, says(dialect, CALL)]);
    const { request, retries } = question(streamed);
    assert.ok(parseDecision((await model.decide(request)).text).ok);
    assert.equal(seen.length, 2);
    assert.deepEqual(waits, [7000]);
    assert.match(retries[0]?.reason.en ?? '', /429.*slow down/);
  });

everyWay('002-100 500 and then success are two requests, with backoff between', async (t, dialect, streamed) => {
  const { model, seen, waits } = await stage(t, dialect, [fails(dialect, 500), says(dialect, CALL)]);
  assert.ok(parseDecision((await model.decide(question(streamed).request)).text).ok);
  assert.equal(seen.length, 2);
  assert.deepEqual(waits, [500]);
});

everyWay('002-100 a server that only fails is asked as often as the settings say', async (t, dialect, streamed) => {
  const { model, seen, waits } = await stage(t, dialect, [fails(dialect, 503, 'overloaded')]);
  const given = fault('ExternalServiceError', ({ details }) => details?.status === 503 && details.attempts === 3);
  await assert.rejects(model.decide(question(streamed).request), given);
  assert.equal(seen.length, retryLimit + 1);
  assert.deepEqual(waits, [500, 1000]);
});

for (const status of [400, 401, 403, 404, 422])
  everyWay(`002-100 ${status} is told at once, and the key is not`, async (t, dialect, streamed) => {
    const refusal = fails(dialect, status, `refused ${KEY} \u001b[31m${'x'.repeat(5000)}`);
    const { model, seen } = await stage(t, dialect, [refusal]);
    const thrown = await model.decide(question(streamed).request).catch((error: unknown) => error);
    assert.ok(thrown instanceof Fault && thrown.type === 'ExternalServiceError');
    assert.equal(thrown.details?.status, status);
    assert.equal(seen.length, 1);
    const told = JSON.stringify([thrown, thrown.message, thrown.stack, thrown.detail, thrown.hint]);
    assert.doesNotMatch(told, new RegExp(KEY));
    assert.match(thrown.detail.en, /refused \*\*\* \\u\{1b\}/);
    assert.ok(thrown.detail.en.length < 400);
    assert.equal(thrown.cause, undefined);
  });

everyWay('002-100 a 429 that means no money is not tried again', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [fails(dialect, 429, 'insufficient_quota')]);
  await assert.rejects(model.decide(question(streamed).request), fault('ExternalServiceError'));
  assert.equal(seen.length, 1);
});

everyWay('002-100 a wait longer than the deadline is not begun', async (t, dialect, streamed) => {
  const { model, seen, waits } = await stage(t, dialect, [fails(dialect, 429, 'later', { 'retry-after': '3600' })]);
  await assert.rejects(model.decide(question(streamed).request), fault('ExternalServiceError'));
  assert.equal(seen.length, 1);
  assert.deepEqual(waits, []);
});

everyWay('002-100 a dropped connection is tried again', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [drops, says(dialect, CALL)]);
  assert.ok(parseDecision((await model.decide(question(streamed).request)).text).ok);
  assert.equal(seen.length, 2);
});

for (const how of ['break', 'end'] as const) {
  everyWay(`002-100 an answer cut mid-way is void and asked for again (${how})`, async (t, dialect, streamed) => {
    const half = stopsHalfway(dialect, CALL, how);
    const { model, seen } = await stage(t, dialect, [half, says(dialect, CALL)]);
    const { request, pieces, retries } = question(streamed);
    const { text } = await model.decide(request);
    assert.deepEqual(JSON.parse(text), JSON.parse(DECISION));
    assert.equal(pieces.join(''), streamed ? text : '');
    assert.equal(retries.length, 1);
    assert.equal(seen.length, 2);
  });

  everyWay(
    `002-100 an answer that is always cut is an error, never half a decision (${how})`,
    async (t, dialect, streamed) => {
      const { model, seen } = await stage(t, dialect, [stopsHalfway(dialect, CALL, how)]);
      await assert.rejects(model.decide(question(streamed).request), fault('ExternalServiceError'));
      assert.equal(seen.length, retryLimit + 1);
    },
  );
}

everyWay('002-100 slow headers are given up and tried again', async (t, dialect, streamed) => {
  const params = { headers_timeout_seconds: 4 };
  const { model, seen } = await stage(t, dialect, [neverAnswers, says(dialect, CALL)], { params });
  const { request, retries } = question(streamed);
  assert.ok(parseDecision((await model.decide(request)).text).ok);
  assert.match(retries[0]?.reason.en ?? '', /did not answer/);
  assert.equal(seen.length, 2);
  assert.equal(seen[0]?.body.headers_timeout_seconds, undefined);
});

everyWay('002-100 a long silence inside an answer is given up and tried again', async (t, dialect, streamed) => {
  const half = stopsHalfway(dialect, CALL, 'silence');
  const params = { idle_timeout_seconds: 4 };
  const { model, seen } = await stage(t, dialect, [half, says(dialect, CALL)], { params });
  const { request, retries } = question(streamed);
  assert.ok(parseDecision((await model.decide(request)).text).ok);
  assert.match(retries[0]?.reason.en ?? '', /silent/);
  assert.equal(seen.length, 2);
});

everyWay('002-100 the total deadline ends it all', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [neverAnswers], { timeoutSeconds: 4 });
  await assert.rejects(model.decide(question(streamed).request), fault('Timeout'));
  assert.equal(seen.length, 1);
});

everyWay('002-100 a page instead of an answer is told at once', async (t, dialect, streamed) => {
  const { model, seen } = await stage(t, dialect, [sendsPage()]);
  const given = fault('ExternalServiceError', ({ detail }) => /text\/html/.test(detail.en));
  await assert.rejects(model.decide(question(streamed).request), given);
  assert.equal(seen.length, 1);
});

everyWay('002-100 JSON that is no answer is told at once', async (t, dialect, streamed) => {
  const odd: Act = (response, { body }) =>
    body.stream === true
      ? sendEvents(response, ['data: {"odd":true}\n\n'], 'end')
      : sendJson(response, 200, { odd: true });
  const { model, seen } = await stage(t, dialect, [odd], { retries: 0 });
  await assert.rejects(model.decide(question(streamed).request), fault('ExternalServiceError'));
  assert.equal(seen.length, 1);
});

everyWay('002-100 an endless answer is cut', async (t, dialect, streamed) => {
  const endless: Act = (response) => {
    response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' });
    const piece = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  };
  const { model, seen } = await stage(t, dialect, [endless]);
  const given = fault('ExternalServiceError', ({ detail }) => /longer than/.test(detail.en));
  await assert.rejects(model.decide(question(streamed).request), given);
  assert.equal(seen.length, 1);
});

everyWay('002-100 a redirect is not followed, so the key goes nowhere else', async (t, dialect, streamed) => {
  const other = await startModelServer(t, says(dialect, CALL));
  const { model, seen } = await stage(t, dialect, [
    (response) => void response.writeHead(307, { location: `${other.url}/messages` }).end(),
  ]);
  const given = fault('ExternalServiceError', ({ details }) => details?.status === 307);
  await assert.rejects(model.decide(question(streamed).request), given);
  assert.equal(seen.length, 1);
  assert.equal(other.seen.length, 0);
});

everyWay('002-100 a stopped request stays stopped', async (t, dialect, streamed) => {
  const controller = new AbortController();
  const { model, seen } = await stage(t, dialect, [() => controller.abort()]);
  const { request } = question(streamed, { signal: controller.signal });
  await assert.rejects(model.decide(request), { name: 'AbortError' });
  assert.equal(seen.length, 1);
});

for (const [status, message] of [
  [400, 'gemma does not support tools'],
  [404, 'No endpoints found that support tool use'],
  [500, 'tools param requires --jinja flag'],
] as const)
  for (const streamed of [false, true])
    test(`002-100 a server without tools (${status}, ${streamed ? 'streamed' : 'plain'}) is asked for JSON instead, and only once`, async (t) => {
      const toolless: Act = (response, seen) =>
        (seen.body.tools ? fails(openai, status, message) : says(openai, { text: DECISION }))(response, seen);
      const { model, seen, waits } = await stage(t, openai, [toolless]);
      for (let turn = 0; turn < 2; turn++)
        assert.equal((await model.decide(question(streamed).request)).text, DECISION);
      assert.deepEqual(
        seen.map(({ body }) => body.tools !== undefined),
        [true, false, false],
      );
      assert.deepEqual(waits, []);
    });

test('002-100 a model that may not be forced to call a tool is asked in words', async (t) => {
  const { model, seen } = await stage(t, anthropic, [says(anthropic, CALL)], { name: 'claude-opus-5-5' });
  assert.ok(parseDecision((await model.decide(question(false).request)).text).ok);
  assert.match(JSON.stringify(seen[0]?.body.tool_choice), /"auto"/);
  assert.match(JSON.stringify(seen[0]?.body.system), /tool `decide`/);
});

test('002-100 mode: tool is meant as it is said', async (t) => {
  const { model, seen } = await stage(t, openai, [fails(openai, 400, 'no tools')], { params: { mode: 'tool' } });
  await assert.rejects(model.decide(question(false).request), fault('ExternalServiceError'));
  assert.equal(seen.length, 1);
});

for (const [place, before] of [
  ['at its start', 0],
  ['in its middle', 4],
] as const)
  test(`002-100 an overload told inside a stream, ${place}, is tried again`, async (t) => {
    const overload = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const events = [...anthropic.events(CALL).slice(0, before), `data: ${JSON.stringify(overload)}\n\n`];
    const { model, seen } = await stage(t, anthropic, [
      (response) => sendEvents(response, events, 'end'),
      says(anthropic, CALL),
    ]);
    assert.equal((await model.decide(question(true).request)).text, DECISION);
    assert.equal(seen.length, 2);
  });

for (const [dialect, error] of [
  [anthropic, { type: 'error', error: { type: 'authentication_error', message: `expired ${KEY}` } }],
  [openai, { error: { message: `expired ${KEY}`, code: 401 } }],
] as const)
  test(`002-100 a refusal told inside a stream is final, and the key in it is not told (${dialect.provider})`, async (t) => {
    const events = [...dialect.events(CALL).slice(0, 2), `data: ${JSON.stringify(error)}\n\n`];
    const { model, seen } = await stage(t, dialect, [(response) => sendEvents(response, events, 'end')]);
    const given = fault('ExternalServiceError', ({ detail, details }) => {
      return details?.status === 401 && /expired \*\*\*$/.test(detail.en);
    });
    await assert.rejects(model.decide(question(true).request), given);
    assert.equal(seen.length, 1);
  });

test('002-100 where the server counts nothing, tokens are estimated', async (t) => {
  const { model } = await stage(t, openai, [says(openai, { text: DECISION, usage: false })]);
  const { usage } = await model.decide(question(false).request);
  assert.ok(usage.inputTokens > 100 && usage.outputTokens > 10);
});

test('one line of settings moves a run from one vendor to another', async (t) => {
  for (const dialect of [openai, anthropic]) {
    const params = { temperature: 0, max_tokens: 100 };
    const { model, seen } = await stage(t, dialect, [says(dialect, CALL)], { params });
    assert.ok(parseDecision((await model.decide(question(false).request)).text).ok);
    assert.equal(seen[0]?.body.temperature, 0);
    assert.equal(seen[0]?.body.max_tokens, 100);
  }
});

test('002-100 a limit beyond what a timer can hold is no limit, not zero', async (t) => {
  const params = { headers_timeout_seconds: 1e9, idle_timeout_seconds: 1e9 };
  const { model } = await stage(t, openai, [says(openai, CALL)], { timeoutSeconds: 1e9, params });
  assert.equal((await model.decide(question(true).request)).text, DECISION);
});

test('params the vendor cannot take are a mistake in the settings, and nothing is sent', async (t) => {
  for (const params of [{ thinking: 'a lot' }, { max_tokens: 'many' }]) {
    const { model, seen } = await stage(t, anthropic, [says(anthropic, CALL)], { params });
    await assert.rejects(model.decide(question(false).request), fault('ConfigInvalid'));
    assert.equal(seen.length, 0);
  }
});

test('a local server needs no key, and none is sent', async (t) => {
  const server = await startModelServer(t, says(openai, CALL));
  const model = await openModel(
    { provider: 'openai-compatible', name: 'm', baseUrl: server.url, params: {}, timeoutSeconds: 10, retries: 0 },
    { env: { OPENAI_API_KEY: KEY } },
  );
  assert.equal((await model.decide(question(false).request)).text, DECISION);
  assert.equal(server.seen[0]?.headers.authorization, undefined);
});
