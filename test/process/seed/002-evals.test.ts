// Seed 002, section 11: cases in the form that is drawn there, judged with a scripted model, and the four kinds of figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlace } from '../../support/place.ts';
import { readAnswer } from '../../support/rule-support.ts';

const load = {
  action: { type: 'select_skills', skills: [{ name: 'kpi-report', source: 'project' }], reason: 'figures' },
};
const run = {
  action: {
    type: 'run_script',
    skill: 'kpi-report',
    relative_path: 'scripts/aggregate.py',
    args: ['--input', 'a.csv'],
  },
};
const read = { action: { type: 'use_tool', tool: 'read_file', args: { path: 'a.csv' } } };
const say = (content: string) => ({ action: { type: 'final_answer', content } });

const CASES = [
  {
    id: 'as-drawn',
    input: '本月卖了多少？',
    expected: { skills: ['kpi-report'], steps: ['load_skill', 'run_script'], output: { keywords: ['sold'] } },
    constraints: { max_tool_calls: 2, forbidden_tools: ['write_file'] },
    mock: [load, run, say('sold: 7')],
  },
  { id: 'no-skill', input: '早上好', expected: { skills: [] }, mock: [say('good morning')] },
  {
    id: 'structure',
    input: '本月卖了多少？只要 JSON',
    expected: { output: { structure: { type: 'object', required: ['sold'] } } },
    mock: [say('{"sold": 7}')],
  },
  {
    id: 'wrong-order',
    input: '再算一次',
    expected: { steps: ['run_script', 'load_skill'] },
    mock: [load, run, say('7')],
  },
  {
    id: 'forbidden',
    input: '看一下',
    expected: { output: ['looked'] },
    constraints: { forbidden_tools: ['read_file'] },
    mock: [read, say('looked')],
  },
  {
    id: 'too-many',
    input: '再看一下',
    expected: { output: ['looked'] },
    constraints: { max_tool_calls: 1 },
    mock: [read, { action: { type: 'use_tool', tool: 'list_dir', args: {} } }, say('looked')],
  },
];

test('seed 002, sections 11/9.1, 11/9.2 and 11/9.3: cases with input, expected and constraints run offline on a script', async (t) => {
  const place = makePlace(t, {
    'project/.agent/skills/kpi-report/SKILL.md':
      '---\nname: kpi-report\ndescription: Sums up a month.\n---\n# Figures\n',
    'project/.agent/skills/kpi-report/scripts/aggregate.py': 'print("sold: 7")\n',
    'project/.agent/evals/figures.json': JSON.stringify({ cases: CASES }),
  });
  const report = readAnswer(await place.run('eval', '--yes', '--json'));
  const cases = report.data.cases as { id: string; state: string; failures: string[] }[];
  assert.deepEqual(Object.fromEntries(cases.map(({ id, state, failures }) => [id, [state, ...failures].join(': ')])), {
    'as-drawn': 'passed',
    'no-skill': 'passed',
    structure: 'passed',
    'wrong-order':
      'failed: steps in_order: no load_skill in its place; the steps were load_skill, run_script, final_answer',
    forbidden: 'failed: limits forbidden_tools: read_file was used 1 times',
    'too-many': 'failed: limits max_tool_calls: 2 of 1',
  });
  const { triggers, sequence, output, cost } = report.data.metrics as Record<string, Record<string, unknown>>;
  assert.partialDeepStrictEqual(triggers?.['kpi-report'], { precision: 1, recall: 1 });
  assert.deepEqual([sequence?.rate, output?.rate], [0.5, 1]);
  assert.deepEqual([cost?.tool_calls_total, cost?.tokens_total], [5, 0]);
  assert.ok(Number(cost?.milliseconds_total) > 0);
});
