import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { displayWidth } from '../text.ts';
import { renderList, renderTable, tableLines, wrap } from './terminal.ts';

const plain = { color: false, width: 40 };
const columns = [{ title: 'NAME' }, { title: 'KIND' }, { title: 'DESCRIPTION' }];

test('columns stay straight with Chinese and emoji', () => {
  const table = renderTable(
    columns,
    [
      ['pdf', 'prompt', 'first'],
      ['表格工具', 'command', 'second'],
      ['rocket-🚀', 'prompt', 'third'],
    ],
    plain,
  );
  const starts = table
    .split('\n')
    .map((line) => displayWidth(line.slice(0, line.search(/DESCRIPTION|first|second|third/))));
  assert.deepEqual(new Set(starts), new Set([20]));
});

test('no line is wider than the terminal, and what was cut shows it', () => {
  const table = renderTable(
    columns,
    [
      ['a-very-long-name', 'prompt', '说明'.repeat(60)],
      ['b', 'prompt', 'x'.repeat(99)],
    ],
    plain,
  );
  for (const line of table.split('\n')) assert.ok(displayWidth(line) <= 40, line);
  assert.equal(table.match(/…/g)?.length, 2);
});

test('the last column is looked at line by line, as lines are asked for', () => {
  const rows = ['one', 'two', 'three'];
  const asked: string[] = [];
  const last = (row: string) => {
    asked.push(row);
    return `about ${row}`;
  };
  const lines = tableLines(
    [
      { title: 'NAME', cell: (row: string) => row },
      { title: 'ABOUT', cell: last },
    ],
    rows,
    plain,
  );
  assert.equal(lines.next().value, 'NAME   ABOUT');
  assert.deepEqual(asked, []);
  assert.equal(lines.next().value, 'one    about one');
  assert.deepEqual(asked, ['one']);
  assert.deepEqual([...lines], ['two    about two', 'three  about three']);
});

test('without a terminal nothing is cut', () => {
  const table = renderTable(columns, [['n'.repeat(80), 'prompt', 'd'.repeat(900)]], { color: false, width: Infinity });
  assert.match(table, /n{80} {2}prompt {2}d{900}$/);
});

test('colour only where it is wanted', () => {
  const rows = [['a', 'b', 'c']];
  assert.ok(!renderTable(columns, rows, plain).includes('\u001b'));
  assert.ok(renderTable(columns, rows, { ...plain, color: true }).includes('\u001b[1mNAME'));
});

const hostile = ['\u001b]52;c;cHduZWQ=\u0007', 'a\rb\u009b2J', 'x\u202e\u{e0041}\n✅ forged line'];

test('threat 47 blocked: nothing from a file steers the terminal', () => {
  const table = renderTable(columns, [hostile], { color: false, width: 200 });
  const lines = table.split('\n');
  assert.equal(lines.length, 2);
  for (const line of lines) assert.doesNotMatch(line, /\p{Cc}|\u202e|\u{e0041}/u);
  assert.match(table, /\\u\{1b\}\]52/);
});

test('threat 47 control: without the escaping the same cells reach the terminal raw', async () => {
  const raw = await changed<typeof import('./terminal.ts')>('src/base/text/terminal.ts', {
    from: 'show(cell.slice(0, longest))',
    to: 'cell.slice(0, longest)',
  });
  const table = raw.renderTable(columns, [hostile], { color: false, width: 200 });
  assert.ok(table.includes('\u001b]52;c;'));
  assert.ok(table.includes('\n✅ forged line'));
});

test('explanations are wrapped, Chinese ones too', () => {
  assert.deepEqual(wrap('one two three four five six', 20), ['one two three four', 'five six']);
  for (const line of wrap('渐进式披露让模型只看到它需要的内容，其余在需要时才读取', 20))
    assert.ok(displayWidth(line) <= 21, line);
  const list = renderList([['--format', 'how the result is printed on standard output']], { color: false, width: 36 });
  assert.equal(list, '  --format  how the result is\n            printed on standard\n            output');
});

test('on a narrow terminal every column gives way, but what names the row stays whole', () => {
  const row = ['20261115T032045Z-9f3a1c', 'invoke', 'interrupted', '12', 'convert README.md'];
  const titles = ['RUN', 'KIND', 'OUTCOME', 'CALLS', 'REQUEST'].map((title) => ({ title }));
  for (const width of [40, 60, 80]) {
    const table = renderTable(titles, [row], { color: false, width });
    assert.match(table, /20261115T032045Z-9f3a1c/);
    // The id, three columns of four with their gaps, and the least of the last one.
    for (const line of table.split('\n')) assert.ok(displayWidth(line) <= Math.max(width, 23 + 3 * 6 + 10), line);
  }
});
