// The final answer on the screen while a model still writes it.
import type { TraceEvent } from '../../agent/session.ts';
import { readStreamedAnswer } from '../../agent/streamed-answer.ts';
import { visibleLines } from '../../base/text.ts';

export interface AnswerStream {
  readonly show: (event: TraceEvent) => void;
  /** What stands on the screen as the answer. */
  shown(): string;
}

export function openAnswerStream(stream: { write(text: string): unknown }): AnswerStream {
  let shown = '';
  const print = (text: string) => {
    const safe = visibleLines(text);
    shown += safe;
    stream.write(safe);
  };
  let read = readStreamedAnswer(print);
  const show = (event: TraceEvent) => {
    if (event.type === 'thinking' && event.depth === 0) read(event.piece);
    if (event.type !== 'retry' && event.type !== 'decided') return;
    if (shown !== '') stream.write('\n');
    // What comes after a retry replaces what was shown.
    if (event.type === 'retry') shown = '';
    read = readStreamedAnswer(print);
  };
  return { show, shown: () => shown };
}
