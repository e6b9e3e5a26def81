// Inspects the text of one file: what its rules find, and everything it hides from its reader.
import type { Text } from '../../base/language.ts';
import { truncate, visible } from '../../base/text.ts';
import type { VetSeverity } from '../../config/severity.ts';
import { contextOf } from './context.ts';
import { encodedText } from './encoded.ts';
import { hiddenCharacters } from './hidden.ts';
import { type Lines, linesOf } from './line.ts';
import { RULES } from './rule/list.ts';
import type { FileKind } from './rule/rule.ts';
import { findRules, type Sighting } from './search.ts';
import { padding, unseenOrders } from './unseen.ts';
import { viewsOf } from './view.ts';

export interface VetFinding {
  readonly id: string;
  readonly severity: VetSeverity;
  readonly file: string;
  readonly line: number;
  /** Safe to print. */
  readonly excerpt: string;
  readonly says: Text;
  /** How often it occurs in this file; the line is that of the first. */
  readonly count: number;
}

const EXCERPT_WIDTH = 160;
/** Nobody shows so many examples: further ones are not excused, and their surroundings not read. */
const EXCUSED = 10_000;

export function inspectText(file: string, kind: FileKind, text: string): VetFinding[] {
  const views = viewsOf(text, kind);
  const lines = linesOfEach({
    text: views.text.text,
    reading: views.reading.text,
    phrase: views.phrase.text,
    raw: text,
  });
  const { weigh } = contextOf(file, kind, lines.text);
  const tally = openTally(file, lines);
  const weighed = (sighting: Sighting) =>
    tally.isFlooded(sighting.id) ? sighting.severity : weigh(sighting, lines[sighting.view]);
  for (const sighting of findRules(RULES, views, kind)) tally.add(sighting, weighed(sighting));
  for (const sighting of encodedText(views.text.text)) tally.add(sighting, weighed(sighting));
  if (kind === 'prose') for (const sighting of unseenOrders(file, views.text.text)) tally.add(sighting);
  for (const sighting of padding(views.text.text)) tally.add(sighting);
  for (const sighting of hiddenCharacters(text)) tally.add(sighting);
  return tally.findings();
}

type LinesOfEach = Readonly<Record<Sighting['view'], Lines>>;

/** VetViews that are the same text share their lines. */
function linesOfEach(texts: Readonly<Record<Sighting['view'], string>>): LinesOfEach {
  const known = new Map(Object.values(texts).map((text) => [text, linesOf(text)]));
  const of = (text: string) => known.get(text) ?? linesOf(text);
  return { text: of(texts.text), reading: of(texts.reading), phrase: of(texts.phrase), raw: of(texts.raw) };
}

interface Group {
  first: Sighting;
  readonly severity: VetSeverity;
  count: number;
}

/** One finding for each rule and severity, at its first place, with the number of the others. */
function openTally(file: string, lines: LinesOfEach) {
  const groups = new Map<string, Group>();
  const counts = new Map<string, number>();
  return {
    isFlooded: (id: string) => (counts.get(id) ?? 0) >= EXCUSED,
    add(sighting: Sighting, severity: VetSeverity = sighting.severity): void {
      counts.set(sighting.id, (counts.get(sighting.id) ?? 0) + 1);
      const key = `${sighting.id} ${severity}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { first: sighting, severity, count: 1 });
      else {
        group.count++;
        if (sighting.index < group.first.index) group.first = sighting;
      }
    },
    findings: (): VetFinding[] =>
      [...groups.values()].map(({ first: { id, index, says, view }, severity, count }) => {
        const own = lines[view];
        return { id, severity, file, line: own.at(index) + 1, excerpt: excerptAt(own, index), says, count };
      }),
  };
}

function excerptAt({ text, at, start }: Lines, index: number): string {
  const from = text.slice(Math.max(start(at(index)), index - 40), index + EXCERPT_WIDTH * 3).trimStart();
  return truncate(visible(from.split('\n', 1)[0] ?? ''), EXCERPT_WIDTH);
}
