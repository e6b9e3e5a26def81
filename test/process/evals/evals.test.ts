// Evals as a person runs them: the real command, the real agent, offline; and the suite that is shipped with the skills.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openEvalWorld } from '../../../src/app/eval/world.ts';
import { createRuntime } from '../../../src/app/runtime.ts';
import type { Attempt, RunCase } from '../../../src/evals/attempt.ts';
import { readSuite } from '../../../src/evals/case/suite.ts';
import { runSuite } from '../../../src/evals/run-suite.ts';
import { FINAL, load, makeCase, makeRun, model } from '../../support/evals/evals-support.ts';
import { commandLine, count, repository, runCli, temporaryFolder } from '../../support/support.ts';

const SUITE = path.join(repository, 'test', 'fixtures', 'evals', 'builtin.yaml');

function place(t: TestContext, files: Record<string, string> = {}) {
  const root = temporaryFolder(t);
  const cwd = path.join(root, 'project');
  const home = path.join(root, 'home');
  mkdirSync(path.join(cwd, '.agent', 'evals'), { recursive: true });
  mkdirSync(home);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, '.agent', 'evals', name), text);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], { cwd, home });
    return { code, stderr, ...(JSON.parse(stdout) as { state: string; summary: string; data: Record<string, never> }) };
  };
  return { cwd, home, run };
}

const answer = (content: string) => ({ action: { type: 'final_answer', content } });
const select = (name: string) => ({ action: { type: 'select_skills', skills: [name], reason: 'fits' } });

test('002-95 the report names tokens, latency and tool calls, on a terminal and in Markdown', async (t) => {
  const suite = [{ id: 'a', input: 'hello', mock: [answer('hi')], expected: { output: { contains_all: ['hi'] } } }];
  const { cwd, home } = place(t, { 'x.json': JSON.stringify(suite) });
  const { code, stdout } = await runCli(['eval', 'x', '--out', 'reports'], { cwd, home });
  assert.equal(code, 0, stdout);
  for (const name of ['tokens', 'tool calls', 'milliseconds', 'milliseconds p95'])
    assert.match(stdout, new RegExp(`^${name} +\\d+`, 'm'));
  const markdown = readFileSync(path.join(cwd, 'reports', 'report.md'), 'utf8');
  assert.match(markdown, /^\| milliseconds \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$/m);
});

test('a report in Chinese has Chinese heads and reasons; --json keeps the words of the suite', async (t) => {
  const expected = { skills: ['csv-insights'], steps: ['run_script'], output: { contains_all: ['no'] } };
  const { cwd, home } = place(t, {
    'x.json': JSON.stringify([{ id: 'a', input: 'hello', mock: [answer('hi')], expected }]),
  });
  const { code, stdout } = await runCli(['eval', 'x', '--lang', 'zh', '--out', 'reports'], { cwd, home });
  assert.equal(code, 1, stdout);
  assert.match(stdout, /^指标 +值 +95 % +总数$/m);
  assert.match(stdout, /^技能 +精确率 +召回率 +F1$/m);
  assert.match(stdout, /^ +技能 required: csv-insights 须被选择；实际选择: 无$/m);
  assert.match(stdout, /^ +步骤 \S+: .*实际步骤: /m);
  assert.match(stdout, /^ +输出 .*不含 "no"$/m);
  assert.match(readFileSync(path.join(cwd, 'reports', 'report.html'), 'utf8'), /csv-insights 须被选择/);
  assert.match(
    readFileSync(path.join(cwd, 'reports', 'report.json'), 'utf8'),
    /csv-insights must be chosen; chosen: none/,
  );
});

test('a case that names a file and has none says that its folder is empty', async (t) => {
  const suite = [{ id: 'a', input: 'convert README.md to HTML', expected: { steps: ['run_script'] } }];
  const { run } = place(t, { 'x.json': JSON.stringify(suite) });
  const { data } = await run('eval', 'x');
  assert.match(JSON.stringify(data.cases), /the folder of the case is empty, and the request names README\.md/);
});

test('002-11 002-106 the shipped suite passes offline, with every kind of rule, and is judged by what was executed', async (t) => {
  const { run, cwd } = place(t);
  const out = path.join(cwd, 'reports');
  const { code, data, summary, stderr } = await run('eval', SUITE, '--out', out);
  assert.equal(code, 0, `${summary} ${stderr} ${JSON.stringify(data.cases)}`);
  const { cases, metrics, verdict, reports, suite } = data as unknown as {
    cases: { id: string; state: string; passes: number; runs: number; failures: string[] }[];
    metrics: { triggers: Record<string, { recall: number }> };
    verdict: string;
    reports: Record<string, string>;
    suite: string;
  };
  assert.equal(suite, SUITE);
  assert.equal(verdict, 'passed');
  for (const { id, state, passes, runs, failures } of cases)
    assert.deepEqual([id, state, passes, failures], [id, 'passed', runs, []]);
  for (const skill of readdirSync(path.join(repository, 'skills')).filter((name) => !name.includes('.')))
    assert.equal(metrics.triggers[skill]?.recall, 1, `no case chooses ${skill}`);
  assert.deepEqual(Object.keys(reports), ['json', 'markdown', 'html', 'junit']);
  for (const file of Object.values(reports)) assert.ok(existsSync(file));
  const kinds = readFileSync(SUITE, 'utf8');
  for (const kind of [
    'exact',
    'in_order',
    'any_order',
    'before',
    'immediately_after',
    'count',
    'never',
    'never_sequence',
    'args_match',
    'status',
    'no_repeat',
    'denied',
    'equals',
    'contains_all',
    'contains_any',
    'regex',
    'json_schema',
    'json_path',
    'file_exists',
    'file_matches',
    'not',
    'exhausted',
  ])
    assert.match(kinds, new RegExp(`\\b${kind}:`), `no case uses ${kind}`);
});

test('the cases beside the built-in skills pass offline in a project that has nothing', async (t) => {
  const { run } = place(t);
  const { code, data, summary } = await run('eval', '--all', '--strict');
  assert.equal(code, 0, `${summary} ${JSON.stringify(data.cases)}`);
  assert.deepEqual(data.uncovered, []);
});

test('a suite that is stopped says so, keeps what was done, and goes on from there', async (t) => {
  const tests = Array.from({ length: 200 }, (_, at) => ({
    id: `c${at}`,
    input: `request ${at}`,
    expected: { skills: ['csv-insights'] },
    mock: [select('csv-insights'), answer('y')],
  }));
  const { run, cwd, home } = place(t, { 'many.json': JSON.stringify(tests) });
  const journal = path.join(cwd, 'journal.jsonl');
  const kept = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0);
  const child = spawn(process.execPath, [commandLine(), 'eval', 'many', '--journal', journal], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  while (kept() === 0 && child.exitCode === null) await setTimeout(5);
  child.kill('SIGINT');
  assert.equal(await ended, 6);
  const first = kept();
  assert.ok(first > 0 && first < tests.length, String(first));
  const again = await run('eval', 'many', '--journal', journal);
  assert.deepEqual([again.code, kept()], [0, tests.length]);
});

test('002-96 the script of a case decides for the model; a script that ends too early breaks the case and fails nothing', async (t) => {
  const { run } = place(t, {
    'good.json': JSON.stringify({
      input: 'x',
      expected: { skills: ['csv-insights'] },
      mock: [select('csv-insights'), answer('y')],
    }),
    'short.json': JSON.stringify({
      id: 'short',
      input: 'x',
      expected: { skills: ['csv-insights'] },
      mock: [select('csv-insights')],
    }),
  });
  assert.equal((await run('eval', 'good')).code, 0);
  const short = await run('eval', 'short');
  assert.equal(short.code, 2);
  assert.deepEqual(
    (short.data.cases as unknown as { state: string; runs: number }[]).map(({ state, runs }) => [state, runs]),
    [['error', 0]],
  );
});

test('exit codes: 1 for a failed case and for a regression, 2 for cases that prove nothing; skills without cases with --strict', async (t) => {
  const chooses = (name: string, id: string) => ({
    id,
    input: id,
    expected: { skills: ['csv-insights'] },
    mock: [select(name), answer('y')],
  });
  const ids = Array.from({ length: 8 }, (_, at) => `case-${at}`);
  const { run, cwd, home } = place(t, {
    'good.json': JSON.stringify(ids.map((id) => chooses('csv-insights', id))),
    'bad.json': JSON.stringify(ids.map((id, at) => chooses(at === 7 ? 'csv-insights' : 'git-changelog', id))),
    'empty.json': JSON.stringify({ input: 'x', expected: { steps: [{ never: 'grep' }] } }),
    'typo.yaml': 'input: x\nexpectd: {}\n',
  });
  assert.equal((await run('eval', 'good', '--out', 'base', '--report', 'json')).code, 0);
  const bad = await run('eval', 'bad', '--baseline', 'base/report.json');
  assert.equal(bad.code, 1);
  assert.equal(bad.data.verdict, 'regressed');
  const { flips } = bad.data.comparison as unknown as { flips: { before: string; after: string }[] };
  assert.deepEqual(
    flips.map(({ before, after }) => `${before} ${after}`),
    Array.from({ length: 7 }, () => '1/1 0/1'),
  );
  const empty = await run('eval', 'empty');
  assert.deepEqual([empty.code, (empty.data as { code?: string }).code], [2, 'EVAL_INVALID']);
  assert.match(empty.summary, /does nothing passes/);
  for (const nothing of [['nowhere'], ['good', '--only', 'nowhere'], ['good', '--judge', 'nowhere.json']])
    assert.equal((await run('eval', ...nothing)).code, 2, nothing.join(' '));
  assert.match((await run('eval', 'typo')).summary, /typo\.yaml:2: unknown key expectd \(did you mean expected\?\)/);
  mkdirSync(path.join(cwd, '.agent/skills/lonely'), { recursive: true });
  writeFileSync(
    path.join(cwd, '.agent/skills/lonely/SKILL.md'),
    '---\nname: lonely\ndescription: Has no cases.\n---\n# x\n',
  );
  for (const name of ['bad.json', 'empty.json', 'typo.yaml']) writeFileSync(path.join(cwd, '.agent/evals', name), '[]');
  assert.equal((await run('eval')).code, 0);
  const strict = await run('eval', '--strict');
  assert.deepEqual([strict.code, strict.data.uncovered], [1, ['lonely']]);
  const human = await runCli(['eval', '--strict'], { cwd, home });
  assert.match(human.stdout + human.stderr, /hint: `skillwright eval new` makes a case/);
});

test('only models without a network are accepted', async (t) => {
  const { run } = place(t, { 'a.json': '{"input":"x","expected":{"skills":["csv-insights"]}}' });
  assert.equal((await run('eval', 'a', '--model', 'anthropic:claude')).code, 2);
});

test('a case written from a recorded run holds, and fails when a step is missing', async (t) => {
  const { run, cwd } = place(t);
  writeFileSync(path.join(cwd, 'notes.md'), '# Notes\n');
  writeFileSync(path.join(cwd, '.env'), 'KEY=1\n');
  const convert = { action: { type: 'invoke_skill', skill: 'markdown-converter', params: { input: 'notes.md' } } };
  writeFileSync(
    path.join(cwd, 'm.json'),
    JSON.stringify([select('markdown-converter'), convert, answer('The page is ready.')]),
  );
  assert.equal((await run('run', 'Convert notes.md to HTML', '--model', 'mock:m.json')).code, 0);
  const made = await run('eval', 'new', 'convert', '--from', 'latest');
  assert.equal(made.code, 0);
  const file = path.join(cwd, '.agent/evals/convert.json');
  const written = JSON.parse(readFileSync(file, 'utf8')) as { input: string; mock: unknown[]; files?: object };
  assert.equal(written.input, 'Convert notes.md to HTML');
  assert.deepEqual(written.files, { 'notes.md': '# Notes\n' });
  const again = await run('eval', 'convert');
  assert.equal(again.code, 0, again.summary + JSON.stringify(again.data.cases));
  writeFileSync(file, JSON.stringify({ ...written, mock: [written.mock[0], written.mock[2]] }));
  assert.equal((await run('eval', 'convert')).code, 1);
  assert.equal((await run('eval', 'new', 'convert')).code, 1);
});

test('many scripted cases: the same results with one worker and with four, and nothing left behind', async (t) => {
  const root = temporaryFolder(t);
  const temporary = path.join(root, 'tmp');
  mkdirSync(temporary);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const runtime = await createRuntime({
    project: root,
    home: path.join(root, 'home'),
    env: { PATH: process.env.PATH },
  });
  const names = ['csv-insights', 'git-changelog', 'skill-author'];
  const tests = Array.from({ length: count(500, 60) }, (_, at) => {
    const name = names[at % 3] ?? '';
    const mock = at % 7 === 0 ? [answer('none')] : [select(name), answer(`took ${name}`)];
    return makeCase({
      id: `c${at}`,
      skills: { required: [name] },
      output: [{ kind: 'contains_all', words: [name], ignoreCase: false }],
      mock,
    });
  });
  const results = [];
  for (const workers of [1, 4]) {
    const world = openEvalWorld(runtime, { model: 'offline', yes: false });
    const startedAt = performance.now();
    const { results: found, suspicions } = await runSuite(tests, {
      runCase: world.runCase,
      controlSkill: 'csv-insights',
      workers,
    });
    t.diagnostic(`${tests.length} cases with ${workers} workers: ${Math.round(performance.now() - startedAt)} ms`);
    world.close();
    assert.deepEqual(suspicions, []);
    results.push(
      found.map(({ id, state, failures, attempts }) => ({
        id,
        state,
        failures,
        steps: attempts[0]?.steps,
        judged: attempts[0]?.judgements,
      })),
    );
  }
  assert.deepEqual(results[0], results[1]);
  assert.equal(results[0]?.filter(({ state }) => state === 'failed').length, Math.ceil(tests.length / 7));
  assert.deepEqual(readdirSync(temporary), []);
});

test('a crash of the harness is told before any result is', async () => {
  const { cases } = await readSuite({ file: SUITE });
  assert.ok(cases.length > 10);
  const runCase = () => Promise.reject(new Error('no harness'));
  const { results, suspicions } = await runSuite(cases, { runCase, controlSkill: 'a' });
  assert.deepEqual([results.length, suspicions.map(({ code }) => code)], [0, ['positive-control', 'negative-control']]);
});

/** A harness that answers as its script says, at a cost. */
const costly: RunCase = async ({ mock = [] }) =>
  makeRun([model(0, 1), ...(mock.length > 1 ? [load('a')] : []), FINAL], { answer: 'control: the answer' });

test('beyond the cost cap no case is begun, and what was not begun is neither passed nor failed', async () => {
  const tests = ['1', '2', '3', '4'].map((id) => makeCase({ id, skills: { none: true } }));
  const order = { runCase: costly, controlSkill: 'a', workers: 1 };
  const { results, metrics } = await runSuite(tests, { ...order, maxCost: 2 });
  assert.deepEqual(
    results.map(({ state }) => state),
    ['passed', 'passed', 'skipped', 'skipped'],
  );
  assert.match(results[3]?.failures[0] ?? '', /cost cap/);
  assert.deepEqual([metrics.cases.skipped, metrics.pass_rate.of], [2, 2]);
});

test('what was done before is not done again, unless the case says something else now', async () => {
  const old = makeCase({ id: '1', skills: { none: true } });
  let runs = 0;
  const runCase: RunCase = (one, at) => {
    if (!one.id.startsWith('control/')) runs++;
    return costly(one, at);
  };
  const done = new Map<string, Attempt>();
  const order = { runCase, controlSkill: 'a', done, onAttempt: (key: string, one: Attempt) => void done.set(key, one) };
  await runSuite([old], order);
  await runSuite([{ ...old, file: 'elsewhere.json', line: 9 }], order);
  assert.equal(runs, 1);
  await runSuite([{ ...old, turns: ['another request'] }], order);
  assert.equal(runs, 2);
});
