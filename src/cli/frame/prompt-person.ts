// Asks the person at the terminal; everything but a clear yes is a no.
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
