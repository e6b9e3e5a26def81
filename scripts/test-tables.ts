// Which rules and threats are shown by a test: the ids in test names, put beside the list of all of them.

export interface Shown {
  readonly name: string;
  readonly passed: boolean;
}

export interface Table {
  readonly text: string;
  /** How many have no test. */
  readonly open: number;
}

const RULES = { '000': 77, '001': 51, '002': 107, '003': 52 };
const THREATS = 65;

export const RULE_PATTERN = /\b00[0-3]-\d{2,3}\b/;
export const THREAT_PATTERN = /\bthreat \d+ (blocked|control)/;

export function tableOfRules(shown: readonly Shown[]): Table {
  const rows: string[][] = [];
  for (const [seed, count] of Object.entries(RULES)) {
    for (let number = 1; number <= count; number++) {
      const id = `${seed}-${String(number).padStart(2, '0')}`;
      const tests = shown.filter(({ name }) => idsIn(name).includes(id));
      rows.push([id, result(tests), tests.map(({ name }) => name).join(' · ')]);
    }
  }
  return table(['rule', 'result', 'test'], rows);
}

export function tableOfThreats(shown: readonly Shown[]): Table {
  const rows: string[][] = [];
  for (let number = 1; number <= THREATS; number++) {
    const blocked = shown.filter(({ name }) => name.includes(`threat ${number} blocked`));
    const control = shown.filter(({ name }) => name.includes(`threat ${number} control`));
    const names = blocked.map(({ name }) => name.replace(/^.*threat \d+ blocked:? */, ''));
    rows.push([String(number), result(blocked), result(control), names.join(' · ')]);
  }
  return table(['threat', 'blocked', 'control', 'test'], rows);
}

function idsIn(name: string): string[] {
  return name.match(new RegExp(RULE_PATTERN, 'g')) ?? [];
}

function result(tests: readonly Shown[]): string {
  if (tests.length === 0) return 'open';
  return tests.every(({ passed }) => passed) ? 'shown' : 'FAILED';
}

/** The second column counts. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): Table {
  const count = (wanted: string) => rows.filter(([, result]) => result === wanted).length;
  const open = count('open');
  const totals = `${count('shown')} shown, ${count('FAILED')} failed, ${open} open, ${rows.length} in all`;
  return { text: `${layOut(head, rows)}\n${totals}\n`, open };
}

function layOut(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => Math.min(10, row[column]?.length ?? 0))),
  );
  const line = (row: readonly string[]) =>
    `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return `${[head, ...rows].map(line).join('\n')}\n`;
}
