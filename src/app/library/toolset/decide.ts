// What policy says to a call of `run_skill` before it is made, with the whole question a person has to answer.
import type { Fault } from '../../../base/errors.ts';
import { inLanguage, type Text } from '../../../base/language.ts';
import { tellFacts } from '../../../door/approval-facts.ts';
import { type CallJudgement, judgeCall } from '../../../door/judge/judge-call.ts';
import type { Runtime } from '../../runtime.ts';
import type { ToolDecision } from '../public/toolset.ts';
import type { ToolInput } from './input.ts';
import type { Ground } from './reading.ts';
import { callOf } from './run-skill.ts';

export const READING: ToolDecision = {
  effect: 'allow',
  reason: 'reading is decided while it is done',
  risk: 'low',
  layers: [],
};

export async function decideRun(given: ToolInput, ground: Ground): Promise<ToolDecision> {
  const judged = await judgeCall(callOf(given, ground), ground.door);
  if (!judged) return { effect: 'allow', reason: 'nothing is run for it', risk: 'low', layers: [] };
  const { effect, risk, layers, grant } = judged;
  const deciding = layers.find((layer) => layer.effect === effect);
  const rule = deciding ? `${deciding.layer}: ${deciding.rule}` : effect;
  const reason = grant === undefined ? rule : `grant ${grant}`;
  const asked = effect === 'ask' && (await askedAs(judged, ground.runtime));
  return { effect, reason, risk, layers, ...asked };
}

async function askedAs(
  { forYes, key, facts }: CallJudgement,
  { language }: Runtime,
): Promise<Pick<ToolDecision, 'question' | 'approval'>> {
  const covers = inLanguage(forYes ? COVERS_CHANGES : AT_A_TERMINAL, language);
  const question = `${tellFacts(await facts(), language)}\n${covers}`;
  return { question, ...(forYes && { approval: key }) };
}

const COVERS_CHANGES: Text = {
  en: 'A yes also puts the new and changed ordinary files that it writes into the project; deletions, programs and guarded files wait for another decision.',
  zh: '同意也包括将其写入的新文件和更改的普通文件应用到项目; 删除、程序和受保护的文件另行决定。',
};
const AT_A_TERMINAL: Text = {
  en: 'Only a person at a terminal can say yes to this; the result of the call names the command.',
  zh: '只有用户在终端才能同意; 调用结果会给出相应的命令。',
};

/** A call that fails before it does anything needs nobody's yes: its result says what is wrong. */
export function nothingToDecide({ sentence }: Fault, { language }: Runtime): ToolDecision {
  return { effect: 'allow', reason: inLanguage(sentence, language), risk: 'low', layers: [] };
}
