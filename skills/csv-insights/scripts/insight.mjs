// Sentences about what stands out, in English or Chinese, the most useful first.

const MUCH_MISSING = 0.05;
const MANY = 3;

export function writeInsights(table, metrics, language) {
  const say = SENTENCES[language];
  const numbers = metrics.columns.filter(({ type, count }) => type === 'number' && count > 0);
  return [
    say.size(metrics.rows, metrics.columns.length),
    ...(metrics.trend ? [say.trend(metrics.trend)] : []),
    ...numbers.slice(0, MANY).map(say.number),
    ...numbers.filter(({ outliers }) => outliers.count > 0).map(say.outliers),
    ...metrics.correlations.slice(0, MANY).map(say.correlation),
    ...metrics.columns
      .filter(({ top }) => top?.length > 0)
      .slice(0, MANY)
      .map(say.category),
    ...metrics.columns
      .filter(({ missing }) => missing / metrics.rows > MUCH_MISSING)
      .map((column) => say.missing(column, metrics.rows)),
    ...(metrics.duplicate_rows > 0 ? [say.duplicates(metrics.duplicate_rows)] : []),
    ...(metrics.uneven_rows > 0 ? [say.uneven(metrics.uneven_rows)] : []),
    ...(table.encoding !== 'utf-8' ? [say.encoding(table.encoding)] : []),
  ];
}

const DIRECTIONS_ZH = { rising: '上升', falling: '下降', steady: '平稳' };
const PERIODS_ZH = { day: '天', week: '周', month: '个月' };

const SENTENCES = {
  en: {
    size: (rows, columns) => `The table has ${plural(rows, 'row')} and ${plural(columns, 'column')}.`,
    trend: ({ measure, direction, change, period, points }) =>
      `${measure} is ${direction}${direction === 'steady' ? '' : ` by about ${percent(Math.abs(change))}`} over ${plural(points.length, period)}.`,
    number: ({ name, mean, median, min, max }) =>
      `${name} lies between ${short(min)} and ${short(max)}, on average ${short(mean)}, in the middle ${short(median)}.`,
    outliers: ({ name, outliers }) =>
      `${name} has ${plural(outliers.count, 'outlier')}, the farthest is ${short(outliers.examples[0].value)} in row ${outliers.examples[0].row}.`,
    correlation: ({ columns, r }) =>
      `${columns[0]} and ${columns[1]} move ${r > 0 ? 'together' : 'against each other'} (r = ${r.toFixed(2)}).`,
    category: ({ name, top }) => `The most common ${name} is ${top[0].value} with ${percent(top[0].share)}.`,
    missing: ({ name, missing }, rows) => `${name} is missing in ${percent(missing / rows)} of the rows.`,
    duplicates: (count) => `${plural(count, 'row')} repeat an earlier one.`,
    uneven: (count) => `${plural(count, 'row')} have more or fewer cells than the header.`,
    encoding: (encoding) => `The file is not UTF-8; it was read as ${encoding}.`,
  },
  zh: {
    size: (rows, columns) => `数据表共 ${rows} 行、${columns} 列。`,
    trend: ({ measure, direction, change, period, points }) =>
      `${measure} 在 ${points.length} ${PERIODS_ZH[period]}内${DIRECTIONS_ZH[direction]}${direction === 'steady' ? '' : `约 ${percent(Math.abs(change))}`}。`,
    number: ({ name, mean, median, min, max }) =>
      `${name} 介于 ${short(min)} 与 ${short(max)} 之间，均值 ${short(mean)}，中位数 ${short(median)}。`,
    outliers: ({ name, outliers }) =>
      `${name} 有 ${outliers.count} 个异常值，最远的是第 ${outliers.examples[0].row} 行的 ${short(outliers.examples[0].value)}。`,
    correlation: ({ columns, r }) =>
      `${columns[0]} 与 ${columns[1]} ${r > 0 ? '正' : '负'}相关（r = ${r.toFixed(2)}）。`,
    category: ({ name, top }) => `${name} 最常见的是 ${top[0].value}，占 ${percent(top[0].share)}。`,
    missing: ({ name, missing }, rows) => `${name} 有 ${percent(missing / rows)} 的行缺失。`,
    duplicates: (count) => `${count} 行与前面的行重复。`,
    uneven: (count) => `${count} 行的单元格数与表头不符。`,
    encoding: (encoding) => `文件不是 UTF-8，已按 ${encoding} 读取。`,
  },
};

/** Four digits, as a person would say it. */
export function short(value) {
  if (value === null || value === undefined) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 1e15)) return value.toExponential(3);
  return Number(value.toPrecision(Math.max(4, Math.ceil(Math.log10(size + 1))))).toLocaleString('en-US', {
    maximumFractionDigits: 4,
  });
}

function percent(share) {
  return `${Number((share * 100).toPrecision(share >= 1 ? 3 : 2))} %`;
}

function plural(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
