import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../../test/support/support.ts';
import type { FlatOutcome } from '../flat-outcome.ts';
import { AGENTS, STATES } from '../outcome.ts';
import { parseCompact, renderCompact } from './compact.ts';

const sample: FlatOutcome = {
  state: 'success',
  agent: 'skills',
  summary: '执行成功: Markdown转换 → mybox/output/result.html',
  data: { skill: 'markdown-converter', list: ['a', 'b'], output_size: '12.5KB', nested: { 'odd key': null, on: true } },
  meta: { agent: 'skills', time: 1.8, ts: '2026-01-29T10:30:00.000Z' },
};

test('001-22 003-25 an outcome is exactly two lines, result first', () => {
  assert.equal(
    renderCompact(sample),
    [
      '✅ skills 执行成功: Markdown转换 → mybox/output/result.html',
      '  state: success | data: {skill: "markdown-converter", list: ["a", "b"], output_size: "12.5KB", ' +
        'nested: {"odd key": null, "on": true}} | meta: {agent: skills, time: 1.8, ts: "2026-01-29T10:30:00.000Z"}',
    ].join('\n'),
  );
});

test('001-23 the four-line form is read', async () => {
  const outcome = await parseCompact(
    [
      '# a comment before it',
      '✅ worker_agent 扫描完成: 新增 2 个',
      '  state: success',
      '  data: {added: ["skill_a","skill_b"], total: 5}',
      '  meta: {agent: worker_agent, time: 0.5, ts: "2025-01-29T10:30:00Z"}',
      'something printed afterwards: {',
    ].join('\n'),
  );
  assert.deepEqual(outcome, {
    state: 'success',
    agent: 'worker_agent',
    summary: '扫描完成: 新增 2 个',
    data: { added: ['skill_a', 'skill_b'], total: 5 },
    meta: { agent: 'worker_agent', time: 0.5, ts: '2025-01-29T10:30:00Z' },
  });
});

test('001-23 a data map over several lines is read', async () => {
  const outcome = await parseCompact(
    [
      '✅ skills 提示词加载: marketing-ideas',
      '  state: success',
      '  data: {',
      '    skill: "marketing-ideas",',
      '    content: "<SKILL.md>",',
      '    executable: false',
      '  }',
      '  meta: {agent: skills, time: 0.1, ts: "2025-01-30T10:00:00Z"}',
    ].join('\n'),
  );
  assert.deepEqual(outcome?.data, { skill: 'marketing-ideas', content: '<SKILL.md>', executable: false });
});

test('001-23 what older writers leave out is tolerated', async () => {
  const ownException = await parseCompact(
    '❌ worker_agent RuntimeError: x\n  state: error\n  data: {type: "FileNotFoundError", msg: "bin/x not found"}',
  );
  assert.deepEqual(ownException?.data, { type: 'FileNotFoundError', msg: 'bin/x not found' });
  assert.equal(ownException?.meta.agent, 'worker_agent');
  const elided = await parseCompact(
    "⏸ worker_agent paused\n  state: interrupted | data: {skills: [...], why: it isn't decided, note: 'a, \"b} | meta: {c'}",
  );
  assert.deepEqual(elided?.data, { skills: ['...'], why: "it isn't decided", note: 'a, "b} | meta: {c' });
});

test('what is no outcome is none', async () => {
  for (const text of [
    '',
    'hello',
    '✅ somebody else',
    '✅ skills done',
    '✅ skills done\n  state: splendid | data: {} | meta: {}',
    '✅ skills done\n  state: success | data: {a: | meta: {}',
    '✅ skills done\n  state: success\n  data: [1]',
    '✅ skills done\n  state: success\n  data: {a: &x [1], b: [*x, *x]}',
  ]) {
    assert.equal(await parseCompact(text), undefined, text);
  }
});

test('nothing hidden reaches the two lines', () => {
  const hostile = '\u001b[2J\u009b1m\u202e\u{e0041}\u2028\r\nnext\u0000';
  const text = renderCompact({ ...sample, summary: hostile, data: { [hostile]: hostile } });
  assert.equal(text.split('\n').length, 2);
  assert.doesNotMatch(text.replace('\n', ''), /[\p{Cc}\u202e\u2028\u{e0041}]/u);
});

test('001-23 every outcome survives the round trip', async () => {
  const awkward = fc.constantFrom(
    '',
    ' ',
    '"',
    "'",
    '| meta: {',
    '}',
    '\n',
    '👩‍👩‍👧',
    '中文',
    '\ud800',
    ': ',
    '# ',
    '- ',
    '~',
    '1e3',
    '<<',
  );
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(awkward, fc.string()), { maxLength: 5 }).map((parts) => parts.join('')),
  );
  const key = fc.oneof(anyText, fc.constantFrom('__proto__', 'true', '1', 'constructor'));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      anyText,
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const outcomes = fc.record({
    state: fc.constantFrom(...STATES),
    agent: fc.constantFrom(...AGENTS),
    summary: anyText,
    data: fc.dictionary(key, value, { noNullPrototype: true }),
    time: fc.double({ min: 0, max: 1e6, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(outcomes, async ({ state, agent, summary, data, time }) => {
      const outcome = { state, agent, summary, data, meta: { agent, time, ts: '2026-01-01T00:00:00.000Z' } };
      const text = renderCompact(outcome);
      assert.equal(text.split('\n').length, 2);
      assert.deepEqual(wellFormed(await parseCompact(text)), wellFormed(outcome));
    }),
    { numRuns: count(20_000, 500) },
  );
});

/** As JSON would carry it, lone surrogates replaced and numbers such as -0 made plain. */
function wellFormed(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
  return text.replace(/\\u[dD][89a-fA-F]../g, '\ufffd');
}
