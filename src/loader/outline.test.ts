import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, readSection, toLines } from './outline.ts';

const guide = `# Guide
intro
## Install
npm
### Linux
apt
## 指标定义
内容
\`\`\`sh
# not a heading
\`\`\`
Old style
---------
text
## Install
again
`;

test('002-70 a section is found by title, with its level, by anchor, by the only match, or by lines', () => {
  const cases: [hint: string, first: number, last: number][] = [
    ['## Install', 3, 6],
    ['install', 3, 6],
    ['### Linux', 5, 6],
    ['## 指标定义', 7, 11],
    ['指标定义', 7, 11],
    ['#old-style', 12, 14],
    ['linu', 5, 6],
    ['lines 2-3', 2, 3],
    ['第2至3行', 2, 3],
    ['lines 15-999', 15, 16],
    ['Guide', 1, 16],
  ];
  const text = toLines(guide, true);
  for (const [hint, first, last] of cases) {
    const found = readSection(text, hint);
    assert.ok('section' in found, hint);
    assert.deepEqual([found.section.line, found.section.end], [first, last], hint);
  }
});

test('002-70 an unknown or ambiguous section gives the outline, never another section', () => {
  for (const hint of ['Nothing', '', '#', 'not a heading', 'l', 'lines 9-3', 'lines 99-100']) {
    const found = readSection(toLines(guide, true), hint);
    assert.ok('outline' in found, hint);
    assert.deepEqual(
      found.outline.map(({ title }) => title),
      ['Guide', 'Install', 'Linux', '指标定义', 'Old style', 'Install'],
    );
  }
});

test('comments of a script are no headings', () => {
  const found = readSection(toLines('# one\ncode\n', false), 'one');
  assert.deepEqual(found, { outline: [{ title: 'lines 1-2', level: 0, line: 1, end: 2 }] });
});

test('a folded text and the parts of its outline together hold every line', () => {
  const line = fc.constantFrom('text', '# A', '## B', '### C', '```', '~~~', '', '===', '---', 'Title', '#### D ####');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 400 }), fc.integer({ min: 1, max: 20 }), (lines, limit) => {
      const text = toLines(lines.join('\n'), true);
      const seen = new Set<number>();
      const read = (first: number, last: number) => {
        for (let number = first; number <= last; number++) seen.add(number);
      };
      const folded = fold(text, limit);
      read(1, Math.min(limit, text.lines.length));
      for (const part of folded.outline) {
        const found = readSection(text, `lines ${part.line}-${part.end}`);
        assert.ok('section' in found);
        read(found.section.line, found.section.end);
      }
      assert.equal(seen.size, text.lines.length);
      assert.ok(folded.outline.length <= 102);
    }),
    { numRuns: 300 },
  );
});

test('a section longer than the limit is folded in the same way', () => {
  const text = toLines(`# Top\n${'line\n'.repeat(50)}## Sub\nend\n# Next\n`, true);
  const found = readSection(text, 'Top');
  assert.ok('section' in found);
  const folded = fold(text, 10, found.section);
  assert.equal(folded.text.split('\n').length, 10);
  assert.deepEqual(
    folded.outline.map(({ title, line, end }) => [title, line, end]),
    [
      ['lines 11-51', 11, 51],
      ['Sub', 52, 53],
    ],
  );
});

test('many headings and long lines stay cheap and give a short outline', () => {
  const text = toLines(`${'# a\n'.repeat(200_000)}${' '.repeat(500_000)}#\n${`# ${' '.repeat(400_000)}x`}`, true);
  const folded = fold(text, 500);
  assert.equal(folded.outline.length, 101);
  assert.deepEqual(folded.outline.at(-1), { title: 'lines 601-200002', level: 0, line: 601, end: 200_002 });
});
