// Writes a case from a recorded run: the same request and the same decisions must lead to the same steps again.
import { Fault } from '../../base/errors.ts';
import { type Json, parseJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { type CaseRun, readTrace, type Step, skillName } from '../trace.ts';

/** As `.agent/evals` holds it. */
export type WrittenCase = { [key: string]: Json };

export function caseFromRun(id: string, run: CaseRun): WrittenCase {
  const { steps, triggered } = readTrace(run);
  const input = requestOf(run);
  const mock = answersOf(run);
  const state = run.outcome.state;
  const denied = steps.filter((step) => !step.executed);
  return {
    id,
    input,
    expected: {
      skills: triggered.length === 0 ? [] : { required: triggered.map(skillName), exact: true },
      steps: [
        { exact: steps.filter(({ executed, name }) => executed && name !== 'final_answer').map(patternOf) },
        ...denied.map((step) => ({ denied: patternOf(step) })),
      ],
      ...(state === 'success' && { state }),
      output: outputOf(run),
    },
    constraints: { max_tool_calls: steps.filter(({ name }) => !/^(?:load_|final_)/.test(name)).length },
    mock,
    tags: ['recorded'],
  };
}

function patternOf({ name, skill, status, executed }: Step): { [key: string]: Json } {
  return { step: name, ...(skill !== undefined && { skill: skillName(skill) }), ...(executed && { status }) };
}

function requestOf({ records, text }: CaseRun): string {
  const start = records.find((record) => record.type === 'run-start');
  const request = start && text(start.request);
  if (request === undefined || request.trim() === '') throw noTexts();
  return request;
}

/** Only a complete answer can be replayed. */
function answersOf({ records, text }: CaseRun): Json[] {
  const answers = records.flatMap((record) => (record.type === 'model' ? [text(record.answer)] : []));
  if (answers.length === 0) {
    throw new Fault(
      'DataNotFound',
      { en: 'the run has no decisions of a model', zh: '该运行没有模型决策' },
      { hint: ONLY_RUNS },
    );
  }
  return answers.map((answer) => {
    if (answer === undefined) throw noTexts();
    return readAnswer(answer);
  });
}

const ONLY_RUNS: Text = {
  en: 'A case is written from what `skillwright run "…"` did; `skillwright runs list` shows which are of the kind run.',
  zh: '用例由 `skillwright run "…"` 的运行写成；`skillwright runs list` 显示哪些是 run。',
};

function readAnswer(answer: string): Json {
  try {
    const value = parseJson(answer);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : answer;
  } catch {
    return answer;
  }
}

/** The first line of the answer, and the files it wrote. */
function outputOf(run: CaseRun): Json[] {
  const [first = ''] = readTrace(run).answer.trim().split('\n', 1);
  const files = run.records.flatMap((record) => (record.type === 'artifact' ? [record.path] : []));
  const inside = [...new Set(files)].filter((file) => !file.startsWith('/') && !file.includes('..'));
  return [...(first === '' ? [] : [{ contains_all: [first] }]), ...inside.map((file) => ({ file_exists: file }))];
}

function noTexts(): Fault {
  return new Fault('DataNotFound', {
    en: 'the run kept no texts, or they were pruned',
    zh: '该运行未保留文本，或文本已被清理',
  });
}
