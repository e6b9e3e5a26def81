// Asks the person at the terminal; everything but a clear yes is a no.
import type { BudgetQuestion } from '../../agent/budget.ts';
import type { Language, Text } from '../../base/language.ts';
import type { ApprovalScope } from '../../policy/approval.ts';
import { type ApprovalQuestion, readAnswer, renderApproval } from '../../policy/render-approval.ts';
import { askLines, forgetTypedAhead, type OpenEnds } from './ask-line.ts';

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
    const typed = await askLines(ends, (ask) => ask(words[language]));
    const goesOn = ['y', 'yes'].includes(typed.trim().toLowerCase());
    if (!goesOn) refused.add(budget);
    return goesOn;
  };
}
