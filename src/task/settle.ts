// From how a script ended to the outcome of the task: what it printed counts, but never against its exit code.
import { Fault } from '../base/errors.ts';
import { statedOutcome } from '../base/flat-outcome.ts';
import type { Text } from '../base/language.ts';
import { type Answering, type Data, type EndedScript, type Outcome, tell } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import { fail } from '../door/fail.ts';
import { exceptionIn } from './exception.ts';
import { type Printed, readPrinted } from './printed.ts';
import type { ScriptQuestion } from './question.ts';

export const MARKER = '[INTERRUPT]';

/** What the host does with a question that a script asks. */
export type OnInterrupt = (asked: ScriptQuestion) => Promise<Outcome>;

export interface Ran {
  /** `bin/x.py`. */
  readonly script: string;
  readonly quiet: boolean;
}

/** An outcome of a call that started no script is passed on as it is. */
export async function settle(raw: Outcome, ran: Ran, by: Answering, onInterrupt: OnInterrupt): Promise<Outcome> {
  const ended = raw.product?.script;
  if (!ended || ended.exit === null) return raw;
  const { exit, stdout, stderr, interrupt, facts } = ended;
  const printed = await readPrinted(ran.quiet ? '' : stdout.replaceAll(MARKER, ''));
  const isAsking = printed.said?.state === 'interrupted';
  if (isAsking || `${stdout}\n${stderr}`.includes(MARKER)) {
    const question = interrupt ?? (isAsking ? JSON.stringify(printed.said?.data) : undefined);
    if (question === undefined) return fail(by, questionWithoutFile(), facts);
    const { analysis } = printed;
    const beside = { ...besideQuestion(printed), ...facts };
    return await onInterrupt({ file: question, facts: beside, ...(analysis !== undefined && { analysis }) });
  }
  const outcome = exit === 0 ? concludeWell(ran, printed, facts, by) : (concludeBadly(ended, ran, printed, by) ?? raw);
  return interrupt === undefined ? outcome : warn(outcome, FILE_WITHOUT_MARKER[by.language]);
}

export function warn(outcome: Outcome, ...more: readonly string[]): Outcome {
  if (more.length === 0) return outcome;
  const warnings = [...(outcome.warnings ?? []), ...more];
  return { ...tell(outcome, { warnings }), warnings };
}

/** What else a script printed with its question: apart, so that it never looks like a field of ours. */
function besideQuestion({ said, data, analysis }: Printed): Data {
  return {
    ...(!said && Object.keys(data).length > 0 && { printed: data }),
    ...(analysis !== undefined && { analysis_prompt: analysis }),
  };
}

function concludeWell({ script }: Ran, { said, data, analysis }: Printed, facts: Data, by: Answering): Outcome {
  const more = { ...(analysis !== undefined && { analysis_prompt: analysis }), ...facts };
  if (said) return statedOutcome(by, said.state, said.summary, { ...said.data, ...more });
  const shown = visible(script);
  return statedOutcome(by, 'success', { en: `ran ${shown}`, zh: `执行成功: ${shown}` }, { ...data, ...more });
}

/** Undefined where the host itself has found why. */
function concludeBadly(
  { exit, stderr, facts, isExplained, hint }: EndedScript,
  { script }: Ran,
  { said, data }: Printed,
  by: Answering,
): Outcome | undefined {
  if (said?.state === 'error' || said?.state === 'pending')
    return statedOutcome(by, said.state, said.summary, { ...said.data, ...facts });
  const help = [stderr, String(data.stdout ?? '')].find((text) => /^\s*usage[:：]/im.test(text));
  if (exit === 2 && help !== undefined) return fail(by, wrongArguments(script, help, stderr), facts);
  if (isExplained) return undefined;
  const details = { exit, stderr, ...(Object.keys(data).length > 0 && { printed: data }) };
  const failed = fail(
    by,
    new Fault('RuntimeFailed', lastLine(stderr) || `exit ${exit}`, { details, ...(hint && { hint }) }),
    facts,
  );
  const type = exceptionIn(stderr);
  return type === undefined ? failed : { ...tell(failed, { type }), failure: { ...failed.failure, type } };
}

/** The help of argparse ends with what it disliked. */
function wrongArguments(script: string, help: string, stderr: string): Fault {
  const reason = lastLine(stderr).replace(/^\S+: error: /, '') || visible(script);
  const hint: Text = { en: help.trim(), zh: help.trim() };
  return new Fault('InvalidArgs', reason, { details: { check: 'script', script, help: help.trim() }, hint });
}

const FILE_WITHOUT_MARKER: Text = {
  en: `a question was written but ${MARKER} was not printed; it was ignored`,
  zh: `写入了问题文件但未输出 ${MARKER}，已忽略`,
};

function questionWithoutFile(): Fault {
  return new Fault(
    'InvalidResponse',
    {
      en: `${MARKER} was printed, but langgraph_interrupt.json is empty`,
      zh: `输出了 ${MARKER}，但 langgraph_interrupt.json 为空`,
    },
    {
      details: { check: 'interrupt' },
      hint: {
        en: 'The script writes the file in its working folder before it prints the mark.',
        zh: '脚本应先在工作目录写入该文件，再输出标记。',
      },
    },
  );
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
