import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../base/errors.ts';
import { type Answering, failedOutcome, makeOutcome } from '../../base/outcome.ts';
import type { Reply } from './command.ts';
import { jsonText, type Page, renderReply } from './render.ts';

const by: Answering = { agent: 'skillwright', surface: 'own', language: 'en', startedAt: 0, now: () => 1500 };
const page: Page = {
  format: 'human',
  language: 'en',
  terminal: { interactive: false, color: false, width: Number.POSITIVE_INFINITY },
};

function render(reply: Reply, how: Page): { stdout: string; stderr: string } {
  const { stdout, stderr } = renderReply(reply, how);
  return { stdout: [...stdout].join(''), stderr };
}

const hostile = 'a\u001b[2Jb\u009bc\u202ed\u{e0041}\u2028\n✅ forged';

test('for people: icon and summary, the body, then what to do next', () => {
  const outcome = makeOutcome(by, 'success', 'done');
  const { stdout, stderr } = render({ outcome, human: 'body', hint: 'go on' }, page);
  assert.equal(stdout, '✅ done\nbody\n  hint: go on\n');
  assert.equal(stderr, '');
});

test('a long body is made block by block, as it is asked for', () => {
  let made = 0;
  function* lines(): Generator<string> {
    for (; made < 10_000; made++) yield `line ${made} ${'x'.repeat(90)}`;
  }
  const reply = { outcome: makeOutcome(by, 'success', 'done'), lines: lines(), hint: 'go on' };
  const blocks = renderReply(reply, page).stdout[Symbol.iterator]();
  assert.equal(blocks.next().value, '✅ done\n');
  assert.equal(made, 0);
  assert.match(blocks.next().value ?? '', /^line 0 x+\nline 1 /);
  assert.ok(made < 1000);
  const rest = [...{ [Symbol.iterator]: () => blocks }].join('');
  assert.equal(made, 10_000);
  assert.match(rest, /\nline 9999 x+\n {2}hint: go on\n$/);
});

test('a failure takes the hint of the catalogue, in its language, and goes to stderr', () => {
  const outcome = failedOutcome({ ...by, language: 'zh' }, new Fault('SkillNotFound', 'pdf'));
  const { stdout, stderr } = render({ outcome }, { ...page, language: 'zh' });
  assert.equal(stdout, '');
  assert.match(stderr, /^❌ SkillNotFound: 未安装技能: pdf\n {2}提示: `skillwright list --roles`/);
});

test('001-34 JSON is one document with agent, seconds and UTC time', () => {
  const { stdout } = render({ outcome: makeOutcome(by, 'success', 'done') }, { ...page, format: 'json' });
  assert.deepEqual(JSON.parse(stdout).meta, { agent: 'skillwright', time: 1.5, ts: '1970-01-01T00:00:01.500Z' });
  assert.equal(stdout.trim().split('\n').length, 1);
});

test('threat 47 blocked: no format lets text from outside steer the terminal', () => {
  for (const format of ['human', 'json', 'compact'] as const) {
    const outcome = makeOutcome(by, 'success', hostile, { name: hostile });
    const { stdout } = render({ outcome }, { ...page, format });
    for (const line of stdout.split('\n')) assert.doesNotMatch(line, /\p{Cc}|\u202e|\u{e0041}|\u2028/u, format);
    if (format === 'json') assert.equal(JSON.parse(stdout).data.name, hostile);
  }
});

test('colour only where the terminal wants it', () => {
  const reply = { outcome: makeOutcome(by, 'success', 'done') };
  assert.ok(!render(reply, page).stdout.includes('\u001b'));
  const colored: Page = { ...page, terminal: { ...page.terminal, color: true } };
  assert.ok(render(reply, colored).stdout.includes('\u001b['));
});

test('threat 47 blocked: a line of a log carries hostile text as escapes, and still says the same', () => {
  const line = jsonText({ event: 'job failed', reason: hostile });
  assert.match(line, /^[\x20-\x7e\u2705]+$/u);
  assert.deepEqual(JSON.parse(line), { event: 'job failed', reason: hostile });
});
