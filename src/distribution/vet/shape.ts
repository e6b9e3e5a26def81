// Finds the shapes of rules in one text, in time linear in its length: each cue is looked for once, and hits are merged.
import type { PlaceFinder, PrefixPlaces } from './place.ts';
import type { Shape } from './rule/rule.ts';

export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Start and end of each hit, one after the other. */
type Hits = readonly number[];

/** A text with what was found in it so far. */
export interface Searched {
  readonly text: string;
  readonly finder: PlaceFinder;
  readonly hits: Map<RegExp, Hits>;
  places?: PrefixPlaces;
}

const BEFORE = 80;

export function searched(text: string, finder: PlaceFinder): Searched {
  return { text, finder, hits: new Map() };
}

/** One for each place where it begins. */
export function* findShape(shape: Shape, within: Searched): Generator<Stretch> {
  const { text } = within;
  let last = -1;
  for (const span of shape.anyOrder ? findTogether(shape, within) : findInOrder(shape, within)) {
    if (span.start === last || shape.unless?.test(text.slice(Math.max(0, span.start - BEFORE), span.end))) continue;
    last = span.start;
    yield span;
  }
}

/** The nearest hit before is the best one to go on from: whatever parts it from the next parts all earlier ones, too. */
function* findInOrder({ cues, within = 0, apart }: Shape, searched: Searched): Generator<Stretch> {
  const [first, ...others] = cues;
  if (first === undefined) return;
  let reached = hitsOf(first, searched);
  for (const cue of others) {
    if (reached.length === 0) return;
    reached = goOn(reached, hitsOf(cue, searched), { within, barrier: nextOf(apart, searched.text) });
  }
  for (let at = 0; at < reached.length; at += 2) yield { start: reached[at] ?? 0, end: reached[at + 1] ?? 0 };
}

interface Step {
  readonly within: number;
  readonly barrier: (from: number) => number;
}

function goOn(reached: Hits, next: Hits, { within, barrier }: Step): Hits {
  const further: number[] = [];
  let at = -2;
  for (let to = 0; to < next.length; to += 2) {
    const [start = 0, end = 0] = [next[to], next[to + 1]];
    while (at + 3 < reached.length && (reached[at + 3] ?? 0) <= start) at += 2;
    if (at < 0) continue;
    const [from = 0, until = 0] = [reached[at], reached[at + 1]];
    if (start - until <= within && barrier(until) >= start) further.push(from, end);
  }
  return further;
}

/** Where the barrier comes next; asked with rising places only, so that the text is read once. */
function nextOf(apart: RegExp | undefined, text: string): (from: number) => number {
  if (apart === undefined) return () => Number.POSITIVE_INFINITY;
  const pattern = new RegExp(apart, 'g');
  let known = -1;
  return (from) => {
    if (known < from) {
      pattern.lastIndex = from;
      known = pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
    }
    return known;
  };
}

function* findTogether({ cues, within = 0 }: Shape, searched: Searched): Generator<Stretch> {
  const all = cues.map((cue) => hitsOf(cue, searched));
  if (all.some((hits) => hits.length === 0)) return;
  const at = all.map(() => 0);
  const seen = all.map(() => Number.NEGATIVE_INFINITY);
  let free = 0;
  for (;;) {
    const next = nearest(all, at);
    if (next === undefined) return;
    const place = at[next] ?? 0;
    const [start = 0, end = 0] = [all[next]?.[place], all[next]?.[place + 1]];
    seen[next] = start;
    at[next] = place + 2;
    const first = Math.min(...seen);
    // Each hit counts for one finding.
    if (first < free || end - first > within) continue;
    free = end;
    yield { start: first, end };
  }
}

function nearest(all: readonly Hits[], at: readonly number[]): number | undefined {
  let found: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, hits] of all.entries()) {
    const start = hits[at[index] ?? 0] ?? Number.POSITIVE_INFINITY;
    if (start < least) [found, least] = [index, start];
  }
  return found;
}

function hitsOf(cue: RegExp, searched: Searched): Hits {
  const known = searched.hits.get(cue);
  if (known) return known;
  const { text, finder } = searched;
  searched.places ??= finder.find(text);
  const { here, prefixes } = finder.known(cue);
  const found: number[] = [];
  let free = 0;
  for (const place of merged(prefixes.map((number) => searched.places?.[number] ?? []))) {
    if (place < free) continue;
    here.lastIndex = place;
    if (!here.test(text)) continue;
    free = Math.max(here.lastIndex, place + 1);
    found.push(place, free);
  }
  searched.hits.set(cue, found);
  return found;
}

/** Rising lists as one, the short ones first. */
function merged(lists: readonly (readonly number[])[]): readonly number[] {
  const filled = lists.filter((list) => list.length > 0).toSorted((a, b) => a.length - b.length);
  return filled.reduce((all, list) => (all.length === 0 ? list : mergedTwo(all, list)), [] as readonly number[]);
}

function mergedTwo(some: readonly number[], others: readonly number[]): number[] {
  const all: number[] = [];
  let at = 0;
  for (const place of some) {
    for (let other = others[at]; other !== undefined && other < place; other = others[++at]) all.push(other);
    all.push(place);
  }
  for (; at < others.length; at++) all.push(others[at] ?? 0);
  return all;
}
