// A small query language: `region = North and amount >= 100`, or free text that any cell may contain.
import { SkillError } from './define-skill.mjs';
import { findColumn } from './table.mjs';
import { dateStyles, readBoolean, readDate, readNumber } from './value.mjs';

const CONDITION = /^(.{1,100}?)(!=|>=|<=|=|>|<|~)(.*)$/s;
const MAX_LENGTH = 1000;

const COMPARE = {
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

/** A test for the index of a row. */
export function compileQuery(table, query) {
  if (query.length > MAX_LENGTH) throw invalid(`query is longer than ${MAX_LENGTH} characters`);
  const conditions = query.split(/\s+and\s+/i).map((text) => CONDITION.exec(text));
  if (conditions.some((condition) => condition === null)) return containsText(table, query);
  const tests = conditions.map(([, name, operator, value]) =>
    compileCondition(table, name.trim(), operator, value.trim()),
  );
  return (row) => tests.every((passes) => passes(row));
}

function containsText({ columns }, text) {
  const wanted = text.trim().toLowerCase();
  return (row) => columns.some(({ cells }) => cells[row].toLowerCase().includes(wanted));
}

function compileCondition(table, name, operator, text) {
  const column = findColumn(table, name);
  if (!column) {
    const columns = table.columns.map((known) => known.name);
    throw invalid(`query names an unknown column: ${name}`, { columns });
  }
  const written = text.replace(/^(["'])(.*)\1$/s, '$2');
  if (operator === '~') return (row) => column.cells[row].toLowerCase().includes(written.toLowerCase());
  const wanted = readAs(column, written);
  const compare = COMPARE[operator];
  return (row) => column.values[row] !== undefined && compare(lower(column.values[row]), lower(wanted));
}

function readAs({ name, type }, text) {
  const value = VALUES[type]?.(text) ?? (type in VALUES ? undefined : text.trim());
  if (value !== undefined) return value;
  throw invalid(`query compares ${name}, a column of type ${type}, with ${text}`);
}

const VALUES = {
  number: (text) => readNumber(text, 'point'),
  identifier: (text) => readNumber(text, 'point'),
  date: (text) => dateStyles.map((style) => readDate(text, style)).find((time) => time !== undefined),
  boolean: readBoolean,
};

function invalid(message, details) {
  return new SkillError('INVALID_PARAM', message, { param: 'query', ...details });
}

function lower(value) {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
