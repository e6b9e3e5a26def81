// A CSV file as a table: named columns, each with a type and its values.
import { dateStyles, isMissing, numberStyles, readBoolean, readDate, readNumber } from './value.mjs';

// A column has a type when nearly all of its cells do; the few others count as missing.
const ENOUGH = 0.95;
const MAX_CATEGORIES = 50;
const MAX_COLUMNS = 500;

/** `columns: [{name, type, values, missing, distinct}]`; values are undefined where a cell is missing. */
export function makeTable(name, rows) {
  const hasHeader = rows.length > 0 && looksLikeHeader(rows[0]);
  const body = hasHeader ? rows.slice(1) : rows;
  const names = nameColumns(hasHeader ? rows[0] : rows[0]?.map(() => ''));
  const columns = names.map((own, index) =>
    makeColumn(
      own,
      body.map((row) => row[index] ?? ''),
    ),
  );
  const uneven = body.filter((row) => row.length !== names.length).length;
  return { name, columns, rows: body.length, uneven };
}

/** The same table with only the rows whose index passes. */
export function keepRows(table, passes) {
  const kept = Array.from({ length: table.rows }, (_, row) => row).filter(passes);
  const columns = table.columns.map((column) => {
    const values = kept.map((row) => column.values[row]);
    return { ...column, cells: kept.map((row) => column.cells[row]), values, ...countValues(values) };
  });
  return { ...table, columns, rows: kept.length };
}

export function findColumn(table, name) {
  const wanted = name.trim().toLowerCase();
  return table.columns.find((column) => column.name.toLowerCase() === wanted);
}

function looksLikeHeader(row) {
  const isValue = (cell) =>
    numberStyles.some((style) => readNumber(cell, style) !== undefined) ||
    dateStyles.some((style) => readDate(cell, style) !== undefined);
  return row.some((cell) => cell.trim() !== '') && !row.some(isValue);
}

function nameColumns(header = []) {
  const used = new Set();
  return header.slice(0, MAX_COLUMNS).map((cell, index) => {
    const base = cell.trim().replace(/\s+/g, ' ').slice(0, 100) || `column_${index + 1}`;
    let name = base;
    for (let number = 2; used.has(name.toLowerCase()); number++) name = `${base}_${number}`;
    used.add(name.toLowerCase());
    return name;
  });
}

function makeColumn(name, cells) {
  const filled = cells.filter((cell) => !isMissing(cell));
  const { type, read } = chooseType(name, filled);
  const values = cells.map((cell) => (isMissing(cell) ? undefined : read(cell)));
  return { name, type, cells, values, ...countValues(values) };
}

function countValues(values) {
  return { missing: values.filter((value) => value === undefined).length, distinct: new Set(values).size };
}

function chooseType(name, cells) {
  const readers = [
    ['boolean', readBoolean],
    ...dateStyles.map((style) => ['date', (cell) => readDate(cell, style)]),
    ...numberStyles.map((style) => ['number', (cell) => readNumber(cell, style)]),
  ];
  for (const [type, read] of readers) {
    if (cells.length === 0 || !reads(cells, read)) continue;
    return type === 'number' && isIdentifier(name, cells, read) ? { type: 'identifier', read } : { type, read };
  }
  const distinct = new Set(cells.slice(0, 100_000)).size;
  const isCategory = distinct <= MAX_CATEGORIES && distinct <= Math.max(10, cells.length / 2);
  return { type: isCategory ? 'category' : 'text', read: (cell) => cell.trim() };
}

// A few cells tell that a reader is wrong, all of them that it is right.
function reads(cells, read) {
  const share = (some) => some.filter((cell) => read(cell) !== undefined).length / some.length;
  return share(cells.slice(0, 50)) >= 0.8 && share(cells) >= ENOUGH;
}

// Numbers that only name a row tell nothing by their size.
function isIdentifier(name, cells, read) {
  if (!/(?:^|[\s_-])(?:id|no|nr|编号|序号)$/i.test(name) && !/^(?:id|编号|序号)/i.test(name)) return false;
  return new Set(cells.map(read)).size === cells.length && cells.every((cell) => Number.isInteger(read(cell)));
}
