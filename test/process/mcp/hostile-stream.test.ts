// Servers that hang, die, flood or answer wrongly at a step of the conversation: the call fails in time and says why, and
// the run goes on. Beside each stands a server that does the same within bounds, and is served.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, runProcess, tool } from '../../support/agent-support.ts';
import { CONTROL, hostWorld, observed, odd, use } from '../../support/mcp/host.ts';

const SERVED = /echo: hi/;

interface Case {
  readonly expected: RegExp;
  /** A server of this kind does it within bounds. */
  readonly control: string;
  /** What is bounded in bytes has to meet that bound before its time, on a slow machine too. */
  readonly seconds?: number;
}

const FAILED = /ExternalServiceError[^\n]*odd/;
const LATE = /Timeout|ExternalServiceError/;
const LONG_LINE = /a line of more than/;
const UNASKED = /nobody asked for/;

const CASES: Readonly<Record<string, Case>> = {
  'hang-start': { expected: LATE, control: 'slow' },
  'hang-list': { expected: LATE, control: 'slow' },
  'hang-call': { expected: /Timeout/, control: 'slow' },
  die: { expected: FAILED, control: 'honest' },
  'die-start': { expected: FAILED, control: 'honest' },
  'die-list': { expected: FAILED, control: 'honest' },
  'die-call': { expected: FAILED, control: 'honest' },
  mute: { expected: LATE, control: 'slow' },
  'line-start': { expected: LONG_LINE, control: 'chatter', seconds: 50 },
  'line-list': { expected: LONG_LINE, control: 'chatter', seconds: 50 },
  'line-call': { expected: LONG_LINE, control: 'large', seconds: 50 },
  'flood-start': { expected: UNASKED, control: 'progress', seconds: 50 },
  'flood-call': { expected: UNASKED, control: 'progress', seconds: 50 },
  pings: { expected: UNASKED, control: 'asks', seconds: 50 },
  notifies: { expected: /Timeout/, control: 'progress' },
  progresses: { expected: /Timeout/, control: 'progress' },
  deep: { expected: LATE, control: 'structured' },
  version: { expected: FAILED, control: 'honest' },
  number: { expected: FAILED, control: 'nothing' },
  error: { expected: /ExternalServiceError[^\n]*it broke/, control: 'fails' },
  fails: { expected: /ExternalServiceError[^\n]*it went/, control: 'honest' },
};

/** What ends otherwise than by its time has enough of it, on a slow machine too. */
const secondsFor = (expected: RegExp) => (expected.source.includes('Timeout') ? 3 : 50);

for (const [mode, { expected, control, seconds = secondsFor(expected) }] of Object.entries(CASES))
  test(`threat 87 blocked and control: ${mode}: the call fails in time, and the run goes on`, async (t) => {
    const world = hostWorld(t);
    const began = performance.now();
    const { said, prompts } = await use(world, mode, [], { timeout_seconds: seconds });
    assert.match(said, expected);
    assert.doesNotMatch(said, CONTROL);
    assert.ok(said.length < 10_000 && (prompts[1] ?? '').length < 60_000);
    assert.ok(performance.now() - began < 60_000);
    assert.doesNotMatch((await use(world, control, [], { timeout_seconds: 50 })).said, LATE_OR_CUT);
  });

const LATE_OR_CUT = /Timeout|a line of more than|nobody asked for/;

for (const step of ['start', 'list', 'call'])
  test(`threat 87 blocked: errors-${step}: what it floods to standard error keeps nobody waiting`, async (t) => {
    assert.match((await use(hostWorld(t), `errors-${step}`)).said, SERVED);
  });

test('threat 87 blocked and control: it is given no person, no model and no folders of ours', async (t) => {
  const { said } = await use(hostWorld(t), 'asks');
  assert.match(said, /error error error/);
});

for (const mode of ['chatter', 'other-id', 'bytes', 'answers-ahead'])
  test(`threat 86 blocked and control: ${mode}: what is no answer to us is passed over`, async (t) => {
    const world = hostWorld(t);
    world.settle({ odd: odd(world, mode) });
    const steps = [tool('mcp:odd/echo', { text: 'one' }), tool('mcp:odd/echo', { text: 'two' }), answer('done')];
    const ran = await runProcess(world, steps, { args: ['--yes'] });
    const results = ran.events.flatMap((event) => (event.type === 'call-result' ? [event.state] : []));
    assert.deepEqual(results, ['success', 'success'], ran.stdout);
    assert.match(observed(ran), /echo: two/);
    assert.doesNotMatch(ran.prompts.join('\n'), /FORGED/);
  });

test('threat 86 blocked: of two answers to one request the first counts', async (t) => {
  const { said } = await use(hostWorld(t), 'answers-twice');
  assert.match(said, /first/);
  assert.doesNotMatch(said, /second/);
});
