// A question as MCP asks it, a form with one box that starts empty, and what of an answer is a yes.
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { isRecord } from '../../base/json.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import type { Answer } from './step.ts';

/** How long a person may take. */
export const ANSWER_MS = 600_000;

export const NO_ANSWER: Answer = { no: 'nobody answered in time' };

const APPROVE: Text = { en: 'Yes, this once', zh: '同意，仅此一次' };

export function formFor(question: string, language: Language): ElicitRequestFormParams {
  const approve = { type: 'boolean', title: inLanguage(APPROVE, language), default: false } as const;
  return {
    mode: 'form',
    message: question,
    requestedSchema: { type: 'object', properties: { approve }, required: ['approve'] },
  };
}

/** Only a form that was sent with the box ticked: whatever else comes, or does not, is a no. */
export function answerIn(response: unknown): Answer {
  if (!isRecord(response)) return NO_ANSWER;
  const { action, content } = response;
  if (action === 'accept') return isRecord(content) && content.approve === true ? 'yes' : { no: 'not approved' };
  return { no: action === 'decline' ? 'declined' : 'closed without an answer' };
}
