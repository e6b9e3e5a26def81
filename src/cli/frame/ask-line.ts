// One line from the person at the terminal; Ctrl-C there stops the command instead of being an answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault, type FaultReason } from '../../base/errors.ts';

export interface Ends {
  readonly input: NodeJS.ReadableStream;
  /** Not stdout: there stands the answer of the command alone. */
  readonly output: NodeJS.WritableStream;
}

/** Called when somebody is asked and not before: looking at stdin opens it. */
export type OpenEnds = () => Ends;

export const PERSON: OpenEnds = () => ({ input: process.stdin, output: process.stderr });

/** Asks one question, on one line. */
export type AskLine = (question: string) => Promise<string>;

/** Each line to its question; an input that ends is an empty answer to this and all others. */
export async function askLines<T>(
  open: OpenEnds,
  use: (ask: AskLine, tell: (lines: Iterable<string>) => void) => Promise<T>,
): Promise<T> {
  const { createInterface } = await import('node:readline/promises');
  const ends = open();
  const reader = createInterface({ input: ends.input, output: ends.output });
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  reader.once('close', () => resolve(undefined));
  let isStopped = false;
  reader.once('SIGINT', () => {
    isStopped = true;
    reader.close();
  });
  try {
    const ask = async (question: string) => {
      const answer = await Promise.race([reader.question(question), ended]);
      // The cursor still stands behind the question.
      if (answer === undefined) ends.output.write('\n');
      if (isStopped) throw stopped();
      return answer ?? '';
    };
    return await use(ask, (lines) => {
      for (const line of lines) ends.output.write(`${line}\n`);
    });
  } finally {
    reader.close();
  }
}

const TYPED_AHEAD_MS = 50;

/** What was typed before the question was there cannot be an answer to it. */
export async function forgetTypedAhead(input: NodeJS.ReadableStream): Promise<void> {
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
      reason: 'stopped',
      hint: { en: 'Nothing was done. Run it again to be asked again.', zh: '未执行任何操作。重新运行可再次询问。' },
    },
  );
}

/** Whether a person ended it with Ctrl-C, at a question or under way, by the fault itself or the failure of its outcome. */
export function wasStopped({ reason }: { readonly reason?: FaultReason | undefined }): boolean {
  return reason === 'stopped';
}
