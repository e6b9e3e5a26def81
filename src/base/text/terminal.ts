// Text laid out for a terminal: tables that stay straight with Chinese and emoji, colour only where it is wanted.
import { styleText } from 'node:util';
import { displayWidth, fit, padEnd, truncate, visible } from '../text.ts';

export interface Terminal {
  /** Somebody can answer a question. */
  readonly interactive: boolean;
  readonly color: boolean;
  /** Columns; Infinity where nothing has to be cut. */
  readonly width: number;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Column {
  readonly title: string;
  readonly style?: Style;
}

export interface CellColumn<Row> extends Column {
  readonly cell: (row: Row) => string;
}

const GAP = '  ';
const NARROWEST = 8;
/** Of a column that is not the last. */
const LEAST = 4;
const WIDEST_BUT_LAST = 40;
/** Of the first column, which names the row: an id has to be whole to be of use, also where the line then wraps. */
const LEAST_OF_FIRST = 24;
// No character of a cell this far behind its last column can show.
const UNITS_PER_COLUMN = 8;

export function paint(text: string, style: Style | undefined, terminal: Pick<Terminal, 'color'>): string {
  return style && terminal.color ? styleText(style, text, { validateStream: false }) : text;
}

/** One line per row, columns aligned, cells from outside made visible; the last column takes the space that is left. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, 'color' | 'width'>,
): string {
  const withCells = columns.map((column, index) => ({ ...column, cell: (row: readonly string[]) => row[index] ?? '' }));
  return [...tableLines(withCells, rows, terminal)].join('\n');
}

/** The same line by line, each made when it is asked for: a long table is never held whole. */
export function* tableLines<Row>(
  columns: readonly CellColumn<Row>[],
  rows: readonly Row[],
  terminal: Pick<Terminal, 'color' | 'width'>,
  show: (cell: string) => string = visible,
): Generator<string> {
  const longest = terminal.width * UNITS_PER_COLUMN;
  const showShort = (cell: string) => show(cell.slice(0, longest));
  const right = columns.at(-1);
  if (right === undefined) return;
  const left = columns.slice(0, -1).map((column) => layOut(column, rows, showShort, terminal.width));
  const gaps = GAP.length * left.length;
  const wanted = left.map(({ width }) => width);
  const widths = fitTogether(wanted, terminal.width - gaps - NARROWEST);
  const rest = Math.max(terminal.width - gaps - widths.reduce((sum, width) => sum + width, 0), NARROWEST);
  const titles = left.map(({ title }, at) => paint(fit(title, widths[at] ?? 0), 'bold', terminal) + GAP);
  yield titles.join('') + paint(truncate(right.title, rest), 'bold', terminal);
  const fitted = left.map((column, at) => fitCells(column, widths[at] ?? 0, terminal));
  let index = 0;
  for (const row of rows) {
    let line = '';
    for (const cellAt of fitted) line += cellAt(index);
    const last = truncate(showShort(right.cell(row)), rest).trimEnd();
    index++;
    // The parts are trimmed, not the whole: that would copy every line.
    yield last === '' ? line.trimEnd() : line + paint(last, right.style, terminal);
  }
}

/** Neighbours are often the same, and then so is what is shown of them. */
function fitCells(
  { cells, style }: { readonly cells: readonly string[]; readonly style?: Style },
  width: number,
  terminal: Pick<Terminal, 'color'>,
): (index: number) => string {
  let above: string | undefined;
  let shown = '';
  return (index) => {
    const cell = cells[index] ?? '';
    if (cell !== above) shown = paint(fit(cell, width), style, terminal) + GAP;
    above = cell;
    return shown;
  };
}

/** Name and explanation, as help pages list them; the explanation is wrapped, not cut. */
export function renderList(
  entries: readonly (readonly [string, string])[],
  terminal: Pick<Terminal, 'color' | 'width'>,
): string {
  const left = Math.max(0, ...entries.map(([name]) => displayWidth(name)));
  const indent = ' '.repeat(left + 4);
  return entries
    .map(([name, text]) => {
      const lines = wrap(text, terminal.width - indent.length);
      return `  ${paint(padEnd(name, left), 'cyan', terminal)}  ${lines.join(`\n${indent}`)}`.trimEnd();
    })
    .join('\n');
}

/** Broken at spaces, and between Chinese characters, so that no line is wider than asked. */
export function wrap(text: string, width: number): string[] {
  const limit = Math.max(width, 20);
  if (displayWidth(text) <= limit) return [text];
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(/[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|\s+/g) ?? []) {
    if (line !== '' && displayWidth(line + piece.trimEnd()) > limit) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

/** Takes from the widest until all fit; from the first column only when the others are at their least. */
function fitTogether(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  let used = widths.reduce((sum, width) => sum + width, 0);
  for (; used > room; used--) {
    const widest = Math.max(...widths.slice(1));
    const at = widest > LEAST ? widths.lastIndexOf(widest) : 0;
    if ((widths[at] ?? 0) <= (at === 0 ? LEAST_OF_FIRST : LEAST)) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return widths;
}

/** The cells of a column and its width: that of the widest, but on a terminal something is left for the others. */
function layOut<Row>(column: CellColumn<Row>, rows: readonly Row[], show: (cell: string) => string, total: number) {
  let widest = displayWidth(column.title);
  let above = '';
  let shown = '';
  const cells = rows.map((row) => {
    const cell = column.cell(row);
    // Neighbours are often the same.
    if (cell !== above) {
      above = cell;
      shown = show(cell);
      widest = Math.max(widest, displayWidth(shown));
    }
    return shown;
  });
  const width = total === Number.POSITIVE_INFINITY ? widest : Math.min(widest, WIDEST_BUT_LAST);
  return { ...column, cells, width };
}
