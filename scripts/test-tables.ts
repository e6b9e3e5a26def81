// Which rules and threats are shown by a test: the ids in test names, put beside the list of all of them.
import { RULES, rulesIn } from './rule/list.ts';
import type { Surface } from './rule/reach.ts';

export interface Shown {
  readonly name: string;
  /** Undefined where tests were read and not run. */
  readonly passed: boolean | undefined;
}

export interface RuleFacts {
  readonly surfaces: ReadonlyMap<string, Surface>;
  readonly withMutant: ReadonlySet<string>;
}

export interface Table {
  readonly text: string;
  /** How many are not shown as they must be. */
  readonly lacking: number;
}

const THREATS = 100;

export const THREAT_PATTERN = /\bthreat \d+ (?:threat \d+ )*(?:blocked|control)/;

/** A rule is lacking as long as no test enters through a surface that others can use. */
export function tableOfRules(shown: readonly Shown[], { surfaces, withMutant }: RuleFacts): Table {
  const rows = RULES.map((id) => {
    const tests = shown.filter(({ name }) => rulesIn(name).includes(id));
    const mutant = withMutant.has(id) ? 'present' : 'missing';
    return [id, result(tests), surfaces.get(id) ?? 'none', mutant, tests.map(({ name }) => name).join(' · ')];
  });
  const lacking = rows.filter(([, how = '', surface]) => !isShown(how) || surface === 'inner').length;
  const counts = `surface: ${tally(rows.map(([, , surface]) => surface))}; mutant: ${tally(rows.map((row) => row[3]))}`;
  const text = table(['rule', 'result', 'surface', 'mutant', 'test'], rows);
  return { text: `${text}${counts}\n`, lacking };
}

export function tableOfThreats(shown: readonly Shown[]): Table {
  const rows: string[][] = [];
  for (let number = 1; number <= THREATS; number++) {
    const of = (what: string) => new RegExp(`\\bthreat ${number} (?:threat \\d+ )*${what}\\b`);
    const blocked = shown.filter(({ name }) => of('blocked').test(name));
    const control = shown.filter(({ name }) => of('control').test(name));
    const names = blocked.map(({ name }) => name.replace(/^.*threat \d+ blocked:? */, ''));
    rows.push([String(number), result(blocked), result(control), names.join(' · ')]);
  }
  const lacking = rows.filter(([, how]) => how === 'open').length;
  return { text: table(['threat', 'blocked', 'control', 'test'], rows), lacking };
}

function result(tests: readonly Shown[]): string {
  if (tests.length === 0) return 'open';
  if (tests.some(({ passed }) => passed === false)) return 'FAILED';
  return tests.every(({ passed }) => passed === undefined) ? 'claimed' : 'shown';
}

function isShown(how: string): boolean {
  return how === 'shown' || how === 'claimed';
}

/** The second column counts. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const count = (wanted: string) => rows.filter(([, how]) => how === wanted).length;
  const claimed = count('claimed') > 0 ? [`${count('claimed')} claimed`] : [];
  const totals = [`${count('shown')} shown`, ...claimed, `${count('FAILED')} failed`, `${count('open')} open`];
  return `${layOut(head, rows)}\n${[...totals, `${rows.length} in all`].join(', ')}\n`;
}

function tally(words: readonly (string | undefined)[]): string {
  const groups = [...Map.groupBy(words, (word) => word)];
  return groups.map(([word, those]) => `${those.length} ${word}`).join(', ');
}

function layOut(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => Math.min(10, row[column]?.length ?? 0))),
  );
  const line = (row: readonly string[]) =>
    `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}
