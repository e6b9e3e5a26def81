// Asks the person at the terminal; everything but a clear yes is a no.
import { createInterface } from 'node:readline/promises';
import type { Language } from '../base/language.ts';
import type { Scope } from '../policy/approval.ts';
import { type ApprovalQuestion, readAnswer, renderApproval } from '../policy/render-approval.ts';

export interface Ends {
  readonly input: NodeJS.ReadableStream;
  /** Not stdout: there stands the answer of the command alone. */
  readonly output: NodeJS.WritableStream;
}

export function promptPerson(language: Language, ends: Ends): (question: ApprovalQuestion) => Promise<Scope | 'no'> {
  return async (question) => {
    const { lines, scopes } = renderApproval(question, language);
    return readAnswer(await ask(`${lines.join('\n')} `, ends), scopes);
  };
}

/** An input that ends without a line is an empty answer. */
async function ask(text: string, { input, output }: Ends): Promise<string> {
  const reader = createInterface({ input, output });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  reader.once('close', () => resolve(''));
  try {
    return await Promise.race([reader.question(text), ended]);
  } finally {
    reader.close();
  }
}
