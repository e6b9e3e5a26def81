// Text laid out for a terminal: tables that stay straight with Chinese and emoji, colour only where it is wanted.
import { styleText } from 'node:util';
import { displayWidth, padEnd, truncate, visible } from './text.ts';

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
const WIDEST_BUT_LAST = 40;
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
  show?: (cell: string) => string,
): string {
  const withCells = columns.map((column, index) => ({ ...column, cell: (row: readonly string[]) => row[index] ?? '' }));
  return [...tableLines(withCells, rows, terminal, show)].join('\n');
}

/** The same line by line, each made when it is asked for: a long table is never held whole. */
export function* tableLines<Row>(
  columns: readonly CellColumn<Row>[],
  rows: readonly Row[],
  terminal: Pick<Terminal, 'color' | 'width'>,
  show: (cell: string) => string = visible,
): Generator<string> {
  const longest = terminal.width * UNITS_PER_COLUMN;
  const shown = columns.map((column) => {
    const showCell = rememberLast((cell) => show(cell.slice(0, longest)));
    return { ...column, cell: (row: Row) => showCell(column.cell(row)) };
  });
  const widths = fitWidths(shown, rows, terminal.width);
  const titles = columns.map(({ title }) => ({ title, style: 'bold' as const, cell: () => title }));
  yield makeLine(titles, widths, terminal)(undefined);
  const lineOf = makeLine(shown, widths, terminal);
  for (const row of rows) yield lineOf(row);
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

function fitWidths<Row>(columns: readonly CellColumn<Row>[], rows: readonly Row[], total: number): number[] {
  const last = columns.length - 1;
  const widths = columns.map(({ title, cell }, index) => {
    if (index === last) return 0;
    const widthOf = rememberLast(displayWidth);
    let widest = displayWidth(title);
    for (const row of rows) widest = Math.max(widest, widthOf(cell(row)));
    return total === Number.POSITIVE_INFINITY ? widest : Math.min(widest, WIDEST_BUT_LAST);
  });
  const used = widths.reduce((sum, width) => sum + width + GAP.length, 0) - GAP.length;
  widths[last] = Math.max(total - used, NARROWEST);
  return widths;
}

function makeLine<Row>(
  columns: readonly CellColumn<Row>[],
  widths: readonly number[],
  terminal: Pick<Terminal, 'color'>,
): (row: Row) => string {
  const last = columns.length - 1;
  const cells = columns.map(({ cell, style }, index) => {
    const width = widths[index] ?? 0;
    const fit = (text: string) => (index === last ? truncate(text, width) : padEnd(truncate(text, width), width) + GAP);
    const finish = rememberLast((text) => paint(fit(text), style, terminal));
    return (row: Row) => finish(cell(row));
  });
  return (row) => {
    let line = '';
    for (const cell of cells) line += cell(row);
    return line.trimEnd();
  };
}

/** Neighbours in a column are often the same. */
function rememberLast<Value>(make: (text: string) => Value): (text: string) => Value {
  let last = '';
  let value = make(last);
  return (text) => {
    if (text !== last) {
      last = text;
      value = make(text);
    }
    return value;
  };
}
