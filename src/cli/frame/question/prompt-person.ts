// Asks the person at the terminal; everything but a clear yes is a no, and what they want to see first is shown.
import type { BudgetQuestion } from '../../../agent/budget.ts';
import type { Language, Text } from '../../../base/language.ts';
import type { Terminal } from '../../../base/text/terminal.ts';
import { isYes, readTyped } from '../../../policy/question/answer.ts';
import type { ApprovalAnswer, ApprovalQuestion, OfferedGrant } from '../../../policy/question/facts.ts';
import {
  choiceLines,
  grantLines,
  helpLines,
  offersOf,
  questionLines,
  type Screen,
  wholeLines,
} from '../../view/question/approval.ts';
import { askLines, forgetTypedAhead, type OpenEnds } from '../ask-line.ts';
import { showPages } from './pager.ts';

/** Where nothing is known of the terminal. */
const PLAIN = { color: false, width: Number.POSITIVE_INFINITY };

export function promptPerson(
  language: Language,
  ends: OpenEnds,
  terminal: Pick<Terminal, 'color' | 'width'> = PLAIN,
): (question: ApprovalQuestion) => Promise<ApprovalAnswer> {
  const screen = { language, color: terminal.color, width: terminal.width };
  return async (question) => {
    const offers = offersOf(question);
    let above = questionLines(question, screen);
    for (;;) {
      const typed = readTyped(await askBelow([...above, ...choiceLines(offers, screen)], ends), offers);
      above = [];
      if ('show' in typed) await show(typed.show, question, ends, screen);
      else if (typed.answer !== 'always' || (question.always && (await confirmGrant(question.always, ends, screen))))
        return typed.answer;
    }
  };
}

/** Each line that is typed answers the question that stands above it, and no later one. */
async function askBelow(lines: readonly string[], ends: OpenEnds): Promise<string> {
  await forgetTypedAhead(ends().input);
  const last = lines.at(-1) ?? '';
  return await askLines(ends, (ask, tell) => {
    tell(lines.slice(0, -1));
    return ask(`${last} `);
  });
}

async function show(
  what: 'help' | 'file' | 'diff',
  question: ApprovalQuestion,
  ends: OpenEnds,
  screen: Screen,
): Promise<void> {
  const view = what === 'help' ? undefined : ((await question.whole?.()) ?? question.view);
  const lines = what !== 'help' && view ? wholeLines(view, what, screen) : helpLines(question, screen);
  const { output } = ends();
  await askLines(ends, (ask, tell) => showPages(lines, output, { ask, tell, language: screen.language }));
}

/** Spelled out before it is written; nothing but a clear yes writes it. */
async function confirmGrant(grant: OfferedGrant, ends: OpenEnds, screen: Screen): Promise<boolean> {
  const asked: Text = { en: 'Write this grant? [y/N]', zh: '写入此授权？[y/N]' };
  const typed = await askBelow([...grantLines(grant, screen), asked[screen.language]], ends);
  return isYes(typed);
}

/** At the end of a budget. After a no it is not asked again: the run ends with what it has. */
export function askAboutBudget(language: Language, ends: OpenEnds): (question: BudgetQuestion) => Promise<boolean> {
  const refused = new Set<string>();
  return async ({ budget, limit, more }) => {
    if (refused.has(budget)) return false;
    const words: Text = {
      en: `The budget is at its end: ${budget} (${limit}). Go on with ${more} more? [y/N]`,
      zh: `预算即将用尽: ${budget} (${limit})。再增加 ${more} 并继续？[y/N]`,
    };
    const goesOn = isYes(await askBelow([words[language]], ends));
    if (!goesOn) refused.add(budget);
    return goesOn;
  };
}
