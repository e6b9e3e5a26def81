// A table whose marked columns are never cut: what does not fit goes below its row, and on a narrow terminal each row is a list.
import { displayWidth, truncate, visible } from '../text.ts';
import { type Column, paint, renderList, renderTable, type Terminal, wrap } from './terminal.ts';

export interface RecordColumn extends Column {
  /** Shown whole, however narrow the terminal is; the first column always is. */
  readonly whole?: boolean;
}

type Rows = readonly (readonly string[])[];
type Screen = Pick<Terminal, 'color' | 'width'>;

const GAP = 2;
/** What a column that may be cut, and the last one, need to be of use in a table. */
const LEAST = 14;
const LEAST_OF_LAST = 20;
const INDENT = '    ';

export function renderRecords(columns: readonly RecordColumn[], rows: Rows, terminal: Screen): string {
  const shown = rows.map((row) => row.map(visible));
  const widths = columns.map(({ title }, at) =>
    Math.max(...[title, ...shown.map((row) => row[at] ?? '')].map(displayWidth)),
  );
  const cut = cutWidths(columns, widths, terminal.width);
  return cut ? renderCut(columns, shown, cut, terminal) : renderLists(columns, shown, terminal);
}

/** The width of each column but the last; undefined where a table would be too narrow. */
function cutWidths(columns: readonly RecordColumn[], widths: readonly number[], total: number): number[] | undefined {
  const left = widths.slice(0, -1);
  const last = Math.min(widths.at(-1) ?? 0, LEAST_OF_LAST);
  let over = left.reduce((sum, width) => sum + width + GAP, last) - total;
  const fitted = left.map((width, at) => {
    const isWhole = at === 0 || columns[at]?.whole === true;
    const taken = isWhole ? 0 : Math.min(Math.max(over, 0), Math.max(width - LEAST, 0));
    over -= taken;
    return width - taken;
  });
  return over > 0 ? undefined : fitted;
}

function renderCut(columns: readonly RecordColumn[], rows: Rows, cut: readonly number[], terminal: Screen): string {
  const rest = terminal.width - cut.reduce((sum, width) => sum + width + GAP, 0);
  const isBelow = (row: readonly string[]) => displayWidth(row.at(-1) ?? '') > rest;
  const cells = rows.map((row) => [
    ...row.slice(0, -1).map((cell, at) => truncate(cell, cut[at] ?? 0)),
    isBelow(row) ? '' : (row.at(-1) ?? ''),
  ]);
  // Nothing is left to cut, so a line of the table is a row.
  const [title = '', ...lines] = renderTable(columns, cells, { ...terminal, width: Number.POSITIVE_INFINITY }).split(
    '\n',
  );
  const below = (row: readonly string[]) =>
    isBelow(row) ? wrap(row.at(-1) ?? '', terminal.width - INDENT.length).map((line) => INDENT + line) : [];
  return [title, ...lines.flatMap((line, at) => [line, ...below(rows[at] ?? [])])].join('\n');
}

function renderLists(columns: readonly RecordColumn[], rows: Rows, terminal: Screen): string {
  const [first] = columns;
  return rows
    .map(([name = '', ...cells]) => {
      const facts = cells.flatMap((cell, at): [string, string][] =>
        cell === '' ? [] : [[columns[at + 1]?.title ?? '', cell]],
      );
      return [paint(name, first?.style, terminal), renderList(facts, terminal)].join('\n');
    })
    .join('\n');
}
