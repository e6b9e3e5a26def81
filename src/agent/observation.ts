// The result of an action, as the model sees it: texts whole up to a limit, longer ones by their ends, old ones as one line.
import type { TextRef } from '../audit/event.ts';
import { asData, frame } from './frame.ts';
import { boundText } from './told/long-text.ts';

export interface Observation {
  readonly turn: number;
  /** The action in one line. */
  readonly of: string;
  readonly state: string;
  /** Empty once only the line is left. */
  readonly text: string;
  /** The text is truncated. */
  readonly cut: boolean;
  /** The name of the whole text in the record, and where it lies there. */
  readonly ref?: string;
  readonly at?: readonly [start: number, length: number];
  readonly sha256: string;
}

export interface Seen {
  readonly turn: number;
  readonly of: string;
  readonly state: string;
  readonly text: string;
  /** Its lines may be headings. */
  readonly markdown?: boolean;
}

/** The limits of observations in the context, in characters and number of whole ones; the oldest are shortened first. */
const TOGETHER = 64 * 1024;
const WHOLE_ONES = 40;
const LINES = 40;

export function makeObservation({ text, markdown = false, ...what }: Seen, { sha256, ref, at }: TextRef): Observation {
  const place = { sha256, ...(ref !== undefined && { ref }), ...(at && { at }) };
  return { ...what, ...boundText({ text, ref, markdown }), ...place };
}

/** Keeps the latest whole, then lines, then a count; no other part of the context is changed. */
export function compact(observations: readonly Observation[]): { kept: Observation[]; dropped: number } {
  let room = TOGETHER;
  const kept = observations
    .toReversed()
    .map((one, age) => {
      room -= one.text.length;
      return age === 0 || (age < WHOLE_ONES && room >= 0) ? one : { ...one, text: '', cut: true };
    })
    .toReversed();
  const lines = kept.filter(({ text }) => text === '').length;
  const dropped = Math.max(0, lines - LINES);
  let left = dropped;
  return { kept: kept.filter(({ text }) => text !== '' || --left < 0), dropped };
}

export function renderObservation({ turn, of, state, text, cut, ref = '', sha256 }: Observation): string {
  const attributes = { turn: String(turn), of, state, ...(cut && { whole: `${ref} sha256:${sha256.slice(0, 16)}` }) };
  return frame('observation', text === '' ? '[left out to save room]' : asData(text), attributes);
}
