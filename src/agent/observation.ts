// The result of an action, as the model sees it: short texts whole, long ones as excerpt and reference, old ones as one line.
import type { TextRef } from '../audit/event.ts';
import { asData, frame } from './frame.ts';

export interface Observation {
  readonly turn: number;
  /** The action in one line. */
  readonly of: string;
  readonly state: string;
  /** Empty once only the line is left. */
  readonly text: string;
  /** The text is truncated. */
  readonly cut: boolean;
  /** The file of the record with the whole text. */
  readonly ref?: string;
  readonly sha256: string;
}

export interface Seen {
  readonly turn: number;
  readonly of: string;
  readonly state: string;
  readonly text: string;
}

const WHOLE = 6_000;
const HEAD = 2_500;
const TAIL = 1_000;
/** The limits of observations in the context, in characters and number of whole ones; the oldest are shortened first. */
const TOGETHER = 48_000;
const WHOLE_ONES = 40;
const LINES = 40;

export function makeObservation({ text, ...what }: Seen, { sha256, ref }: TextRef): Observation {
  const place = { sha256, ...(ref !== undefined && { ref }) };
  if (text.length <= WHOLE) return { ...what, text, cut: false, ...place };
  const gap = `[… ${text.length - HEAD - TAIL} characters left out …]`;
  const ends = `${text.slice(0, HEAD)}\n${gap}\n${text.slice(-TAIL)}`;
  return { ...what, text: ends.toWellFormed(), cut: true, ...place };
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
