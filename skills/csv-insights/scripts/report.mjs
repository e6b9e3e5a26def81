// An analysis as a page to read: Markdown with a picture beside it, or one HTML file with everything inside.
import { escapeXml } from './chart.mjs';
import { short } from './insight.mjs';

const TEXTS = {
  en: {
    report: 'Report',
    insights: 'Insights',
    chart: 'Chart',
    numbers: 'Numbers',
    columns: 'Columns',
    outliers: 'Outliers',
    row: 'Row',
    value: 'Value',
    head: ['Column', 'Count', 'Sum', 'Mean', 'Median', 'St. dev.', 'Min', 'Q1', 'Q3', 'Max', 'Outliers'],
    about: ['Column', 'Type', 'Missing', 'Distinct', 'Commonest'],
  },
  zh: {
    report: '报告',
    insights: '要点',
    chart: '图表',
    numbers: '数值列',
    columns: '列',
    outliers: '异常值',
    row: '行',
    value: '值',
    head: ['列', '数量', '合计', '均值', '中位数', '标准差', '最小', 'Q1', 'Q3', '最大', '异常值'],
    about: ['列', '类型', '缺失', '不同值', '最常见'],
  },
};

const STYLE = `body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, "PingFang SC", sans-serif; color-scheme: light dark; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35em 0.7em; border: 1px solid #8884; text-align: right; }
th:first-child, td:first-child { text-align: left; }
div { overflow-x: auto; }
svg { max-width: 100%; height: auto; }`;

export function renderReport({ name, insights, metrics, chart, chartFile, format, language }) {
  const texts = TEXTS[language];
  const parts = { title: `${texts.report}: ${name}`, insights, tables: makeTables(metrics, texts), texts };
  return format === 'html' ? renderHtml(parts, chart, language) : renderMarkdown(parts, chartFile);
}

/** `{heading, head, rows}`; empty tables are left out. */
function makeTables({ columns }, texts) {
  const numbers = columns.filter(({ type, count }) => type === 'number' && count > 0);
  const statistics = numbers.map((one) => [
    one.name,
    one.count,
    ...[one.sum, one.mean, one.median, one.stdev, one.min, one.q1, one.q3, one.max].map(short),
    one.outliers.count,
  ]);
  const about = columns.map(({ name, type, missing, distinct, top }) => [
    name,
    type,
    missing,
    distinct,
    top?.[0] ? `${top[0].value} (${top[0].count})` : '',
  ]);
  const outliers = numbers.flatMap(({ name, outliers: { examples } }) =>
    examples.map(({ row, value }) => [name, row, short(value)]),
  );
  return [
    { heading: texts.numbers, head: texts.head, rows: statistics },
    { heading: texts.outliers, head: [texts.head[0], texts.row, texts.value], rows: outliers },
    { heading: texts.columns, head: texts.about, rows: about },
  ].filter(({ rows }) => rows.length > 0);
}

function renderMarkdown({ title, insights, tables, texts }, chartFile) {
  return `${[
    `# ${plain(title)}`,
    `## ${texts.insights}`,
    insights.map((sentence) => `- ${plain(sentence)}`).join('\n'),
    ...(chartFile ? [`## ${texts.chart}`, `![${texts.chart}](${encodeURIComponent(chartFile)})`] : []),
    ...tables.flatMap(({ heading, head, rows }) => [`## ${heading}`, renderPipes(head, rows)]),
  ].join('\n\n')}\n`;
}

function renderPipes(head, rows) {
  const line = (cells) => `| ${cells.map(plain).join(' | ')} |`;
  return [
    line(head),
    `|${head.map((_, index) => (index === 0 ? ' --- ' : ' ---: ')).join('|')}|`,
    ...rows.map(line),
  ].join('\n');
}

/** One line of text whose markup does nothing. */
function plain(cell) {
  return String(cell)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\\`*_[\]|#]/g, '\\$&')
    .replaceAll('<', '&lt;');
}

function renderHtml({ title, insights, tables, texts }, chart, language) {
  const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join('')}</tr>`;
  return [
    `<!doctype html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeXml(title)}</title>\n<style>\n${STYLE}\n</style>\n</head>\n<body>\n<h1>${escapeXml(title)}</h1>`,
    `<h2>${texts.insights}</h2>\n<ul>\n${insights.map((sentence) => `<li>${escapeXml(sentence)}</li>`).join('\n')}\n</ul>`,
    ...(chart ? [`<h2>${texts.chart}</h2>\n${chart.trim()}`] : []),
    ...tables.map(
      ({ heading, head, rows }) =>
        `<h2>${heading}</h2>\n<div><table>\n<thead>${row(head, 'th')}</thead>\n<tbody>\n${rows.map((cells) => row(cells, 'td')).join('\n')}\n</tbody>\n</table></div>`,
    ),
    '</body>\n</html>\n',
  ].join('\n');
}
