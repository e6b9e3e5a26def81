// Asks the person at the terminal; everything but a clear yes is a no.
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../base/errors.ts';
import type { Language, Text } from '../base/language.ts';
import type { Scope } from '../policy/approval.ts';
import { type ApprovalQuestion, readAnswer, renderApproval } from '../policy/render-approval.ts';

export interface Ends {
  readonly input: NodeJS.ReadableStream;
  /** Not stdout: there stands the answer of the command alone. */
  readonly output: NodeJS.WritableStream;
}

type Asked = ApprovalQuestion & { readonly note?: Text };

export function promptPerson(language: Language, ends: Ends): (question: Asked) => Promise<Scope | 'no'> {
  return async (question) => {
    const { lines, scopes } = renderApproval(question, language);
    const noted = question.note ? [question.note[language], ...lines] : lines;
    return readAnswer(await ask(`${noted.join('\n')} `, ends), scopes);
  };
}

/** An input that ends without a line is an empty answer. */
async function ask(text: string, { input, output }: Ends): Promise<string> {
  await forgetTypedAhead(input);
  const reader = createInterface({ input, output });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  reader.once('close', () => resolve(''));
  let isStopped = false;
  reader.once('SIGINT', () => {
    isStopped = true;
    reader.close();
  });
  try {
    const answer = await Promise.race([reader.question(text), ended]);
    if (isStopped) throw stopped();
    return answer;
  } finally {
    reader.close();
  }
}

const TYPED_AHEAD_MS = 50;

/** What was typed before the question was there cannot be an answer to it. */
async function forgetTypedAhead(input: NodeJS.ReadableStream): Promise<void> {
  if (!('isTTY' in input && input.isTTY)) return;
  input.resume();
  await sleep(TYPED_AHEAD_MS);
  input.pause();
}

function stopped(): Fault {
  return new Fault(
    'ApprovalDenied',
    { en: 'stopped at the question', zh: '在询问时已停止' },
    {
      details: { signal: 'SIGINT' },
      hint: { en: 'Nothing was done. Run it again to be asked again.', zh: '未执行任何操作。重新运行可再次询问。' },
    },
  );
}
