import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundText, WHOLE_BYTES, WHOLE_LINES } from './long-text.ts';

const ref = 'observations/00001.txt#3';
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');

test('a text is whole up to 500 lines and 32 KiB, in bytes', () => {
  for (const text of [numbered(WHOLE_LINES), 'x'.repeat(WHOLE_BYTES), '字'.repeat(Math.floor(WHOLE_BYTES / 3))])
    assert.deepEqual(boundText({ text, ref, markdown: false }), { text, cut: false });
  for (const text of [numbered(WHOLE_LINES * 2), '字'.repeat(WHOLE_BYTES)])
    assert.equal(boundText({ text, ref, markdown: false }).cut, true);
});

test('beyond that its ends are shown, and the gap is named so that every line of it can be asked for', () => {
  const { text } = boundText({ text: numbered(2_000), ref, markdown: false });
  const [, first, last] = /left out: lines (\d+)-(\d+) of 2000, bytes \d+-\d+ of \d+/.exec(text) ?? [];
  assert.ok(text.startsWith('line 1\nline 2\n') && text.endsWith('\nline 2000'));
  assert.ok(text.includes(`\nline ${Number(first) - 1}\n`) && !text.includes(`\nline ${first}\n`), text);
  assert.ok(text.includes(`\nline ${Number(last) + 1}\n`) && !text.includes(`\nline ${last}\n`), text);
  assert.ok(text.includes(`read_file {"path":"${ref}","start_line":${first},"end_line":${Number(first) + 499}}`));
  assert.ok(Buffer.byteLength(text) < WHOLE_BYTES);
});

test('one endless line is cut between characters, and asked for by bytes', () => {
  const { text } = boundText({ text: `start\n${'字'.repeat(400_000)}\nend`, ref, markdown: false });
  assert.doesNotMatch(text, /\uFFFD/);
  assert.match(
    text,
    /^start\n字+\n\[… left out: lines 2-2 of 3, bytes (\d+)-\d+ of \d+ …\]\n[^\n]*"offset":\1,"length":32768\}/,
  );
  assert.match(text, /字\nend$/);
  assert.ok(Buffer.byteLength(text) < WHOLE_BYTES);
});

test('of Markdown the headings that are left out are told with their lines; a comment of a script is none', () => {
  const text = Array.from({ length: 2_000 }, (_, at) => (at % 100 === 50 ? `## Part ${at}` : 'text')).join('\n');
  const shown = boundText({ text, ref, markdown: true }).text;
  assert.match(shown, /headings there, by line: 251: ## Part 250; .*1851: ## Part 1850 …\]/);
  assert.doesNotMatch(boundText({ text, ref, markdown: false }).text, /headings there/);
});

test('without a record nothing is promised', () => {
  const { text } = boundText({ text: numbered(2_000), markdown: false });
  assert.match(text, /the whole was not kept/);
  assert.doesNotMatch(text, /read_file/);
});
