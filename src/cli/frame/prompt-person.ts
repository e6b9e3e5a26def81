// Asks the person at the terminal; everything but a clear yes is a no.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BudgetQuestion } from '../../agent/budget.ts';
import type { Language, Text } from '../../base/language.ts';
import type { ApprovalScope } from '../../policy/approval.ts';
import { type ApprovalQuestion, readAnswer, renderApproval } from '../../policy/render-approval.ts';
import { askYesNo } from './change/ask-changes.ts';
import { askLines, type OpenEnds } from './ask-line.ts';

type Asked = ApprovalQuestion & { readonly note?: Text };

export function promptPerson(language: Language, ends: OpenEnds): (question: Asked) => Promise<ApprovalScope | 'no'> {
  return async (question) => {
    const { lines, scopes } = renderApproval(question, language);
    const noted = question.note ? [question.note[language], ...lines] : lines;
    await forgetTypedAhead(ends().input);
    return readAnswer(await askLines(ends, (ask) => ask(`${noted.join('\n')} `)), scopes);
  };
}

/** At the end of a budget. After a no it is not asked again: the run ends with what it has. */
export function askAboutBudget(language: Language, ends: OpenEnds): (question: BudgetQuestion) => Promise<boolean> {
  const refused = new Set<string>();
  return async ({ budget, limit, more }) => {
    if (refused.has(budget)) return false;
    const words: Text = {
      en: `The budget is at its end: ${budget} (${limit}). Go on with ${more} more? [y/N] `,
      zh: `预算即将用尽: ${budget} (${limit})。再增加 ${more} 并继续？[y/N] `,
    };
    await forgetTypedAhead(ends().input);
    const goesOn = await askYesNo(words[language], ends);
    if (!goesOn) refused.add(budget);
    return goesOn;
  };
}

const TYPED_AHEAD_MS = 50;

/** What was typed before the question was there cannot be an answer to it. */
async function forgetTypedAhead(input: NodeJS.ReadableStream): Promise<void> {
  if (!('isTTY' in input && input.isTTY)) return;
  input.resume();
  await sleep(TYPED_AHEAD_MS);
  input.pause();
}
