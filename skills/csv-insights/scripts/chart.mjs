// One SVG chart that fits the data: a line over time, else bars of the commonest values, else bars of a distribution.
import { short } from './insight.mjs';
import { largest, smallest } from './statistics.mjs';

const WIDTH = 720;
const HEIGHT = 320;
const EDGE = { top: 36, right: 16, bottom: 56, left: 72 };
const BINS = 12;
const MAX_LABELS = 8;
const MAX_LABEL = 14;

/** The text of an SVG document, or undefined where there is nothing to draw. */
export function drawChart(table, { trend, columns }) {
  if (trend) return drawLine(trend);
  const category = columns.find(({ top }) => top?.length > 1);
  if (category)
    return drawBars(
      category.name,
      category.top.map(({ value, count }) => ({ label: String(value), value: count })),
    );
  const number = table.columns.find(({ type }) => type === 'number');
  return number ? drawBars(number.name, distribution(number.values)) : undefined;
}

function drawLine({ measure, points }) {
  const scale = makeScale(points.map(({ value }) => value));
  const place = ({ value }, index) => [across(index, points.length), scale.y(value)];
  const path = points
    .map((point, index) => `${index === 0 ? 'M' : 'L'}${place(point, index).map(round).join(' ')}`)
    .join('');
  const labels = points.map(({ period }, index) => ({ text: period, x: across(index, points.length) }));
  return frame(measure, scale, labels, `<path d="${path}" fill="none" stroke="#2563eb" stroke-width="2"/>`);
}

function drawBars(title, bars) {
  const scale = makeScale([0, ...bars.map(({ value }) => value)]);
  const step = (WIDTH - EDGE.left - EDGE.right) / bars.length;
  const shapes = bars.map(({ value }, index) => {
    const [x, y, base] = [EDGE.left + step * (index + 0.1), scale.y(value), scale.y(0)];
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(step * 0.8)}" height="${round(Math.max(0, base - y))}" fill="#2563eb"/>`;
  });
  const labels = bars.map(({ label }, index) => ({ text: label, x: EDGE.left + step * (index + 0.5) }));
  return frame(title, scale, labels, shapes.join(''));
}

function distribution(values) {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [smallest(known), largest(known)];
  const width = (high - low) / BINS || 1;
  const bins = Array.from({ length: high > low ? BINS : 1 }, (_, index) => ({
    label: short(low + index * width),
    value: 0,
  }));
  for (const value of known) bins[Math.min(bins.length - 1, Math.floor((value - low) / width))].value++;
  return bins;
}

function makeScale(values) {
  const [low, high] = [smallest(values), largest(values)];
  const span = high - low || 1;
  const y = (value) => HEIGHT - EDGE.bottom - ((value - low) / span) * (HEIGHT - EDGE.top - EDGE.bottom);
  return { y, ticks: [low, low + span / 2, low + span] };
}

function frame(title, scale, labels, shapes) {
  const lines = scale.ticks.map((tick) => {
    const y = round(scale.y(tick));
    return `<line x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${y}" y2="${y}" stroke="#888" stroke-opacity="0.3"/>${write(short(tick), EDGE.left - 8, y + 4, 'end')}`;
  });
  const every = Math.ceil(labels.length / MAX_LABELS);
  const below = labels
    .filter((_, index) => index % every === 0)
    .map(({ text, x }) => write(cut(text), x, HEIGHT - EDGE.bottom + 22, 'middle'));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(cut(title, 80))}" font-family="system-ui, sans-serif" font-size="12" fill="#888">`,
    write(cut(title, 80), EDGE.left, 20, 'start'),
    ...lines,
    shapes,
    ...below,
    '</svg>\n',
  ].join('');
}

function across(index, count) {
  const width = WIDTH - EDGE.left - EDGE.right;
  return EDGE.left + (count === 1 ? width / 2 : (index / (count - 1)) * width);
}

function write(text, x, y, anchor) {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(text)}</text>`;
}

function cut(text, length = MAX_LABEL) {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}

/** Also for HTML; what no XML document may hold is left out. */
export function escapeXml(text) {
  return String(text)
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function round(value) {
  return Number(value.toFixed(1));
}
