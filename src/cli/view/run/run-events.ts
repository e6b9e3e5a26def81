// The events of a run as lines of JSON, as the library tells them.

import { tellTrace } from '../../../app/library/event/trace.ts';
import type { RunEvent } from '../../../app/library/public/event.ts';
import type { RunOrder } from '../../../app/run/order.ts';
import { jsonText } from '../../frame/render.ts';

/** The last one, with the outcome, is for whoever has it. */
export function eventsTo(stream: { write(text: string): unknown }): Pick<RunOrder, 'trace' | 'onProgress'> {
  const emit = (event: RunEvent) => stream.write(`${jsonText(event)}\n`);
  return {
    trace: tellTrace(emit),
    onProgress: ({ fraction, message }) => emit({ type: 'progress', fraction, message }),
  };
}
