// The trace of a run as the events that the library and `run --stream-json` tell.
import type { TraceEvent } from '../../../agent/session.ts';
import { readStreamedAnswer } from '../../../agent/streamed-answer.ts';
import type { OnEvent } from '../public/event.ts';

/** Keeps where the answer is: pieces of it become events of their own, and those of a decision are not told. */
export function tellTrace(emit: OnEvent): (event: TraceEvent) => void {
  const open = () => readStreamedAnswer((text) => emit({ type: 'text', text }));
  let read = open();
  return (event) => {
    switch (event.type) {
      case 'begun':
        return emit({ type: 'started', runId: event.run, model: event.model });
      case 'turn':
        return emit(event);
      case 'thinking':
        return event.depth === 0 ? read(event.piece) : undefined;
      case 'retry':
        read = open();
        return emit(event);
      case 'decided': {
        read = open();
        const { turn, depth, kind, action, tokens, milliseconds } = event;
        return emit({ type: 'action', turn, depth, kind, action, tokens, milliseconds });
      }
      case 'observed': {
        const { turn, depth, state, summary } = event;
        return emit({ type: 'observation', turn, depth, state, summary });
      }
    }
  };
}
