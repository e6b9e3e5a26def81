// All rules of content inspection. It informs; it is not a security boundary, as each pattern can be evaded.
import { openPlaceFinder, type PlaceFinder } from '../place.ts';
import { INJECTION_RULES } from './injection.ts';
import { LURE_RULES } from './lure.ts';
import type { Rule, VetView } from './rule.ts';
import { RUN_RULES } from './run.ts';
import { SEND_RULES } from './send.ts';
import { SHELL_RULES } from './shell.ts';
import { STAY_RULES } from './stay.ts';

export const RULES: readonly Rule[] = [
  ...RUN_RULES,
  ...SHELL_RULES,
  ...LURE_RULES,
  ...SEND_RULES,
  ...STAY_RULES,
  ...INJECTION_RULES,
];

export type PlacesOf = Readonly<Record<VetView | 'all', PlaceFinder>>;

/** Where the rules of one view of a text have to be tried, and those of all on one text. */
export const PLACES: PlacesOf = {
  text: placesOf(RULES.filter(({ view }) => view === 'text')),
  reading: placesOf(RULES.filter(({ view }) => view === 'reading')),
  phrase: placesOf(RULES.filter(({ view }) => view === 'phrase')),
  all: placesOf(RULES),
};

function placesOf(rules: readonly Rule[]): PlaceFinder {
  return openPlaceFinder(new Set(rules.flatMap(({ shapes }) => shapes.flatMap(({ cues }) => cues))));
}
