// Figures about a list of numbers. Everything here is pure, and the list may be empty nowhere.

const OUTLIER_FENCE = 1.5;
const OUTLIER_SCORE = 3.5;
// Makes the median deviation comparable with a standard deviation.
const MAD_SCALE = 1.4826;

export function describeNumbers(values) {
  const sorted = Float64Array.from(values).sort();
  const mean = meanOf(values);
  return {
    count: values.length,
    sum: tidy(values.reduce((sum, value) => sum + value, 0)),
    mean: tidy(mean),
    median: tidy(quantile(sorted, 0.5)),
    stdev: tidy(deviation(values, mean)),
    min: sorted[0],
    q1: tidy(quantile(sorted, 0.25)),
    q3: tidy(quantile(sorted, 0.75)),
    p5: tidy(quantile(sorted, 0.05)),
    p95: tidy(quantile(sorted, 0.95)),
    max: sorted.at(-1),
  };
}

/** The range outside which a value is far from the others by both measures, or undefined where all are alike. */
export function outlierRange(values) {
  const sorted = Float64Array.from(values).sort();
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((part) => quantile(sorted, part));
  const distance = MAD_SCALE * quantile(sorted.map((value) => Math.abs(value - median)).sort(), 0.5);
  const byQuartiles = q3 > q1 ? [q1 - OUTLIER_FENCE * (q3 - q1), q3 + OUTLIER_FENCE * (q3 - q1)] : undefined;
  const byMedian = distance > 0 ? [median - OUTLIER_SCORE * distance, median + OUTLIER_SCORE * distance] : undefined;
  if (!byQuartiles || !byMedian) return byQuartiles ?? byMedian;
  return [Math.min(byQuartiles[0], byMedian[0]), Math.max(byQuartiles[1], byMedian[1])];
}

/** Pearson's coefficient of the pairs in which both are known; undefined for fewer than five. */
export function correlate(left, right) {
  const pairs = left.map((value, row) => [value, right[row]]).filter(([a, b]) => a !== undefined && b !== undefined);
  if (pairs.length < 5) return undefined;
  const r = relate(
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
  );
  return r === undefined ? undefined : tidy(r);
}

function relate(xs, ys) {
  const [meanX, meanY] = [meanOf(xs), meanOf(ys)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [index, x] of xs.entries()) {
    xx += (x - meanX) ** 2;
    yy += (ys[index] - meanY) ** 2;
    xy += (x - meanX) * (ys[index] - meanY);
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : undefined;
}

export function smallest(values) {
  return values.reduce((least, value) => Math.min(least, value));
}

export function largest(values) {
  return values.reduce((most, value) => Math.max(most, value));
}

export function middleOf(values) {
  return quantile(Float64Array.from(values).sort(), 0.5);
}

export function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values, mean) {
  if (values.length < 2) return 0;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

function quantile(sorted, part) {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

/** Twelve digits are enough for anyone and hide what the machine adds; what is no number is null. */
export function tidy(value) {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : null;
}
