import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStreamedAnswer } from './streamed-answer.ts';

function streamed(text: string, length: number): string {
  let shown = '';
  const read = readStreamedAnswer((piece) => {
    assert.ok(piece.isWellFormed(), piece);
    shown += piece;
  });
  for (let at = 0; at < text.length; at += length) read(text.slice(at, at + length));
  return shown;
}

test('of a decision in pieces of any size the content of its answer is shown, unescaped and whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 20 }), fc.integer({ min: 1, max: 12 }), (content, length) => {
      const plan_update = { replace: { goal: '"action":{"type":"final_answer","content":"no"}' } };
      const decision = { plan_update, action: { type: 'final_answer', content } };
      assert.equal(streamed(JSON.stringify(decision), length), content);
    }),
  );
  const escaped = String.raw`{"action": {"type": "final_answer", "content": "a\ud83d\ude00b\\u0041\r\n\"c\""}}`;
  assert.equal(streamed(escaped, 1), 'a😀b\\u0041\r\n"c"');
});

test('nothing else of a decision is shown', () => {
  for (const decision of [
    { action: { type: 'use_tool', tool: 'read_file', args: { content: 'a long text that is none of an answer' } } },
    { action: { content: 'a text that comes before anybody knows what it is', type: 'final_answer' } },
    { content: 'a text outside of every action, as long as it may be' },
  ])
    assert.equal(streamed(JSON.stringify(decision), 4), '');
});

test('what arrives at once, or is no JSON, is not shown in pieces', () => {
  const decision = JSON.stringify({ action: { type: 'final_answer', content: 'short' } });
  assert.equal(streamed(decision, 1000), '');
  assert.equal(streamed('{"action":{"type":"final_answer","content":"cut by a\nline break', 3), 'cut by a');
});
