// Asks the person at the terminal; everything but a clear yes is a no.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Language, Text } from '../../base/language.ts';
import type { ApprovalScope } from '../../policy/approval.ts';
import { type ApprovalQuestion, readAnswer, renderApproval } from '../../policy/render-approval.ts';
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

const TYPED_AHEAD_MS = 50;

/** What was typed before the question was there cannot be an answer to it. */
async function forgetTypedAhead(input: NodeJS.ReadableStream): Promise<void> {
  if (!('isTTY' in input && input.isTTY)) return;
  input.resume();
  await sleep(TYPED_AHEAD_MS);
  input.pause();
}
