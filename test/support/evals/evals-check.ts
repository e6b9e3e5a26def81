// What the judge, the metrics and the instrument checks must say, as checks that also run against changed copies of them.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AuditEvent } from '../../../src/audit/event.ts';
import type { State } from '../../../src/base/outcome.ts';
import type { RunCase } from '../../../src/evals/attempt.ts';
import type { Case, CaseLimits, StepPattern, StepRule } from '../../../src/evals/case/case.ts';
import type { Matcher } from '../../../src/evals/matcher/plain-form.ts';
import {
  attempt,
  call,
  FINAL,
  load,
  type Modules,
  makeCase,
  makeRun,
  model,
  refusedCall,
  resource,
  result,
} from './evals-support.ts';

export interface Check {
  readonly name: string;
  run(modules: Modules): Promise<void>;
}

const step = (name: string, more: Partial<StepPattern> = {}): StepPattern => ({ step: name, ...more });
const READ = () => call('read_file', { args: { path: 'a' } });
const GREP = () => call('grep', { args: { pattern: 'b' } });
const SCRIPT = (state = 'success') =>
  call('run_script', { skill: 'csv', args: { script: 's.py', args: ['x', 'y'] }, effect: 'ask', by: 'grant', state });

/** Whether a run with these events keeps the rule. */
async function keeps({ judge }: Modules, rule: StepRule, events: readonly AuditEvent[]): Promise<boolean> {
  const judgements = await judge.judgeRun(makeCase({ steps: [rule] }), makeRun(events));
  const found = judgements.find(({ aspect }) => aspect === 'steps');
  assert.ok(found, 'the rule was not judged');
  return found.ok === true;
}

async function agree(modules: Modules, rule: StepRule, good: AuditEvent[][], bad: AuditEvent[][]): Promise<void> {
  for (const events of good) assert.ok(await keeps(modules, rule, events), `${rule.kind} refuses a good run`);
  for (const events of bad) assert.ok(!(await keeps(modules, rule, events)), `${rule.kind} accepts a bad run`);
}

async function fits(
  { judge }: Modules,
  matcher: Matcher,
  answer: string,
  folder?: string,
): Promise<boolean | undefined> {
  const run = makeRun([FINAL], { answer, ...(folder !== undefined && { folder }) });
  const judgements = await judge.judgeRun(makeCase({ output: [matcher] }), run);
  return judgements.find(({ aspect }) => aspect === 'output')?.ok;
}

async function agreeText(
  modules: Modules,
  matcher: Matcher,
  good: string[],
  bad: string[],
  folder?: string,
): Promise<void> {
  for (const text of good) {
    assert.equal(await fits(modules, matcher, text, folder), true, `${matcher.kind} refuses ${text}`);
    assert.equal(
      await fits(modules, { kind: 'not', of: matcher }, text, folder),
      false,
      `not ${matcher.kind}: ${text}`,
    );
  }
  for (const text of bad) {
    assert.equal(await fits(modules, matcher, text, folder), false, `${matcher.kind} accepts ${text}`);
    assert.equal(await fits(modules, { kind: 'not', of: matcher }, text, folder), true, `not ${matcher.kind}: ${text}`);
  }
}

async function judged(modules: Modules, test: Case, events: readonly AuditEvent[], told = {}) {
  return await modules.judge.judgeRun(test, makeRun(events, told));
}

const STEP_CHECKS: Check[] = [
  {
    name: 'exact: the same steps, no more, in this order; the answer aside',
    run: (m) =>
      agree(
        m,
        { kind: 'exact', steps: [step('read_file'), step('grep')] },
        [
          [...READ(), ...GREP()],
          [...READ(), ...GREP(), FINAL],
        ],
        [
          [...GREP(), ...READ()],
          [...READ()],
          [...READ(), ...GREP(), ...READ()],
          [],
          [...READ(), ...refusedCall('grep', 'deny')],
        ],
      ),
  },
  {
    name: 'in_order: with others between, never backwards, each step once',
    run: (m) =>
      agree(
        m,
        { kind: 'in_order', steps: [step('read_file'), step('grep')] },
        [
          [...READ(), ...SCRIPT(), ...GREP()],
          [...GREP(), ...READ(), ...GREP()],
        ],
        [[...GREP(), ...READ()], [...READ()], []],
      ).then(() =>
        agree(m, { kind: 'in_order', steps: [step('grep'), step('grep')] }, [[...GREP(), ...GREP()]], [[...GREP()]]),
      ),
  },
  {
    name: 'any_order: all there, each by a step of its own',
    run: (m) =>
      agree(
        m,
        { kind: 'any_order', steps: [step('read_file'), step('grep'), step('grep')] },
        [[...GREP(), ...READ(), ...GREP()]],
        [[...GREP(), ...READ()], []],
      ).then(() =>
        agree(
          m,
          { kind: 'any_order', steps: [step('run_script'), step('run_script', { skill: 'csv' })] },
          [[...SCRIPT(), ...call('run_script', { skill: 'pdf' })]],
          [[...call('run_script', { skill: 'pdf' }), ...call('run_script', { skill: 'pdf' })]],
        ),
      ),
  },
  {
    name: '002-93 before: instructions are loaded before a script runs',
    run: (m) =>
      agree(
        m,
        { kind: 'before', steps: [step('load_skill'), step('run_script')] },
        [[load('csv'), ...SCRIPT()], [...READ()], [load('csv'), ...SCRIPT(), ...SCRIPT()]],
        [[...SCRIPT(), load('csv')], [...SCRIPT()]],
      ),
  },
  {
    name: 'immediately_after: every time, and at least once',
    run: (m) =>
      agree(
        m,
        { kind: 'immediately_after', steps: [step('read_file'), step('grep')] },
        [
          [...READ(), ...GREP()],
          [...READ(), ...GREP(), ...READ(), ...GREP()],
        ],
        [[...READ(), ...SCRIPT(), ...GREP()], [...READ(), ...GREP(), ...READ()], [...GREP()], []],
      ),
  },
  {
    name: 'count: from the least to the most',
    run: (m) =>
      agree(
        m,
        { kind: 'count', step: step('grep'), min: 1, max: 2 },
        [[...GREP()], [...GREP(), ...GREP()]],
        [[], [...GREP(), ...GREP(), ...GREP()], [...READ()]],
      ),
  },
  {
    name: 'never: not executed; being refused is no execution',
    run: (m) =>
      agree(
        m,
        { kind: 'never', step: step('grep') },
        [[...READ()], [...refusedCall('grep', 'deny')]],
        [[...READ(), ...GREP()]],
      ),
  },
  {
    name: 'never_sequence: not directly one after the other',
    run: (m) =>
      agree(
        m,
        { kind: 'never_sequence', steps: [step('read_file'), step('grep')] },
        [[...GREP(), ...READ()], [...READ(), ...SCRIPT(), ...GREP()], []],
        [
          [...READ(), ...GREP()],
          [...GREP(), ...READ(), ...GREP()],
        ],
      ),
  },
  {
    name: 'args_match: by pattern and by part, of the right step',
    run: async (m) => {
      const part: StepRule = { kind: 'args_match', step: step('run_script'), args: { subset: { args: ['y'] } } };
      await agree(
        m,
        part,
        [[...SCRIPT()]],
        [[...call('run_script', { args: { args: ['z'] } })], [...call('grep', { args: { args: ['y'] } })], []],
      );
      const deep: StepRule = { kind: 'args_match', step: step('run_script'), args: { subset: { args: ['y', 'x'] } } };
      await agree(m, deep, [], [[...SCRIPT()]]);
      const key: StepRule = {
        kind: 'args_match',
        step: step('run_script'),
        args: { subset: { script: 's.py', args: [] } },
      };
      await agree(m, key, [[...SCRIPT()]], [[...call('run_script', { args: { script: 's.py' } })]]);
      const pattern: StepRule = { kind: 'args_match', step: step('run_script'), args: { regex: '"x","y"' } };
      await agree(m, pattern, [[...SCRIPT()]], [[...call('run_script', { args: { args: ['y', 'x'] } })]]);
    },
  },
  {
    name: 'status: all of them, and at least one',
    run: (m) =>
      agree(
        m,
        { kind: 'status', step: step('run_script'), is: 'success' },
        [[...SCRIPT()]],
        [[...SCRIPT('error')], [...SCRIPT(), ...SCRIPT('error')], []],
      ).then(() =>
        agree(
          m,
          { kind: 'status', step: step('write_file'), is: 'interrupted' },
          [[...refusedCall('write_file', 'waits')]],
          [[...refusedCall('write_file', 'deny')], [...refusedCall('write_file', 'no')]],
        ),
      ),
  },
  {
    name: 'denied: asked for and not done',
    run: (m) =>
      agree(
        m,
        { kind: 'denied', step: step('write_file') },
        [
          [...refusedCall('write_file', 'deny')],
          [...refusedCall('write_file', 'no')],
          [...refusedCall('write_file', 'waits')],
          [...call('write_file', { state: 'error', error: 'PATH_BLOCKED', exit: null })],
        ],
        [
          [],
          [...call('write_file')],
          [...refusedCall('write_file', 'deny'), ...call('write_file')],
          [...call('write_file', { state: 'error', error: 'PERMISSION_DENIED', exit: 1 })],
          [...call('write_file', { state: 'error', error: 'DATA_NOT_FOUND', exit: null })],
        ],
      ),
  },
  {
    name: 'no_repeat: the same call with the same arguments, so many times at most',
    run: (m) =>
      agree(
        m,
        { kind: 'no_repeat', times: 2 },
        [
          [...GREP(), ...GREP()],
          [...GREP(), ...GREP(), ...call('grep', { args: { pattern: 'c' } })],
          [FINAL, FINAL, FINAL],
        ],
        [
          [...GREP(), ...GREP(), ...GREP()],
          [load('a'), resource('a', 'x'), resource('a', 'x'), resource('a', 'x')],
        ],
      ),
  },
  {
    name: 'a step is known by its name, its skill in any spelling, and its status',
    run: async (m) => {
      const once = (pattern: StepPattern): StepRule => ({ kind: 'count', step: pattern, min: 1, max: 1 });
      for (const skill of ['csv', 'project:csv', 'project:csv@1.0'])
        await agree(
          m,
          once(step('run_script', { skill })),
          [[...SCRIPT()]],
          [[...call('run_script', { skill: 'csv2' })]],
        );
      await agree(m, once(step('run_script', { skill: 'user:csv' })), [], [[...SCRIPT()]]);
      await agree(m, once(step('run_script', { status: 'error' })), [[...SCRIPT('error')]], [[...SCRIPT()]]);
      await agree(m, once(step('invoke_skill')), [[...SCRIPT()]], [[load('csv')], [...call('run_command')]]);
      await agree(m, once(step('select_skills')), [[load('csv')]], [[...SCRIPT()]]);
      await agree(m, once(step('*')), [[FINAL]], [[]]);
    },
  },
];

const OUTPUT_CHECKS: Check[] = [
  {
    name: '002-94 texts: equals, contains_all, contains_any, regex, and each turned around',
    run: async (m) => {
      await agreeText(m, { kind: 'equals', value: 'a b' }, ['a b', ' a b\n'], ['a', 'a b c', '']);
      await agreeText(m, { kind: 'equals', value: { a: 1, b: 2 } }, ['{"b":2,"a":1}'], ['{"a":1}', 'a']);
      await agreeText(m, { kind: 'contains_all', words: ['a', 'b'], ignoreCase: false }, ['xbxa'], ['a', 'A b', '']);
      await agreeText(m, { kind: 'contains_all', words: ['A', 'b'], ignoreCase: true }, ['aB'], ['a']);
      await agreeText(m, { kind: 'contains_any', words: ['a', 'b'], ignoreCase: false }, ['b'], ['c', 'B']);
      await agreeText(m, { kind: 'regex', pattern: '^\\d+ rows$' }, ['x\n12 rows\ny'], ['rows', '12 rows.']);
    },
  },
  {
    name: '002-94 structure: json_schema and json_path, in a fence too',
    run: async (m) => {
      const schema: Matcher = {
        kind: 'json_schema',
        schema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
      };
      await agreeText(m, schema, ['{"n":1}', '```json\n{"n":1}\n```'], ['{}', '{"n":"1"}', 'n']);
      await agreeText(
        m,
        { kind: 'json_path', path: '$.a[1].b', equals: 2 },
        ['{"a":[0,{"b":2}]}'],
        ['{"a":[{"b":2},0]}', '{"a":[0,{"b":3}]}', 'x'],
      );
      await agreeText(m, { kind: 'json_path', path: '$.a' }, ['{"a":null}'], ['{"b":1}', '[]']);
      await agreeText(
        m,
        { kind: 'json_path', path: "$['x y'][*].n", equals: 3 },
        ['{"x y":[{"n":1},{"n":3}]}'],
        ['{"x y":[{"n":1}]}'],
      );
      await agreeText(m, { kind: 'json_path', path: '$[-1]', equals: 3 }, ['[1,3]'], ['[3,1]']);
    },
  },
  {
    name: '002-94 files: there, by pattern, with this content, never outside the folder',
    run: async (m) => {
      const root = mkdtempSync(path.join(tmpdir(), 'skillwright-test-'));
      try {
        const folder = path.join(root, 'project');
        mkdirSync(path.join(folder, 'out'), { recursive: true });
        writeFileSync(path.join(folder, 'out', 'a.html'), '<h1>Notes</h1>');
        writeFileSync(path.join(root, 'secret.txt'), 'x');
        const has = (name: string) => fits(m, { kind: 'file_exists', path: name }, '', folder);
        assert.equal(await has('out/a.html'), true);
        assert.equal(await has('out/*.html'), true);
        assert.equal(await has('out'), false);
        assert.equal(await has('out/b.html'), false);
        assert.equal(await has('../secret.txt'), false);
        const inside = (of: Matcher, name = 'out/a.html') =>
          fits(m, { kind: 'file_matches', path: name, of }, '', folder);
        assert.equal(await inside({ kind: 'regex', pattern: 'h1' }), true);
        assert.equal(await inside({ kind: 'regex', pattern: 'h2' }), false);
        assert.equal(await inside({ kind: 'regex', pattern: 'h1' }, 'out/none'), false);
        assert.equal(await inside({ kind: 'not', of: { kind: 'regex', pattern: 'h1' } }), false);
        assert.equal(await fits(m, { kind: 'file_exists', path: 'out/a.html' }, ''), false);
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  },
  {
    name: 'rubrics go to the judge, functions to whoever brought them, and nobody is nobody',
    run: async (m) => {
      const rubric: Matcher = { kind: 'rubric', text: 'is kind' };
      const test = makeCase({ output: [rubric, { kind: 'not', of: rubric }, { kind: 'custom', name: 'long' }] });
      const ask = async (tools: object) =>
        (await m.judge.judgeRun(test, makeRun([FINAL], { answer: 'hello' }), tools))
          .filter(({ aspect }) => aspect === 'output')
          .map(({ ok }) => ok);
      assert.deepEqual(await ask({}), [undefined, undefined, undefined]);
      const custom = { long: (_: unknown, { answer }: { answer: string }) => answer.length > 3 };
      assert.deepEqual(await ask({ judge: m.judge.scriptedJudge({ 'is kind': true }), custom }), [true, false, true]);
      assert.deepEqual(
        await ask({ judge: m.judge.scriptedJudge({ 'is kind': false }), custom: { long: () => false } }),
        [false, true, false],
      );
      assert.deepEqual(await ask({ judge: m.judge.scriptedJudge({}) }), [undefined, undefined, undefined]);
    },
  },
];

const JUDGE_CHECKS: Check[] = [
  {
    name: 'skills: required, any_of, forbidden, none, exact',
    run: async (m) => {
      const ok = async (skills: Parameters<typeof makeCase>[0] & object, events: AuditEvent[]) =>
        (await judged(m, makeCase(skills), events)).filter(({ aspect }) => aspect === 'skills').every((one) => one.ok);
      const cases: [object, AuditEvent[], boolean][] = [
        [{ required: ['a'] }, [load('a')], true],
        [{ required: ['a'] }, [load('b')], false],
        [{ required: ['a', 'b'] }, [load('a')], false],
        [{ anyOf: ['a', 'b'] }, [load('b')], true],
        [{ anyOf: ['a', 'b'] }, [load('c')], false],
        [{ forbidden: ['a'] }, [load('b')], true],
        [{ forbidden: ['a'] }, [load('b'), load('a')], false],
        [{ none: true }, [FINAL], true],
        [{ none: true }, [load('a')], false],
        [{ none: true }, [...call('run_script', { skill: 'a' })], false],
        [{ required: ['a'], exact: true }, [load('a')], true],
        [{ required: ['a'], exact: true }, [load('a'), load('b')], false],
        [{ required: ['a'] }, [load('a'), load('b')], true],
      ];
      for (const [skills, events, wanted] of cases)
        assert.equal(await ok({ skills }, events), wanted, JSON.stringify(skills));
    },
  },
  {
    name: '002-91 limits: turns, calls, scripts, tokens, seconds, cost, forbidden and required tools',
    run: async (m) => {
      const events = [
        model(60, 0.25),
        model(40, 0.25),
        ...READ(),
        ...SCRIPT(),
        ...refusedCall('write_file', 'deny'),
        FINAL,
      ];
      const rule = async (limits: Partial<CaseLimits>) => {
        const test = makeCase({ limits: { forbiddenTools: [], requiredTools: [], ...limits } });
        return (await judged(m, test, events)).find(({ aspect }) => aspect === 'limits')?.ok;
      };
      for (const [name, used] of Object.entries({
        maxTurns: 2,
        maxToolCalls: 3,
        maxScriptRuns: 1,
        maxTokens: 100,
        maxCost: 0.5,
        maxSeconds: 10,
      })) {
        assert.equal(await rule({ [name]: used }), true, name);
        assert.equal(await rule({ [name]: used - 0.1 }), false, name);
      }
      assert.equal(await rule({ forbiddenTools: ['read_file'] }), false);
      assert.equal(await rule({ forbiddenTools: ['write_file'] }), true);
      assert.equal(await rule({ requiredTools: ['read_file'] }), true);
      assert.equal(await rule({ requiredTools: ['write_file'] }), false);
    },
  },
  {
    name: 'budget behaviour: how the run ended, and which budget was used up',
    run: async (m) => {
      const test = makeCase({ state: 'partial', exhausted: 'turns' });
      const ask = async (state: 'partial' | 'success', exhausted?: string) =>
        (await judged(m, test, [FINAL], { state, data: { exhausted } }))
          .filter(({ aspect }) => aspect === 'outcome')
          .map(({ ok }) => ok);
      assert.deepEqual(await ask('partial', 'turns'), [true, true]);
      assert.deepEqual(await ask('success', 'tokens'), [false, false]);
    },
  },
  {
    name: 'disclosure: scripts and files of a skill only after its instructions; its interface without them',
    run: async (m) => {
      const ok = async (events: AuditEvent[]) =>
        (await judged(m, makeCase(), events)).find(({ rule }) => rule === 'disclosure')?.ok;
      assert.equal(await ok([load('csv'), ...SCRIPT(), resource('csv', 'a.md')]), true);
      assert.equal(await ok([...SCRIPT()]), false);
      assert.equal(await ok([resource('csv', 'a.md')]), false);
      assert.equal(await ok([load('pdf'), ...SCRIPT()]), false);
      assert.equal(await ok([...call('run_script', { skill: 'csv', args: { action: 'analyze', params: {} } })]), true);
    },
  },
  {
    name: 'no effect without a permission before it',
    run: async (m) => {
      const ok = async (events: AuditEvent[]) =>
        (await judged(m, makeCase(), events)).find(({ rule }) => rule === 'approval-before-effect')?.ok;
      const asked = call('run_command', { effect: 'ask', by: 'approval' });
      assert.equal(await ok(call('read_file')), true);
      assert.equal(await ok(asked), true);
      assert.equal(await ok(call('run_command', { effect: 'ask', by: 'grant' })), true);
      assert.equal(await ok(call('run_command', { effect: 'ask', by: 'nobody' })), false);
      assert.equal(await ok(call('run_command', { effect: 'deny', by: 'grant' })), false);
      const [decision, permit, intent, end] = asked;
      assert.ok(decision && permit && intent && end);
      assert.equal(await ok([decision, intent, permit, end]), false);
      assert.equal(await ok([intent, end]), false);
      assert.equal(await ok([decision, { ...permit, answer: 'no' } as AuditEvent, intent]), false);
    },
  },
  {
    name: 'what was streamed is what was answered',
    run: async (m) => {
      const events = [model(0, 0, 'one'), model(0, 0, 'two')];
      const ok = async (streamed?: string[]) =>
        (await judged(m, makeCase(), events, { ...(streamed && { streamed }) })).find(
          ({ rule }) => rule === 'streaming',
        )?.ok;
      assert.equal(await ok(['one', 'two']), true);
      assert.equal(await ok(['one', 'twx']), false);
      assert.equal(await ok(), undefined);
    },
  },
  {
    name: 'evidence names the records that decided',
    run: async (m) => {
      const events = [load('csv'), ...READ(), ...GREP()];
      const [found] = (await judged(m, makeCase({ steps: [{ kind: 'never', step: step('grep') }] }), events)).filter(
        ({ aspect }) => aspect === 'steps',
      );
      assert.deepEqual(found?.evidence, [5]);
    },
  },
];

const ATTEMPT_CHECKS: Check[] = [
  {
    name: 'a run that waits for a parameter has chosen its skill; one that asks which skill is meant has not',
    run: async (m) => {
      const test = makeCase({ skills: { required: ['csv'] } });
      const judge = (state: State, data: Record<string, unknown>) =>
        m.attempt.judgeAttempt(test, makeRun([FINAL], { state, data }), {});
      const params = await judge('pending', { reason: 'params', skill: 'csv' });
      assert.deepEqual([params.state, params.triggered], ['passed', ['csv']]);
      assert.equal((await judge('pending', { reason: 'model', skill: 'csv' })).state, 'failed');
      assert.equal((await judge('success', { reason: 'params', skill: 'csv' })).state, 'failed');
      const asked = await judge('pending', { candidates: [{ name: 'csv' }, { name: 'git' }] });
      assert.deepEqual([asked.state, asked.error], ['failed', 'the model was not sure and asked: csv, git']);
    },
  },
  {
    name: 'a failure that comes from a missing permission says so',
    run: async (m) => {
      const test = makeCase({ steps: [{ kind: 'count', step: step('run_script'), min: 1, max: 1 }] });
      const judge = (how: 'waits' | 'deny') =>
        m.attempt.judgeAttempt(test, makeRun([...refusedCall('run_script', how), FINAL]), {});
      const waits = await judge('waits');
      assert.equal(waits.state, 'failed');
      assert.match(waits.error ?? '', /waited for a permission.*--yes/);
      assert.equal((await judge('deny')).error, undefined);
    },
  },
  {
    name: 'an attempt passes, fails, breaks, or cannot be judged',
    run: async (m) => {
      const { attemptCase } = m.attempt;
      const run =
        (events: AuditEvent[], told = {}): RunCase =>
        async () =>
          makeRun(events, told);
      const wants = makeCase({ skills: { required: ['a'] } });
      assert.equal((await attemptCase(wants, 0, run([load('a'), FINAL]), {})).state, 'passed');
      assert.equal((await attemptCase(wants, 0, run([FINAL]), {})).state, 'failed');
      const crash = await attemptCase(wants, 0, async () => Promise.reject(new Error('boom')), {});
      assert.deepEqual([crash.state, crash.error], ['error', 'boom']);
      assert.equal((await attemptCase(wants, 0, run([model()], { state: 'error' }), {})).state, 'error');
      assert.equal((await attemptCase(wants, 0, run([load('a'), FINAL], { state: 'error' }), {})).state, 'passed');
      const refused = makeCase({ skills: { none: true }, state: 'error' });
      assert.equal((await attemptCase(refused, 0, run([model()], { state: 'error' }), {})).state, 'passed');
      const rubric = makeCase({ output: [{ kind: 'rubric', text: 'x' }] });
      assert.equal((await attemptCase(rubric, 0, run([FINAL]), {})).state, 'skipped');
      let closed = 0;
      await attemptCase(wants, 0, async () => ({ ...makeRun([FINAL]), close: () => closed++ }), {});
      assert.equal(closed, 1);
    },
  },
  {
    name: 'repeats: all, majority, any, a share; a crash is never a failure of the skill',
    run: async (m) => {
      const state = (pass: Case['pass'], ...states: ('passed' | 'failed' | 'error' | 'skipped')[]) =>
        m.attempt.summarizeCase(
          { id: 'c', pass },
          states.map((one) => attempt(one)),
        ).state;
      assert.equal(state('all', 'passed', 'passed'), 'passed');
      assert.equal(state('all', 'passed', 'failed'), 'failed');
      assert.equal(state('majority', 'passed', 'passed', 'failed'), 'passed');
      assert.equal(state('majority', 'passed', 'failed'), 'failed');
      assert.equal(state('any', 'failed', 'passed'), 'passed');
      assert.equal(state('any', 'failed', 'failed'), 'failed');
      assert.equal(state(0.5, 'failed', 'passed'), 'passed');
      assert.equal(state(0.6, 'failed', 'passed'), 'failed');
      assert.equal(state('all', 'passed', 'error'), 'error');
      assert.equal(state('all', 'skipped'), 'skipped');
      const { passes, runs, failures } = m.attempt.summarizeCase({ id: 'c', pass: 'all' }, [
        attempt('passed'),
        attempt('failed', { error: 'seldom' }),
        attempt('failed', { error: 'often' }),
        attempt('failed', { error: 'often' }),
        attempt('skipped'),
      ]);
      assert.deepEqual([passes, runs, failures], [1, 4, ['often', 'seldom']]);
    },
  },
];

const METRIC_CHECKS: Check[] = [
  {
    name: '002-92 precision, recall and F1 of each skill, and who took whose request',
    run: async (m) => {
      const wants = (id: string, skills: object) => makeCase({ id, skills });
      const tests = [
        wants('1', { required: ['a'] }),
        wants('2', { required: ['a'] }),
        wants('3', { required: ['a'] }),
        wants('4', { forbidden: ['a'] }),
        wants('5', { none: true }),
        wants('6', { none: true }),
        wants('7', { anyOf: ['a', 'b'] }),
        wants('8', { required: ['a'] }),
        wants('9', { none: true }),
      ];
      const chose = (...names: string[]) => attempt('passed', { triggered: names.map((name) => `project:${name}@1`) });
      const results = [
        result('1', [chose('a')]),
        result('2', [chose('b')]),
        result('3', [chose()]),
        result('4', [chose('a')]),
        result('5', [chose()]),
        result('6', [chose('b')]),
        result('7', [chose('b')]),
        result('8', [attempt('error')], { state: 'error' }),
        result('9', [chose()]),
      ];
      const { triggers, collisions, abstention, cases } = m.metrics.measure(tests, results);
      assert.deepEqual(triggers.a, {
        true_positives: 1,
        false_positives: 1,
        false_negatives: 2,
        true_negatives: 3,
        precision: 0.5,
        recall: 0.3333,
        f1: 0.4,
      });
      assert.deepEqual(triggers.b, {
        true_positives: 1,
        false_positives: 2,
        false_negatives: 0,
        true_negatives: 3,
        precision: 0.3333,
        recall: 1,
        f1: 0.5,
      });
      assert.deepEqual(collisions, {
        a: { a: 1, b: 2, '(none)': 1 },
        '(none)': { '(none)': 2, b: 1 },
      } satisfies typeof collisions as unknown);
      assert.deepEqual([abstention.rate, abstention.of], [0.6667, 3]);
      assert.deepEqual(cases, { total: 9, passed: 8, failed: 0, error: 1, skipped: 0 });
    },
  },
  {
    name: '002-95 rates of steps and output, cost in tokens, time and calls',
    run: async (m) => {
      const verdict = (aspect: 'steps' | 'output', ok: boolean | undefined) => ({
        aspect,
        rule: '',
        ok,
        message: '',
        evidence: [],
      });
      const tests = ['1', '2', '3', '4'].map((id) => makeCase({ id }));
      const results = [
        result('1', [attempt('passed', { judgements: [verdict('steps', true), verdict('output', true)] })]),
        result('2', [
          attempt('failed', {
            judgements: [verdict('steps', false), verdict('steps', true), verdict('output', undefined)],
          }),
        ]),
        result('3', [attempt('passed')]),
        result('4', [attempt('error')], { state: 'error' }),
      ];
      const { sequence, output, cost, pass_rate, attempts } = m.metrics.measure(tests, results);
      assert.deepEqual([sequence.rate, sequence.of], [0.5, 2]);
      assert.deepEqual([output.rate, output.of], [1, 1]);
      assert.deepEqual([pass_rate.rate, pass_rate.of], [0.6667, 3]);
      assert.deepEqual([pass_rate.interval.low, pass_rate.interval.high], [0.2077, 0.9385]);
      assert.deepEqual([attempts.rate, attempts.of], [0.6667, 3]);
      assert.equal(cost.tokens_total, 300);
      assert.equal(cost.tool_calls_p50, 2);
      assert.equal(cost.cost_total, 1.5);
      assert.equal(cost.milliseconds_p95, 1000);
    },
  },
  {
    name: 'pass@k and pass^k have their known values',
    run: async (m) => {
      const { passAtK, passHatK } = m.repeat;
      assert.equal(passAtK(1, 2, 1), 0.5);
      assert.equal(passAtK(1, 2, 2), 1);
      assert.equal(passHatK(1, 2, 2), 0);
      assert.ok(Math.abs(passAtK(3, 10, 5) - (1 - 21 / 252)) < 1e-12);
      assert.ok(Math.abs(passHatK(7, 10, 3) - 35 / 120) < 1e-12);
      const tests = ['1', '2'].map((id) => makeCase({ id }));
      const results = [
        result('1', [attempt('passed'), attempt('passed')]),
        result('2', [attempt('passed'), attempt('failed')]),
      ];
      const { pass_at_k, pass_hat_k } = m.metrics.measure(tests, results);
      assert.deepEqual(pass_at_k, { 1: 0.75, 2: 1 });
      assert.deepEqual(pass_hat_k, { 1: 0.75, 2: 0.5 });
    },
  },
  {
    name: 'Wilson, McNemar and the bootstrap have their known values',
    run: async (m) => {
      const { wilson, bootstrapClusters, pairedBootstrap, quantile } = m.statistics;
      const { low, high } = wilson(8, 10);
      assert.ok(Math.abs(low - 0.4902) < 0.0005 && Math.abs(high - 0.9433) < 0.0005, `${low} ${high}`);
      assert.equal(m.repeat.mcnemar(0, 0), 1);
      assert.equal(m.repeat.mcnemar(1, 1), 1);
      assert.equal(m.repeat.mcnemar(5, 0), 0.0625);
      assert.equal(m.repeat.mcnemar(0, 6), 0.03125);
      assert.ok(Math.abs(m.repeat.mcnemar(2, 10) - 0.03857421875) < 1e-12);
      const groups = Array.from({ length: 10 }, (_, at) => Array.from({ length: 10 }, () => at % 2));
      const whole = bootstrapClusters(groups);
      const single = bootstrapClusters(groups.flat().map((one) => [one]));
      assert.ok(whole.high - whole.low > 2 * (single.high - single.low), 'whole cases are drawn');
      assert.ok(whole.low < 0.5 && whole.high > 0.5);
      const better = pairedBootstrap([0, 0, 0, 0, 1], [1, 1, 1, 1, 1]);
      assert.ok(better.low > 0 && better.high <= 1);
      assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
    },
  },
];

const COMPARE_CHECKS: Check[] = [
  {
    name: 'a baseline: every flip, what is new and gone, and a verdict that is sure or says so',
    run: async (m) => {
      const side = (passes: number[], runs = 3) =>
        passes.map((count, at) => ({
          id: `c${at}`,
          state: count === runs ? ('passed' as const) : ('failed' as const),
          passes: count,
          runs,
        }));
      const { compareResults } = m.compare;
      const all = Array.from({ length: 12 }, () => 3);
      assert.equal(compareResults(side(all), side(all)).verdict, 'inconclusive');
      const worse = compareResults(side(all), side(all.map((_, at) => (at < 7 ? 0 : 3))));
      assert.equal(worse.verdict, 'regressed');
      assert.equal(worse.flips.length, 7);
      assert.deepEqual(worse.flips[0], { id: 'c0', before: '3/3', after: '0/3', direction: 'worse' });
      assert.ok(worse.difference < 0 && worse.interval.high < 0);
      assert.equal(worse.p, 0.0156);
      const better = compareResults(side(all.map((_, at) => (at < 7 ? 0 : 3))), side(all));
      assert.equal(better.verdict, 'improved');
      const slight = compareResults(side(all), side(all.map((_, at) => (at === 0 ? 2 : 3))));
      assert.equal(slight.verdict, 'inconclusive');
      assert.deepEqual(slight.flips, [{ id: 'c0', before: '3/3', after: '2/3', direction: 'worse' }]);
      const changed = compareResults(side([3, 3]), [...side([3]), { id: 'new', state: 'passed', passes: 1, runs: 1 }]);
      assert.deepEqual([changed.added, changed.removed, changed.compared], [['new'], ['c1'], 1]);
      const crashed = compareResults(side([3]), [{ id: 'c0', state: 'error', passes: 0, runs: 0 }]);
      assert.deepEqual([crashed.unusable, crashed.compared, crashed.verdict], [['c0'], 0, 'inconclusive']);
    },
  },
];

const INSTRUMENT_CHECKS: Check[] = [
  {
    name: 'controls: a harness that sees nothing, or something everywhere, is found out',
    run: async (m) => {
      const codes = async (run: RunCase) => (await m.instrument.runControls(run, 'a')).map(({ code }) => code);
      const told = { answer: 'control: the answer' };
      const honest: RunCase = async ({ mock = [] }) => makeRun(mock.length > 1 ? [load('a'), FINAL] : [FINAL], told);
      assert.deepEqual(await codes(honest), []);
      assert.deepEqual(await codes(async () => makeRun([FINAL], told)), ['positive-control']);
      assert.deepEqual(await codes(async () => makeRun([load('a'), FINAL], told)), ['negative-control']);
      assert.deepEqual(await codes(async () => Promise.reject(new Error('no'))), [
        'positive-control',
        'negative-control',
      ]);
      const mute: RunCase = async ({ mock = [] }) => makeRun(mock.length > 1 ? [load('a'), FINAL] : [FINAL]);
      assert.deepEqual(await codes(mute), ['positive-control', 'negative-control']);
    },
  },
  {
    name: 'results no working harness gives: recall 0 with nothing wrong, the same choice for everything, one failure for all',
    run: async (m) => {
      const chose = (...names: string[]) =>
        attempt(names.includes('a') ? 'passed' : 'failed', { triggered: names.map((name) => `project:${name}@1`) });
      const wanted = (skill: string, id: string) => makeCase({ id, skills: { required: [skill] } });
      const tests = [wanted('a', '1'), wanted('a', '2'), wanted('a', '3'), wanted('b', '4')];
      const codes = (results: ReturnType<typeof result>[]) =>
        m.instrument.findSuspicions(tests, results, m.metrics.measure(tests, results)).map(({ code }) => code);
      const of = (...choices: string[][]) =>
        choices.map((names, at) => result(`${at + 1}`, [chose(...names)], { failures: [`f${at}`] }));
      assert.deepEqual(codes(of([], [], [], ['b'])), []);
      assert.deepEqual(codes(of([], [], [], [])), ['recall-zero', 'all-same']);
      assert.deepEqual(codes(of(['a'], ['a'], ['a'], ['a'])), ['all-same']);
      const alike = tests.slice(0, 3);
      assert.deepEqual(m.instrument.findSuspicions(alike, of(['a'], ['a'], ['a']), { triggers: {} }), []);
      assert.deepEqual(codes(of(['a'], [], ['a'], ['b'])), []);
      assert.deepEqual(codes(of(['b'], ['b'], ['c'], ['b'])), []);
      const same = of(['a'], [], ['b'], ['c']).map((one) => ({ ...one, state: 'failed' as const, failures: ['x'] }));
      assert.deepEqual(codes(same), ['all-same']);
      assert.deepEqual(codes(same.map((one, at) => (at === 0 ? { ...one, state: 'passed' as const } : one))), []);
    },
  },
  {
    name: 'a case that doing nothing or saying the question back would pass is found',
    run: async (m) => {
      const codes = async (parts: Parameters<typeof makeCase>[0]) =>
        (await m.lint.lintCase(makeCase(parts))).map(({ code }) => code);
      assert.deepEqual(await codes({}), ['eval-vacuous']);
      assert.deepEqual(await codes({ steps: [{ kind: 'never', step: step('grep') }] }), ['eval-vacuous']);
      assert.deepEqual(await codes({ steps: [{ kind: 'before', steps: [step('load_skill'), step('run_script')] }] }), [
        'eval-vacuous',
      ]);
      assert.deepEqual(await codes({ limits: { maxToolCalls: 1, forbiddenTools: ['grep'], requiredTools: [] } }), [
        'eval-vacuous',
      ]);
      assert.deepEqual(await codes({ output: [{ kind: 'not', of: { kind: 'regex', pattern: 'x' } }] }), [
        'eval-vacuous',
      ]);
      assert.deepEqual(await codes({ output: [{ kind: 'contains_all', words: ['do'], ignoreCase: false }] }), [
        'eval-echo',
      ]);
      assert.deepEqual(await codes({ output: [{ kind: 'regex', pattern: '(' }] }), ['eval-invalid']);
      assert.deepEqual(await codes({ skills: { required: ['a'] } }), []);
      assert.deepEqual(await codes({ skills: { forbidden: ['a'] } }), []);
      assert.deepEqual(await codes({ skills: { none: true } }), []);
      assert.deepEqual(await codes({ skills: { none: true }, steps: [{ kind: 'never', step: step('grep') }] }), [
        'eval-vacuous',
      ]);
      assert.deepEqual(await codes({ steps: [{ kind: 'denied', step: step('grep') }] }), []);
      assert.deepEqual(await codes({ output: [{ kind: 'rubric', text: 'x' }] }), []);
    },
  },
];

export const CHECKS: readonly Check[] = [
  ...STEP_CHECKS,
  ...OUTPUT_CHECKS,
  ...JUDGE_CHECKS,
  ...ATTEMPT_CHECKS,
  ...METRIC_CHECKS,
  ...COMPARE_CHECKS,
  ...INSTRUMENT_CHECKS,
];
