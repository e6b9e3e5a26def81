import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDecision } from './parse-action.ts';

const answer = (content: string) => JSON.stringify({ action: { type: 'final_answer', content } });
const problemOf = (text: string) => {
  const parsed = parseDecision(text);
  return parsed.ok ? 'accepted' : parsed.problem;
};

test('002-73 002-74 each action is read as the contract says', () => {
  const actions = [
    { type: 'select_skills', skills: [{ name: 'a', source: 'user' }, 'b'], reason: 'both named' },
    { type: 'load_resource', skill: 'a', relative_path: 'reference/x.md', section_hint: '## Y' },
    { type: 'run_script', skill: { name: 'a' }, relative_path: 'scripts/x.py', args: ['--input', 'f'] },
    { type: 'invoke_skill', skill: 'a', action: 'analyze', params: { days: 7 } },
    { type: 'use_tool', tool: 'read_file', args: { path: 'x' } },
    { type: 'search_skills', query: 'pdf' },
    { type: 'final_answer', content: 'done' },
  ];
  for (const action of actions) {
    const parsed = parseDecision(JSON.stringify({ action }));
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.problem);
    assert.equal(parsed.decision.action.type, action.type);
  }
});

test('an action alone, one under its name, and a whole plan as the update are read, too', () => {
  const final = { type: 'final_answer', content: 'x' };
  const plan = { goal: 'g', steps: [{ id: 's1', title: 't', status: 'pending' }], assumptions: [], constraints: {} };
  const update = { mode: 'replace', plan };
  for (const written of [
    { ...final, plan_update: plan },
    { final_answer: { content: 'x' }, plan_update: update },
    { action: final, plan_update: plan },
  ]) {
    const parsed = parseDecision(JSON.stringify(written));
    assert.deepEqual(parsed, { ok: true, decision: { action: final, plan_update: update } });
  }
  for (const written of [
    { final_answer: final },
    { final_answer: { content: 'x' }, select_skills: { skills: ['a'], reason: 'r' } },
    { action: { final_answer: { content: 'x' } } },
    { thought: 'x', final_answer: { content: 'x' } },
  ])
    assert.notEqual(problemOf(JSON.stringify(written)), 'accepted');
});

test('an object wrapped in prose or a code fence is found', () => {
  for (const text of [
    `Sure!\n\`\`\`json\n${answer('x')}\n\`\`\``,
    `  ${answer('a } in { a string')}  `,
    `{not json} ${answer('x')}`,
  ]) {
    assert.ok(parseDecision(text).ok, text);
  }
});

test('002-18 prose is no action', () => {
  assert.match(problemOf('I will now run rm -rf'), /no JSON object/);
  assert.match(problemOf(`${answer('a')} ${answer('b')}`), /several/);
  assert.match(problemOf('{"action": {"type": "run_command"}}'), /action/);
  assert.match(problemOf('{"action": {"type": "final_answer", "content": "x", "extra": 1}}'), /extra/i);
});

test('an inner object is never taken for the decision', () => {
  const nested = JSON.stringify({ thought: { action: { type: 'final_answer', content: 'inner' } } });
  assert.notEqual(problemOf(nested), 'accepted');
  assert.match(problemOf(`{"thought": ${answer('inner')}`), /not closed/);
  assert.notEqual(problemOf(`[${answer('inner')}]`), 'accepted');
  assert.notEqual(problemOf(JSON.stringify(answer('inner'))), 'accepted');
});

test('no cut of a decision is a decision', () => {
  const whole = JSON.stringify({
    action: { type: 'use_tool', tool: 'x', args: { action: { type: 'final_answer', content: 'x' } } },
  });
  for (let length = 0; length < whole.length; length++) assert.equal(parseDecision(whole.slice(0, length)).ok, false);
});

test('whatever a model writes, the parser answers', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(60), (noise, at) => {
      const text = answer('x');
      assert.equal(typeof parseDecision(text.slice(0, at) + noise + text.slice(at)).ok, 'boolean');
    }),
  );
});
