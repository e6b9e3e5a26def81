// Streams the final answer out of an incomplete decision. Display only.
import { readJsonString } from '../base/json.ts';

const START = /"action"\s*:\s*\{\s*"type"\s*:\s*"final_answer"\s*,\s*"content"\s*:\s*"/;
/** The content of a JSON string up to its end, or up to an incomplete escape. */
const WHOLE = /^(?:[^"\\\p{Cc}]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/u;
/** Characters that may combine with the next one. */
const UNDECIDED = /(?:\r|[\ud800-\udbff]|[\ufe00-\ufe0f])+$/;
/** A decision without an answer by then is no longer searched. */
const LONGEST_LEAD = 64 * 1024;

/** Takes a decision chunk by chunk, and shows its answer; one that arrives at once is not shown. */
export function readStreamedAnswer(show: (text: string) => void): (piece: string) => void {
  let waiting = '';
  let held = '';
  let at: 'before' | 'inside' | 'over' = 'before';
  return (piece) => {
    if (at === 'over') return;
    waiting += piece;
    const isFirst = at === 'before';
    if (isFirst) {
      const start = START.exec(waiting);
      if (!start && waiting.length > LONGEST_LEAD) at = 'over';
      if (!start) return;
      at = 'inside';
      waiting = waiting.slice(start.index + start[0].length);
    }
    const [whole = ''] = WHOLE.exec(waiting) ?? [];
    waiting = waiting.slice(whole.length);
    if (waiting.startsWith('"')) at = 'over';
    if (at === 'over' && isFirst) return;
    const text = held + readJsonString(`"${whole}"`);
    held = at === 'over' ? '' : (UNDECIDED.exec(text)?.[0] ?? '');
    if (text.length > held.length) show(text.slice(0, text.length - held.length));
  };
}
