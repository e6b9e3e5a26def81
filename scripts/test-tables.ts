// Which rules and threats are shown by a test: the ids in test names, put beside the list of all of them.

export interface Shown {
  readonly name: string;
  readonly passed: boolean;
}

const RULES = { '000': 77, '001': 51, '002': 107, '003': 52 };
const THREATS = 65;

export const RULE_PATTERN = /\b00[0-3]-\d{2,3}\b/;
export const THREAT_PATTERN = /\bthreat \d+ (blocked|control)/;

export function tableOfRules(shown: readonly Shown[]): string {
  const rows: string[][] = [];
  for (const [seed, count] of Object.entries(RULES)) {
    for (let number = 1; number <= count; number++) {
      const id = `${seed}-${String(number).padStart(2, '0')}`;
      const tests = shown.filter(({ name }) => idsIn(name).includes(id));
      rows.push([id, result(tests), tests.map(({ name }) => name).join(' · ')]);
    }
  }
  return table(['rule', 'result', 'test'], rows) + totals(rows.map((row) => row[1]));
}

export function tableOfThreats(shown: readonly Shown[]): string {
  const rows: string[][] = [];
  for (let number = 1; number <= THREATS; number++) {
    const blocked = shown.filter(({ name }) => name.includes(`threat ${number} blocked`));
    const control = shown.filter(({ name }) => name.includes(`threat ${number} control`));
    const names = blocked.map(({ name }) => name.replace(/^.*threat \d+ blocked:? */, ''));
    rows.push([String(number), result(blocked), result(control), names.join(' · ')]);
  }
  return table(['threat', 'blocked', 'control', 'test'], rows) + totals(rows.map((row) => row[1]));
}

function idsIn(name: string): string[] {
  return name.match(new RegExp(RULE_PATTERN, 'g')) ?? [];
}

function result(tests: readonly Shown[]): string {
  if (tests.length === 0) return 'open';
  return tests.every(({ passed }) => passed) ? 'shown' : 'FAILED';
}

function totals(results: readonly (string | undefined)[]): string {
  const count = (wanted: string) => results.filter((one) => one === wanted).length;
  return `\n${count('shown')} shown, ${count('FAILED')} failed, ${count('open')} open, ${results.length} in all\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => Math.min(10, row[column]?.length ?? 0))),
  );
  const line = (row: readonly string[]) =>
    `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}
