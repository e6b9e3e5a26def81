// Suites as files: our own form and those of others, mistakes named by line, and reports that can be read back.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { load } from 'js-yaml';
import { z } from 'zod';
import { findSuiteFiles, readSuite, readSuites } from '../../../src/evals/case/suite.ts';
import { suiteJsonSchema } from '../../../src/evals/case/suite-schema.ts';
import { compareResults } from '../../../src/evals/compare.ts';
import { openJournal } from '../../../src/evals/journal.ts';
import { measure } from '../../../src/evals/metrics.ts';
import { readBaseline } from '../../../src/evals/report/baseline.ts';
import { renderHtml } from '../../../src/evals/report/html.ts';
import { renderJunit } from '../../../src/evals/report/junit.ts';
import { renderMarkdown } from '../../../src/evals/report/markdown.ts';
import { makeReport, type Report } from '../../../src/evals/report/report.ts';
import { diffSteps } from '../../../src/evals/report/step-diff.ts';
import { attempt, makeCase, result } from '../../support/evals/evals-support.ts';
import { repository, temporaryFolder } from '../../support/support.ts';

function write(t: TestContext, files: Record<string, string>): string {
  const folder = temporaryFolder(t);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

async function read(t: TestContext, name: string, text: string, more: Record<string, string> = {}, skill?: string) {
  const folder = write(t, { [name]: text, ...more });
  return await readSuite({ file: path.join(folder, name), ...(skill !== undefined && { skill }) });
}

test('a case in the form of the seed: input, expected, constraints', async (t) => {
  const { cases, diagnostics } = await read(
    t,
    'one.json',
    JSON.stringify({
      input: 'Convert notes.md',
      expected: { skills: ['markdown-converter'], steps: ['load_skill', 'run_script'], output: ['done'] },
      constraints: { max_tool_calls: 3, forbidden_tools: ['write_file'] },
    }),
  );
  assert.deepEqual(diagnostics, []);
  const [one] = cases;
  assert.deepEqual(one?.turns, ['Convert notes.md']);
  assert.deepEqual(one?.skills.required, ['markdown-converter']);
  assert.deepEqual(one?.steps, [{ kind: 'in_order', steps: [{ step: 'load_skill' }, { step: 'run_script' }] }]);
  assert.deepEqual(one?.output, [{ kind: 'contains_all', words: ['done'], ignoreCase: false }]);
  assert.equal(one?.limits.maxToolCalls, 3);
  assert.deepEqual(one?.limits.forbiddenTools, ['write_file']);
  assert.match(one?.id ?? '', /^convert-notes-md-[0-9a-f]{6}$/);
});

test('expected skills may be empty: then none may be chosen', async (t) => {
  const { cases } = await read(t, 'one.yaml', 'input: hello\nexpected: {skills: []}\n');
  assert.equal(cases[0]?.skills.none, true);
});

test('the full form, in YAML, with defaults, short and long spellings', async (t) => {
  const { cases, diagnostics } = await read(
    t,
    'full.yaml',
    `defaults: {repeat: 3}
cases:
  - id: all
    turns: [first, second]
    files: {a/b.txt: text}
    setup: {budget: {turns: 2}}
    skills: {required: a, any_of: [b, c], forbidden: [d], exact: true}
    steps:
      - exact: [load_skill:a, {step: run_script, skill: a, status: success}]
      - count: {step: grep, max: 2}
      - count: {step: grep}
      - args_match: {step: run_script, subset: {args: [x]}}
      - status: {step: run_script, is: success}
      - denied: write_file
      - no_repeat: 2
    output:
      - not: {contains_any: [secret], ignore_case: true}
      - json_path: {path: "$.a[0]", equals: 1}
      - file_matches: {path: out.html, regex: h1, contains_all: Notes}
      - keywords: [k]
        structure: {type: object}
    expected: {state: partial, exhausted: turns}
    mock: [{action: {type: final_answer, content: x}}, raw]
    pass: 0.5
    tags: [slow]
`,
  );
  assert.deepEqual(diagnostics, []);
  const [one] = cases;
  assert.equal(one?.repeat, 3);
  assert.equal(one?.line, 3);
  assert.deepEqual(one?.skills, { required: ['a'], anyOf: ['b', 'c'], forbidden: ['d'], none: false, exact: true });
  assert.deepEqual(one?.steps[0], {
    kind: 'exact',
    steps: [
      { step: 'load_skill', skill: 'a' },
      { step: 'run_script', skill: 'a', status: 'success' },
    ],
  });
  assert.deepEqual(one?.steps[1], { kind: 'count', step: { step: 'grep' }, min: 0, max: 2 });
  assert.deepEqual(one?.steps[2], { kind: 'count', step: { step: 'grep' }, min: 1, max: Infinity });
  assert.deepEqual(
    one?.output.map(({ kind }) => kind),
    ['not', 'json_path', 'file_matches', 'file_matches', 'contains_all', 'json_schema'],
  );
  assert.deepEqual([one?.state, one?.exhausted, one?.pass, one?.budget.turns], ['partial', 'turns', 0.5, 2]);
});

test('mistakes are named by line, with what was meant', async (t) => {
  const yaml = await read(
    t,
    'bad.yaml',
    'cases:\n  - id: a\n    input: x\n    expectd:\n      skills: [a]\n  - id: b\n    input: y\n    steps:\n      - nevr: grep\n',
  );
  assert.deepEqual(
    yaml.diagnostics.map(({ line, message, fix }) => [line, message, fix]),
    [
      [4, 'unknown key expectd', 'did you mean expected?'],
      [9, 'unknown key nevr in steps.0', 'did you mean never?'],
    ],
  );
  const json = await read(t, 'bad.json', '[\n  {"id": "a"},\n  {"id": "b", "input": "x",\n   "repeat": 0}\n]');
  assert.deepEqual(
    json.diagnostics.map(({ line }) => line),
    [2, 4],
  );
  assert.match(json.diagnostics[0]?.message ?? '', /input or turns/);
  assert.match((await read(t, 'torn.json', '[{"id": ')).diagnostics[0]?.message ?? '', /cannot be read/);
  assert.equal((await read(t, 'torn.yaml', 'a: [1\nb: 2\n')).diagnostics[0]?.code, 'eval-invalid');
  assert.match((await read(t, 'bomb.yaml', 'a: &a [x]\nb: [*a, *a]\n')).diagnostics[0]?.message ?? '', /anchors/);
  assert.match(
    (await read(t, 'out.json', '{"input":"x","files":{"../x":"y"}}')).diagnostics[0]?.message ?? '',
    /inside the project/,
  );
});

test('evals.json of public skills, with both spellings of what is expected, and trigger lists', async (t) => {
  const set = {
    skill_name: 'csv',
    triggers: [
      { query: 'read sales.csv', should_trigger: true },
      { query: 'write a parser', should_trigger: false },
    ],
    evals: [
      { id: 1, prompt: 'sum it', files: ['assets/a.csv'], expected_output: 'a sum', expectations: ['says 3'] },
      { id: 2, prompt: 'sum that', assertions: [{ text: 'says 4' }], files: { 'b.csv': '1' } },
      { id: 3, prompt: 'sum what', files: ['assets/none.csv'] },
    ],
  };
  const folder = write(t, { 'csv/evals/evals.json': JSON.stringify(set), 'csv/assets/a.csv': '1,2' });
  const { cases, diagnostics } = await readSuite({ file: path.join(folder, 'csv/evals/evals.json'), skill: 'csv' });
  assert.deepEqual(
    cases.map(({ skills }) => [skills.required, skills.forbidden]),
    [
      [['csv'], []],
      [[], ['csv']],
      [['csv'], []],
      [['csv'], []],
    ],
  );
  assert.deepEqual(cases[2]?.files, { 'a.csv': '1,2' });
  assert.deepEqual(cases[2]?.output, [
    { kind: 'rubric', text: 'a sum' },
    { kind: 'rubric', text: 'says 3' },
  ]);
  assert.deepEqual(cases[3]?.output, [{ kind: 'rubric', text: 'says 4' }]);
  assert.deepEqual(
    cases.slice(2).map(({ id }) => id),
    ['csv/1', 'csv/2'],
  );
  assert.match(diagnostics[0]?.message ?? '', /assets\/none\.csv, which is not there/);
  const list = await read(
    t,
    'triggers.json',
    '[{"query": "x", "should_trigger": "yes"}, {"query": "y", "should_trigger": true}]',
    {},
    'csv',
  );
  assert.deepEqual([list.cases.length, list.diagnostics[0]?.message], [1, 'should_trigger is neither true nor false']);
  const alone = await read(t, 'triggers.json', '[{"query": "y", "should_trigger": true}]');
  assert.match(alone.diagnostics[0]?.message ?? '', /which skill/);
});

test('no case beside a built-in skill names it: then nothing would have to be chosen', async () => {
  const skills = path.join(repository, 'skills');
  for (const { name } of readdirSync(skills, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const { cases } = await readSuite({ file: path.join(skills, name, 'evals', 'evals.json'), skill: name });
    assert.ok(cases.length >= 7, name);
    for (const { turns } of cases) assert.ok(!turns.join(' ').toLowerCase().includes(name), turns.join(' '));
  }
});

test('sets of questions with the skill and script they need', async (t) => {
  const { cases, diagnostics } = await read(
    t,
    'evals.json',
    JSON.stringify([
      {
        id: 'q1',
        question: 'how?',
        expected_skill: 'cuda',
        expected_script: 'run.py',
        ground_truth: 'so',
        expected_behavior: ['calls run.py'],
      },
      { id: 'q2', question: 'weather?', expected_skill: null },
      { id: 'q3', expected_skill: 'cuda' },
    ]),
  );
  assert.deepEqual(cases[0]?.skills.required, ['cuda']);
  assert.deepEqual(cases[0]?.steps, [
    { kind: 'args_match', step: { step: 'run_script' }, args: { regex: 'run\\.py' } },
  ]);
  assert.equal(cases[0]?.output.length, 2);
  assert.equal(cases[1]?.skills.none, true);
  assert.deepEqual(
    diagnostics.map(({ message }) => message),
    ['has no question'],
  );
});

test('waza: trigger tests, and suites with tasks and graders; what runs code is refused with the reason', async (t) => {
  const triggers = await read(
    t,
    'trigger_tests.yaml',
    'skill: rev\nshould_trigger_prompts:\n  - prompt: review this\n    reason: r\nshould_not_trigger_prompts:\n  - prompt: what time is it\n  - {}\n',
  );
  assert.deepEqual(
    triggers.cases.map(({ skills }) => [skills.required, skills.forbidden]),
    [
      [['rev'], []],
      [[], ['rev']],
    ],
  );
  assert.deepEqual(
    triggers.diagnostics.map(({ line, message }) => [line, message]),
    [[7, 'has no prompt']],
  );
  const suite = `name: rev-eval
skill: rev
config: {trials_per_task: 3}
graders:
  - type: behavior
    config: {max_tool_calls: 5, forbidden_tools: [bash]}
tasks:
  - "tasks/*.yaml"
`;
  const task = `id: t1
inputs:
  prompt: Review it
  files: [{path: a.py, content: "x = 1"}]
expected: {output_contains: [review]}
graders:
  - {type: text, config: {regex_match: ["bugs?"], not_contains: [sorry]}}
  - {type: action_sequence, config: {matching_mode: in_order_match, expected_actions: [view, edit]}}
  - {type: skill_invocation, config: {required_skills: [rev]}}
  - {type: file, config: {must_exist: [out.md]}}
  - {type: tool_constraint, config: {reject_tools: [{tool: web_fetch}]}}
`;
  const { cases, diagnostics } = await read(t, 'eval.yaml', suite, {
    'tasks/one.yaml': task,
    'tasks/two.yaml': 'id: t2\ninputs: {prompt: x}\ngraders: [{type: program, config: {command: ./x}}]\n',
  });
  const [one] = cases;
  assert.deepEqual(
    [one?.id, one?.repeat, one?.limits.maxToolCalls, one?.limits.forbiddenTools],
    ['rev/t1', 3, 5, ['run_command']],
  );
  assert.deepEqual(one?.steps, [
    { kind: 'in_order', steps: [{ step: 'read_file' }, { step: 'write_file' }] },
    { kind: 'never', step: { step: 'network_request' } },
  ]);
  assert.deepEqual(one?.skills.required, ['rev']);
  assert.deepEqual(
    one?.output.map(({ kind }) => kind),
    ['contains_all', 'not', 'regex', 'file_exists'],
  );
  assert.equal(cases.length, 1);
  assert.match(diagnostics[0]?.message ?? '', /tasks\/two\.yaml has a grader of type program, which runs code/);
});

test('formats nobody knows are refused, and one bad file breaks no other', async (t) => {
  const folder = write(t, {
    'a.json': '"text"',
    'b.yaml': 'stimuli: [{prompt: x}]\n',
    'c.json': '{"id": "c", "input": "x"}',
    'sub/evals.json': '[{"id": "c", "input": "y"}]',
    'sub/report.json': '{"format": "skillwright-eval"}',
    'notes.txt': 'x',
  });
  const files = findSuiteFiles(folder);
  assert.deepEqual(
    files.map(({ file }) => path.relative(folder, file)),
    ['a.json', 'b.yaml', 'c.json', 'sub/evals.json'],
  );
  const { cases, diagnostics } = await readSuites(files, 'x');
  assert.deepEqual(
    cases.map(({ id }) => id),
    ['c', 'evals/c'],
  );
  assert.match(diagnostics[0]?.message ?? '', /neither a case/);
  assert.match(diagnostics[1]?.message ?? '', /in the form of vally, which is not read/);
  const beside = await read(t, 'beside.yaml', 'cases: [{input: x}]\ndefault: {repeat: 2}\n');
  assert.deepEqual(
    beside.diagnostics.map(({ line, message }) => [line, message]),
    [[2, 'unknown key default; beside cases stand defaults, name, description']],
  );
});

test('what changed between two lists of steps', () => {
  const told = (before: string[], after: string[]) =>
    diffSteps(before, after).map(({ side, step }) => `${{ both: ' ', before: '-', after: '+' }[side]}${step}`);
  assert.deepEqual(told(['a', 'b', 'c'], ['a', 'x', 'c']), [' a', '-b', '+x', ' c']);
  assert.deepEqual(told([], ['a']), ['+a']);
  assert.deepEqual(told(['a', 'b'], ['b']), ['-a', ' b']);
  assert.deepEqual(told(['a', 'b', 'a'], ['b', 'a', 'c']), ['-a', ' b', ' a', '+c']);
});

test('the schema for editors takes the shipped suite and refuses what the reader refuses', async () => {
  const schema = z.fromJSONSchema(suiteJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  const shipped = load(readFileSync(path.join(repository, 'test/fixtures/evals/builtin.yaml'), 'utf8'));
  assert.deepEqual(schema.safeParse(shipped).error, undefined);
  const good = { input: 'x', expected: { skills: ['a'], steps: ['load_skill', { never: 'grep' }], output: 'y' } };
  for (const value of [good, [good], { cases: [good], defaults: { repeat: 3 } }])
    assert.ok(schema.safeParse(value).success);
  for (const value of [
    { ...good, turns: ['x'] },
    { expected: {} },
    { ...good, expectd: {} },
    { ...good, steps: [{ nevr: 'grep' }] },
    { cases: [good], default: {} },
    'text',
  ])
    assert.equal(schema.safeParse(value).success, false, JSON.stringify(value));
});

test('a journal gives back what was finished, and no line that was cut or is no attempt', (t) => {
  const file = path.join(temporaryFolder(t), 'journal.jsonl');
  const first = openJournal(file);
  first.add('a-0', attempt('passed'));
  first.add('b-0', attempt('error'));
  first.close();
  const { totals: _, ...halved } = attempt('passed');
  const line = JSON.stringify({ key: 'd-0', attempt: halved });
  writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n{"key":"c-0","att`);
  const again = openJournal(file);
  again.close();
  assert.deepEqual([...again.done.keys()], ['a-0']);
});

function sampleReport(): Report {
  const evil = '<script>alert(1)</script> ]]> "x" | `y` \u202e';
  const tests = [makeCase({ id: evil, turns: [evil] }), makeCase({ id: 'good', skills: { required: ['a'] } })];
  const bad = attempt('failed', {
    judgements: [{ aspect: 'steps', rule: 'never', ok: false, message: evil, evidence: [4] }],
    steps: [{ name: 'grep', status: 'success', executed: true, at: 4, args: { q: evil } }],
    answer: evil,
  });
  const results = [
    result(evil, [bad], { failures: [evil] }),
    result('good', [attempt('passed', { triggered: ['project:a@1'] })]),
  ];
  const comparison = compareResults([{ id: 'good', state: 'failed', passes: 0, runs: 1 }], results);
  const parts = {
    suite: evil,
    base: '/',
    now: 0,
    tests,
    results,
    metrics: measure(tests, results),
    suspicions: [],
    uncovered: [evil],
  };
  return makeReport({ ...parts, comparison });
}

test('reports hold hostile text as text, and the JSON one is read back as a baseline', (t) => {
  const report = sampleReport();
  const html = renderHtml(report);
  assert.doesNotMatch(html, /<script>alert/);
  assert.doesNotMatch(html, /\u202e/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.doesNotMatch(html, /(?:src|href)=(?!"#)/);
  assert.match(html, /default-src 'none'/);
  assert.match(html, /class="mark"/);
  const junit = renderJunit(report);
  assert.doesNotMatch(junit, /<script>/);
  assert.match(junit, /failures="1"/);
  const markdown = renderMarkdown(report);
  assert.doesNotMatch(markdown, /(?<!\\)<script/);
  assert.match(markdown, /\| good \| 0\/1 \| 1\/1 \| better \|/);
  const file = path.join(temporaryFolder(t), 'report.json');
  writeFileSync(file, JSON.stringify(report));
  assert.deepEqual(
    readBaseline(file).map(({ id, passes, runs }) => [id, passes, runs]),
    [
      [report.suite, 0, 1],
      ['good', 1, 1],
    ],
  );
  writeFileSync(file, JSON.stringify({ ...report, version: 2 }));
  assert.throws(() => readBaseline(file), /version 2/);
  writeFileSync(file, '{}');
  assert.throws(() => readBaseline(file), /no report/);
});
