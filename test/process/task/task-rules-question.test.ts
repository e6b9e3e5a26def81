// The rules of the worker about scripts that ask: how a question is told, decided and carried out, by the command line.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readAnswer } from '../../support/rule-support.ts';
import { openTaskCli } from '../../support/task-cli.ts';

const FILE = 'langgraph_interrupt.json';
const RESUME = 'python bin/apply.py {decisions}';
const QUESTION = { interrupted_skills: ['alpha', 'beta'], question: 'Which stay?', resume_command: RESUME };
const APPLY =
  'import json, sys\nprint(json.dumps({"stdin": json.load(sys.stdin), "argument": json.loads(sys.argv[1])}))\n';
const ASK = '执行 python bin/ask.py';

interface Printed {
  readonly question?: string;
  readonly marker?: string;
}

/** A script that leaves the question and prints the marker; either may be empty. */
function open(t: TestContext, { question = JSON.stringify(QUESTION), marker = '[INTERRUPT]' }: Printed = {}) {
  const made = openTaskCli(t);
  const leave = question === '' ? '' : `open(${JSON.stringify(FILE)}, "w").write(${JSON.stringify(question)})\n`;
  made.write('bin/ask.py', `${leave}print("looked at two skills ${marker}")\n`);
  made.write('bin/apply.py', APPLY);
  const decide = async (id: unknown, ...words: string[]) =>
    readAnswer(await made.cli('resume', String(id), '--decide', ...words, '--yes', '--json'));
  return { ...made, decide };
}

test('001-40 001-41 001-42 001-46 marker and file: ⏸️ interrupted, exit code 4, as the seed writes it', async (t) => {
  const { cli, ask, project } = open(t);
  const { code, state, summary, data } = await ask(ASK, '--lang', 'zh');
  assert.deepEqual([code, state, summary], [4, 'interrupted', '工作流已暂停: 2 个技能需 LLM 分析']);
  assert.deepEqual(data.interrupted_skills, ['alpha', 'beta']);
  assert.deepEqual([data.resume_command, data.allowed], [RESUME, ['keep', 'uninstall']]);
  assert.ok(!existsSync(path.join(project, FILE)), 'the file is gone afterwards');
  const compact = await cli('task', 'one small task', ASK, '--yes', '--format', 'compact');
  assert.match(compact.stdout, /^⏸️ worker_agent paused: 2 skills need a decision\n {2}state: interrupted \| data: \{/);
});

test('001-43 a marker without a file is an error, a file without a marker is ignored with a word', async (t) => {
  const alone = await open(t, { question: '' }).ask(ASK);
  assert.deepEqual([alone.state, alone.data.type], ['error', 'InvalidResponse']);
  const silent = await open(t, { marker: '' }).ask(ASK);
  assert.equal(silent.state, 'success');
  assert.match(String((silent.data.warnings as string[])[0]), /ignored/);
});

test('001-44 001-45 a decision, as words or as JSON, runs the resume command with it, and only once', async (t) => {
  const { ask, decide } = open(t);
  const first = await ask(ASK);
  const decisions = { alpha: 'keep', beta: 'uninstall' };
  const done = await decide(first.data.id, 'alpha=keep', 'beta=uninstall');
  assert.deepEqual([done.state, done.data.stdin, done.data.argument], ['success', decisions, decisions]);
  const again = await decide(first.data.id, 'alpha=keep', 'beta=uninstall');
  assert.deepEqual([again.state, again.data.type], ['error', 'DataNotFound']);
  const second = await ask(ASK);
  const wrong = await decide(second.data.id, '{"alpha":"keep","beta":"burn"}');
  assert.deepEqual([wrong.state, wrong.data.type], ['error', 'InvalidArgs']);
  const json = await decide(second.data.id, JSON.stringify(decisions));
  assert.deepEqual([json.state, json.data.stdin], ['success', decisions]);
});

test('001-48 the text behind the banner of a second analysis is in analysis_prompt', async (t) => {
  const { ask, write } = openTaskCli(t);
  write('bin/x.py', 'print("{\\"n\\": 1}")\nprint("【LLM 二次分析任务】")\nprint("Look at a and b.")\n');
  const { data } = await ask('执行 python bin/x.py');
  assert.deepEqual([data.n, data.analysis_prompt], [1, 'Look at a and b.']);
});
