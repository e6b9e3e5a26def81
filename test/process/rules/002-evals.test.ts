// Seed 002, section 11: cases as the seed writes them, judged by what was executed; every rule with a case that fails.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Metrics } from '../../../src/evals/metrics.ts';
import { answer, invoke, makeWorld, plant, select, tool } from '../../support/agent-support.ts';
import { ask } from '../../support/rule-support.ts';

const CSV = select('csv-insights');
const GIT = select('git-changelog');
const write = tool('write_file', { path: 'mybox/a.html', content: '<h1>Notes</h1>' });
const look = (depth: number) => tool('list_dir', { depth });
const describe = invoke('csv-insights', {}, 'describe');

/** By id: the script of the model, what is expected, and within which limits. */
type Cases = Record<string, readonly [mock: readonly object[], expected: object, constraints?: object]>;

const LIMITS = { max_tool_calls: 1, forbidden_tools: ['write_file'] };
const SEED = { skills: ['csv-insights'], steps: ['load_skill', 'final_answer'], output: ['rows'] };
const READ_FIRST = [{ before: ['load_skill', 'run_script'] }, { count: { step: 'run_script' } }];
const SHAPE = { json_schema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } } };
const PAGE = { file_matches: { path: 'mybox/*.html', contains_all: ['Notes'] } };

const PASS: Cases = {
  seed: [[CSV, look(1), answer('3 rows')], SEED, LIMITS],
  none: [[answer()], { skills: [] }],
  found: [[GIT, answer()], { skills: ['git-changelog'] }],
  read: [[CSV, describe, answer()], { steps: READ_FIRST }],
  words: [[answer('3 rows, 2 columns')], { output: [{ contains_all: ['rows', 'columns'] }] }],
  shape: [[answer('{"n": 1}')], { output: [SHAPE, { json_path: { path: '$.n', equals: 1 } }] }],
  page: [[write, answer()], { output: [PAGE] }],
};

const FAIL: Cases = {
  'two calls': [[CSV, look(1), look(2), answer('3 rows')], SEED, LIMITS],
  'forbidden tool': [[write, answer('3 rows')], { output: ['rows'] }, LIMITS],
  'other steps': [[answer('3 rows')], { steps: ['load_skill', 'final_answer'] }],
  'one where none is wanted': [[GIT, answer()], { skills: [] }],
  'another skill': [[CSV, answer()], { skills: ['git-changelog'] }],
  'no skill': [[answer()], { skills: ['git-changelog'] }],
  'read afterwards': [[describe, CSV, answer()], { steps: READ_FIRST }],
  'one word of two': [[answer('3 rows')], { output: [{ contains_all: ['rows', 'columns'] }] }],
  'another shape': [[answer('{"n": "1"}')], { output: [SHAPE] }],
  'another value': [[answer('{"n": 2}')], { output: [{ json_path: { path: '$.n', equals: 1 } }] }],
  'no page': [[answer()], { output: [PAGE] }],
};

interface Judged {
  readonly id: string;
  readonly state: string;
}

test('002-91 002-92 002-93 002-94 002-106 cases of skills, steps, output and limits pass and fail offline as they should; precision, recall and a report', async (t) => {
  const { project, home } = makeWorld(t);
  const cases = Object.entries({ ...PASS, ...FAIL }).map(([id, [mock, expected, constraints]]) => {
    return { id, input: `request ${id}`, mock, expected, ...(constraints && { constraints }) };
  });
  plant(project, { '.agent/evals/seed.json': JSON.stringify(cases) });
  const said = await ask(project, ['eval', 'seed', '--out', 'reports'], { at: home });
  assert.deepEqual([said.code, said.data.type], [1, 'CheckFailed'], said.summary);
  const wanted = [...Object.keys(PASS).map((id) => [id, 'passed']), ...Object.keys(FAIL).map((id) => [id, 'failed'])];
  assert.deepEqual(
    (said.data.cases as Judged[]).map(({ id, state }) => [id, state]),
    wanted,
    JSON.stringify(said.data.cases),
  );
  const { triggers } = said.data.metrics as Metrics;
  assert.deepEqual(triggers['git-changelog'], {
    true_positives: 1,
    false_positives: 1,
    false_negatives: 2,
    true_negatives: 1,
    precision: 0.5,
    recall: 0.3333,
    f1: 0.4,
  });
  const report = readFileSync(path.join(project, 'reports', 'report.md'), 'utf8');
  assert.match(report, /7 of 18 cases passed, 11 failed/);
  assert.match(report, /git-changelog/);
});
