// Cells to values: numbers, dates and yes or no, in the ways people write them.

const MISSING = new Set(['', 'na', 'n/a', 'null', 'none', 'nan', '-', '--', '—', '?', '#n/a', '无', '空']);
const YES = new Set(['true', 'yes', 'y', '是', '✓']);
const NO = new Set(['false', 'no', 'n', '否', '✗']);

// A leading zero or sixteen digits make a code, not a quantity.
const NUMBER_STYLES = {
  point: /^[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i,
  comma: /^[+-]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:[.\u00a0 ]\d{3})+)?(?:,\d+)?$/,
};
const DATE_STYLES = {
  ymd: /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  compact: /^(20\d{2}|19\d{2})(\d{2})(\d{2})$/,
  dmy: /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/,
  mdy: /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/,
  month: /^(\d{4})[-/年](\d{1,2})月?$/,
};

export const numberStyles = Object.keys(NUMBER_STYLES);
export const dateStyles = Object.keys(DATE_STYLES);

export function isMissing(cell) {
  return cell.length <= 8 && MISSING.has(cell.trim().toLowerCase());
}

const MAX_LENGTH = 60;

/** A finite number, or undefined. Currency and percent signs are taken off. */
export function readNumber(cell, style) {
  if (cell.length > MAX_LENGTH) return undefined;
  const text = cell
    .trim()
    .replace(/^([+-]?)\s*[$€£¥￥]\s*/, '$1')
    .replace(/\s*[%€元]$/, '');
  if (!/\d/.test(text) || !NUMBER_STYLES[style].test(text)) return undefined;
  const plain = style === 'comma' ? text.replace(/[.\u00a0 ]/g, '').replace(',', '.') : text.replaceAll(',', '');
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}

/** The day and time as milliseconds UTC, or undefined. */
export function readDate(cell, style) {
  const match = cell.length > MAX_LENGTH ? null : DATE_STYLES[style].exec(cell.trim());
  if (!match) return undefined;
  const parts = match.slice(1).map((part) => Number(part ?? 0));
  const [year, month, day] = orderParts(style, parts);
  const [hour = 0, minute = 0, second = 0] = style === 'ymd' ? parts.slice(3) : [];
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(time);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000;
  return isReal && hour < 25 && minute < 60 ? time : undefined;
}

export function readBoolean(cell) {
  const word = cell.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

function orderParts(style, [a, b, c]) {
  if (style === 'dmy') return [c, b, a];
  if (style === 'mdy') return [c, a, b];
  return [a, b, style === 'month' ? 1 : c];
}
