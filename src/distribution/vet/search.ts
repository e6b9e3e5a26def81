// What the rules find in a text, each by its shapes, and which of many small texts hold something grave.
import type { Text } from '../../base/language.ts';
import type { VetSeverity } from '../../config/severity.ts';
import { lastUpTo } from './line.ts';
import { PLACES, RULES } from './rule/list.ts';
import type { FileKind, Rule, VetView } from './rule/rule.ts';
import { findShape, type Stretch, searched } from './shape.ts';
import type { VetViews } from './view.ts';

const COMMAND_END = 300;

export interface Sighting {
  readonly id: string;
  readonly severity: VetSeverity;
  readonly view: VetView | 'raw';
  readonly index: number;
  readonly end: number;
  readonly says: Text;
  readonly isWords?: true | undefined;
}

export function* findRules(rules: readonly Rule[], views: VetViews, kind: FileKind): Generator<Sighting> {
  for (const rule of rules) {
    if (rule.where !== 'any' && rule.where !== kind) continue;
    for (const span of stretchesOf(rule, views)) {
      const { id, says, view, isWords } = rule;
      const severity = rule.weigh?.(wholeCommand(views[view].text, span), kind) ?? rule.severity;
      yield { id, severity, view, index: span.start, end: span.end, says, isWords };
    }
  }
}

/** What follows on the line, too: an address can stand behind what gave it away. */
function wholeCommand(text: string, { start, end }: Stretch): string {
  return text.slice(start, end) + (text.slice(end, end + COMMAND_END).split('\n', 1)[0] ?? '');
}

function* stretchesOf({ shapes, view }: Rule, views: VetViews): Generator<Stretch> {
  for (const shape of shapes) yield* findShape(shape, views[view]);
}

/** Searched as one text, so that a million small ones take no longer than one large one. */
export function findGrave(pieces: readonly string[]): Set<number> {
  if (pieces.length === 0) return new Set();
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.length + 1;
  }
  const text = searched(pieces.map((piece) => piece.replaceAll('\n', ' ')).join('\n'), PLACES.all);
  const grave = new Set<number>();
  for (const rule of RULES) {
    if (rule.severity === 'LOW') continue;
    for (const { start } of stretchesOf(rule, { text, reading: text, phrase: text }))
      grave.add(lastUpTo(starts, start));
  }
  return grave;
}
