import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../base/errors.ts';
import type { ModelRequest } from './model.ts';
import { type Recording, recordedModel, recordingModel } from './recorded.ts';
import { scriptedModel } from './scripted.ts';

const request = (content: string): ModelRequest => ({
  messages: [{ role: 'user', content }],
  schema: { type: 'object' },
});
const outside = (error: unknown) => error instanceof Fault && error.type === 'ExternalServiceError';

test('002-96 the mock model gives its answers in order and then says that the script has ended', async () => {
  const model = scriptedModel([{ action: { type: 'final_answer', content: 'a' } }, 'raw text']);
  assert.match((await model.decide(request('1'))).text, /final_answer/);
  assert.equal((await model.decide(request('2'))).text, 'raw text');
  await assert.rejects(model.decide(request('3')), outside);
});

test('a scripted answer streams in pieces that make up the whole', async () => {
  const pieces: string[] = [];
  const { text } = await scriptedModel(['x'.repeat(40)], { pieceLength: 7 }).decide({
    ...request('1'),
    onText: (piece) => pieces.push(piece),
  });
  assert.equal(pieces.join(''), text);
  assert.equal(pieces.length, 6);
});

test('a recorded model repeats each exchange once, in order, and refuses an unknown request', async () => {
  const recordings: Recording[] = [];
  const live = recordingModel(scriptedModel(['first', 'second']), (recording) => recordings.push(recording));
  await live.decide(request('same'));
  await live.decide(request('same'));
  const replayed = recordedModel(recordings);
  assert.equal((await replayed.decide(request('same'))).text, 'first');
  assert.equal((await replayed.decide(request('same'))).text, 'second');
  await assert.rejects(replayed.decide(request('same')), outside);
  await assert.rejects(recordedModel(recordings).decide(request('other')), outside);
});
