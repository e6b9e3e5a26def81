// Whoever calls from code, as a use case sees a person: one function is asked everything, and events say what was asked.
import type { BudgetQuestion } from '../../agent/budget.ts';
import { Fault } from '../../base/errors.ts';
import { showHostRule } from '../../base/host-rule.ts';
import type { Language } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { HostAnswer } from '../../network/reach.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '../../policy/question/facts.ts';
import { renderFacts } from '../../policy/render-approval.ts';
import type { Caller } from '../open-door.ts';
import type { ChangesAnswer, ShownChanges } from '../workspace/settle.ts';
import { budgetName } from './budget.ts';
import { judgedFile } from './change.ts';
import type { OnEvent } from './public/event.ts';
import type { Ask, CallQuestion, Question, QuestionAnswer } from './public/question.ts';

export interface Asking extends Pick<Caller, 'ask' | 'askHost' | 'askNetwork' | 'askChanges'> {
  readonly goOn?: (question: BudgetQuestion) => Promise<boolean>;
}

interface Asker {
  readonly ask: Ask | undefined;
  readonly language: Language;
  readonly emit: OnEvent;
  readonly signal: AbortSignal;
}

/** Empty where there is nobody to ask: what needs a decision is saved then. */
export function askingBy({ ask, language, emit, signal }: Asker): Asking {
  if (!ask) return {};
  const put = async (question: Question, until = signal): Promise<QuestionAnswer> => {
    emit({ type: 'question', question });
    const answer = await unlessAborted(() => ask(question, until), until);
    emit({ type: 'answer', about: question.about, answer });
    return answer;
  };
  return {
    ask: async (question) => approvalIn(await put(callQuestion(question, language))),
    askHost: async ({ skill, host, port }, own) => {
      const text = sayHost(skill, showHostRule({ host, port }))[language];
      return reachIn(await put({ about: 'host', text, skill, host, port }, AbortSignal.any([signal, own])));
    },
    askNetwork: async ({ skill, hosts, tier }) =>
      reachIn(await put({ about: 'network', text: sayNetwork(skill, tier)[language], skill, hosts, tier })),
    askChanges: async ({ run, judged }: ShownChanges) => {
      const changes = judged.map(judgedFile);
      const text = changes.map(({ kind, path }) => `${kind} ${visible(path)}`).join('\n');
      return changesIn(await put({ about: 'changes', text, runId: run, changes }));
    },
    goOn: async ({ budget, limit, more }) => {
      const name = budgetName(budget);
      const text = sayBudget(name, limit, more)[language];
      return isYes(await put({ about: 'budget', text, budget: name, limit, more }));
    },
  };
}

/** A question that nobody needs an answer to any more does not hold up the end. */
async function unlessAborted(
  ask: () => QuestionAnswer | Promise<QuestionAnswer>,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  if (signal.aborted) throw calledOff();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(calledOff());
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([answerOf(ask), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** What it throws is the program's, and no error of ours. */
async function answerOf(ask: () => QuestionAnswer | Promise<QuestionAnswer>): Promise<QuestionAnswer> {
  try {
    return await ask();
  } catch (thrown) {
    const said = visible(thrown instanceof Error ? thrown.message : String(thrown));
    throw new Fault('RuntimeFailed', { en: `ask threw: ${said}`, zh: `ask 抛出错误: ${said}` }, { cause: thrown });
  }
}

function calledOff(): Fault {
  const why = { en: 'called off while a question was open', zh: '在等待回答时被取消' };
  return new Fault('RuntimeFailed', why, { reason: 'stopped', details: { aborted: true } });
}

function callQuestion(question: ApprovalQuestion, language: Language): CallQuestion {
  const { subject, risk, words, view, reach, role, skill, since, tier, notEnforced, note } = question;
  const lines = [...renderFacts(question, language), ...(note ? [note[language]] : [])];
  return {
    about: 'call',
    text: lines.join('\n'),
    ...{ tool: subject.tool, risk, digest: subject.digest, words, network: subject.network },
    ...(skill !== undefined && { skill }),
    ...(role !== undefined && { role }),
    ...(view && { view }),
    ...(reach && { reach }),
    ...(since && { since }),
    ...(tier !== undefined && { tier }),
    ...(notEnforced && { notEnforced }),
  };
}

function approvalIn(answer: QuestionAnswer): ApprovalAnswer {
  if (answer === 'yes') return 'once';
  if (answer === 'run') return answer;
  return typeof answer === 'object' && 'no' in answer ? { no: String(answer.no) } : 'no';
}

function reachIn(answer: QuestionAnswer): Exclude<HostAnswer, 'always'> {
  if (answer === 'yes') return 'once';
  return answer === 'run' ? answer : 'no';
}

function changesIn(answer: QuestionAnswer): ChangesAnswer {
  if (isYes(answer)) return 'yes';
  if (typeof answer !== 'object' || !('only' in answer)) return 'no';
  return { only: answer.only, ...(answer.guarded === true && { guarded: true }) };
}

function isYes(answer: QuestionAnswer): boolean {
  return answer === 'yes' || answer === 'run';
}

function sayHost(skill: string, host: string): Record<Language, string> {
  const [name, where] = [visible(skill), visible(host)];
  return {
    en: `${name} tries to reach ${where}. Whatever it can read may be sent there.`,
    zh: `${name} 试图访问 ${where}。其能读取的一切都可能被发送到那里。`,
  };
}

function sayNetwork(skill: string, tier: string): Record<Language, string> {
  return {
    en: `Sandbox ${tier} cannot let single hosts through: ${visible(skill)} would get the whole network.`,
    zh: `沙箱 ${tier} 无法只放行个别主机: ${visible(skill)} 将得到整个网络。`,
  };
}

function sayBudget(budget: string, limit: number, more: number): Record<Language, string> {
  return {
    en: `The budget for ${budget} (${limit}) is used up; a yes adds ${more}.`,
    zh: `${budget} 的预算（${limit}）已用完；同意则增加 ${more}。`,
  };
}
