// A hostile client with the questions of the server: answers twice, late, for another call, in other shapes, and replayed.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { home, skillFiles } from '../../support/door-support.ts';
import { WRITER } from '../../support/library/handle.ts';
import { servedProject } from '../../support/mcp/client.ts';
import { type Lines, type LinesWish, type Message, openLines } from '../../support/mcp/lines.ts';
import { runCli } from '../../support/support.ts';

const SKILLS = {
  ...WRITER,
  ...skillFiles('taker', 'name: taker\ndescription: Takes.\nsecrets: [PATH]', {
    'scripts/take.sh': 'echo x > note.txt\n',
  }),
};
const WRITE = { skill: 'writer', script: 'scripts/write.sh', args: ['hello'] };
const YES = { action: 'accept', content: { approve: true } };
/** What a client might hope to be taken for a yes. */
const ODD = [
  { action: 'accept' },
  { action: 'accept', content: {} },
  { action: 'accept', content: { approve: 'true' } },
  { action: 'accept', content: { approve: 1 } },
  { action: 'accept', content: { approve: [true] } },
  { action: 'accept', content: { Approve: true } },
  { action: 'accept', content: { always: true } },
  { action: 'accept', content: [true] },
  { action: 'ACCEPT', content: { approve: true } },
  { action: 'always', content: { approve: true } },
  { content: { approve: true } },
  { approve: true },
  {},
];

interface Opened extends Lines {
  readonly project: string;
  wrote(): string | undefined;
}

async function open(t: TestContext, wish: LinesWish): Promise<Opened> {
  const project = servedProject(t, SKILLS);
  const note = path.join(project, 'note.txt');
  const wrote = () => (existsSync(note) ? readFileSync(note, 'utf8') : undefined);
  return { project, wrote, ...(await openLines(t, project, { capabilities: { elicitation: {} }, ...wish })) };
}

async function start(lines: Lines, id: string, given: object = WRITE): Promise<Message> {
  const before = lines.messages.length;
  await lines.send({ id, method: 'tools/call', params: { name: 'run_skill', arguments: given } });
  return await lines.find(
    (message) =>
      lines.messages.indexOf(message) >= before && (message.method === 'elicitation/create' || message.id === id),
  );
}

const ending = (id: string) => (message: Message) => message.id === id && message.method === undefined;

test('legacy: blocked: answers of other shapes, and errors, are no yes', async (t) => {
  const lines = await open(t, {});
  for (const [at, result] of ODD.entries()) {
    const question = await start(lines, `odd-${at}`);
    await lines.send({ id: question.id, result });
    const ended = await lines.find(ending(`odd-${at}`));
    assert.notEqual(ended.result?.structuredContent?.state, 'success', JSON.stringify([result, ended]));
    assert.equal(lines.wrote(), undefined, JSON.stringify(result));
  }
  const none = await start(lines, 'none');
  for (const result of [true, null, [YES], 'accept']) await lines.send({ id: none.id, result });
  await lines.ask('tools/list');
  assert.equal(lines.messages.some(ending('none')), false, 'what is no answer leaves the question open');
  await lines.send({ id: none.id, result: { action: 'cancel' } });
  assert.equal((await lines.find(ending('none'))).result.structuredContent.error.code, 'APPROVAL_DENIED');
  const question = await start(lines, 'failed');
  await lines.send({ id: question.id, error: { code: 1, message: 'yes' } });
  assert.equal((await lines.find(ending('failed'))).result.structuredContent.state, 'interrupted');
  assert.equal(lines.wrote(), undefined);
});

test('legacy: blocked: an answer counts once, for its own question; late ones and those to nobody count for nothing', {
  timeout: 20_000,
}, async (t) => {
  const lines = await open(t, {});
  for (const id of [0, 1, 2, 3, 'x', null, -1]) await lines.send({ id, result: YES });
  const first = await start(lines, 'first');
  await lines.send({ id: first.id, result: YES });
  await lines.send({ id: first.id, result: YES });
  assert.equal((await lines.find(ending('first'))).result.structuredContent.state, 'success', 'the control');
  assert.equal(lines.wrote(), 'hello\n');
  const second = await start(lines, 'second', { ...WRITE, args: ['evil'] });
  assert.notEqual(second.id, first.id);
  await lines.send({ id: first.id, result: YES });
  await lines.send({ method: 'notifications/cancelled', params: { requestId: 'second' } });
  await lines.send({ id: second.id, result: YES });
  await lines.ask('tools/call', { name: 'get_run', arguments: {} });
  assert.equal(lines.wrote(), 'hello\n');
  const third = await start(lines, 'third', { ...WRITE, args: ['evil'] });
  await lines.send({ id: second.id, result: YES });
  await lines.send({ id: third.id, result: { action: 'decline' } });
  assert.equal((await lines.find(ending('third'))).result.structuredContent.error.code, 'APPROVAL_DENIED');
  assert.equal(lines.wrote(), 'hello\n');
});

test('legacy: blocked: two calls under one id, and a client that leaves with a question open', {
  timeout: 20_000,
}, async (t) => {
  const lines = await open(t, {});
  const one = await start(lines, 'same', { ...WRITE, args: ['one'] });
  const two = await start(lines, 'same', { ...WRITE, args: ['two'] });
  for (const question of [one, two]) assert.equal(question.method, 'elicitation/create', JSON.stringify(question));
  assert.match(one.params.message, /one/);
  assert.match(two.params.message, /two/);
  await lines.send({ id: one.id, result: YES });
  await lines.send({ id: two.id, result: { action: 'decline' } });
  await lines.find(ending('same'));
  await lines.ask('tools/call', { name: 'get_run', arguments: {} });
  assert.notEqual(lines.wrote(), 'two\n');
  const last = await start(lines, 'last', { ...WRITE, args: ['last'] });
  assert.equal(last.method, 'elicitation/create');
  assert.equal(await lines.end(), 0, lines.stderr());
  assert.notEqual(lines.wrote(), 'last\n');
});

test('blocked: no answer makes a grant, and what --yes would not answer is asked of no client that says it can', {
  timeout: 20_000,
}, async (t) => {
  for (const capabilities of [
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { url: {} } },
    { elicitation: true },
    { elicitation: [] },
  ]) {
    const lines = await open(t, { capabilities, args: [] }).catch(() => undefined);
    if (!lines) continue;
    const left = await start(lines, 'take', { skill: 'taker', script: 'scripts/take.sh' });
    assert.equal(left.result?.structuredContent?.state, 'interrupted', JSON.stringify(left));
    assert.equal(lines.wrote(), undefined);
  }
  const lines = await open(t, {});
  const question = await start(lines, 'once');
  await lines.send({ id: question.id, result: { ...YES, content: { approve: true, always: true }, always: true } });
  assert.equal((await lines.find(ending('once'))).result.structuredContent.state, 'success', 'the control');
  assert.equal((await start(lines, 'again')).method, 'elicitation/create', 'it asks again');
  const granted = await runCli(['grants', 'list', '--json'], { cwd: lines.project, home });
  assert.doesNotMatch(granted.stdout, /writer/);
});

test('modern: blocked: a question that was named to one is answered once, for the same call and the same files, and by nobody else', {
  timeout: 20_000,
}, async (t) => {
  const lines = await open(t, { era: 'modern' });
  const other = await openLines(t, lines.project, { era: 'modern', capabilities: { elicitation: {} } });
  const call = { name: 'run_skill', arguments: WRITE };
  const approve = { inputResponses: { decision: YES } };
  const ask = async (): Promise<string> => {
    const { result } = await lines.ask('tools/call', call);
    assert.equal(result.resultType, 'input_required', JSON.stringify(result));
    return result.requestState;
  };
  const refused: [string, () => Promise<Message>][] = [
    ['by another', async () => await other.ask('tools/call', { ...call, ...approve, requestState: await ask() })],
    [
      'for another tool',
      async () => await lines.ask('tools/call', { ...call, ...approve, name: 'get_run', requestState: await ask() }),
    ],
    [
      'for more',
      async () =>
        await lines.ask('tools/call', {
          name: 'run_skill',
          arguments: { ...WRITE, args: ['hello', 'x'] },
          ...approve,
          requestState: await ask(),
        }),
    ],
    [
      'for other words',
      async () =>
        await lines.ask('tools/call', {
          name: 'run_skill',
          arguments: { ...WRITE, args: ['Hello'] },
          ...approve,
          requestState: await ask(),
        }),
    ],
    ['of another type', async () => await lines.ask('tools/call', { ...call, ...approve, requestState: 7 })],
    [
      'of an object',
      async () => await lines.ask('tools/call', { ...call, ...approve, requestState: { toString: 'x' } }),
    ],
    [
      'with a name of ours',
      async () => await lines.ask('tools/call', { ...call, ...approve, requestState: '__proto__' }),
    ],
    [
      'cut',
      async () => await lines.ask('tools/call', { ...call, ...approve, requestState: (await ask()).slice(0, -1) }),
    ],
    [
      'in capitals',
      async () => await lines.ask('tools/call', { ...call, ...approve, requestState: (await ask()).toUpperCase() }),
    ],
  ];
  for (const [what, attempt] of refused) {
    const answer = await attempt();
    assert.ok(answer.error ?? answer.result.resultType === 'input_required', `${what}: ${JSON.stringify(answer)}`);
    assert.equal(lines.wrote(), undefined, what);
  }
  for (const decision of ODD) {
    const answer = await lines.ask('tools/call', { ...call, inputResponses: { decision }, requestState: await ask() });
    assert.ok(answer.error ?? answer.result.structuredContent.error, JSON.stringify([decision, answer]));
    assert.equal(lines.wrote(), undefined, JSON.stringify(decision));
  }
  const twice = await ask();
  const both = await Promise.all(
    [1, 2, 3].map(() => lines.ask('tools/call', { ...call, ...approve, requestState: twice })),
  );
  assert.equal(both.filter(({ result }) => result?.structuredContent?.state === 'success').length, 1, 'the control');
  const stale = await ask();
  writeFileSync(path.join(lines.project, '.claude/skills/writer/scripts/write.sh'), 'echo evil > note.txt\n');
  const late = await lines.ask('tools/call', { ...call, ...approve, requestState: stale });
  assert.equal(late.result.structuredContent.state, 'interrupted', JSON.stringify(late));
  assert.equal(lines.wrote(), 'hello\n');
});
