// Conversion between wall-clock time in a time zone and instants.

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** The wall-clock time, as if it were UTC. */
export function wallTime(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone);
}

/** The first instant with this wall-clock time; for a skipped time, the instant right after the gap. */
export function instantOf(wall: number, zone: string): number {
  // Wide enough to include a clock change, however far the zone is from UTC.
  const before = offsetAt(wall - 1.5 * DAY_MS, zone);
  const after = offsetAt(wall + 1.5 * DAY_MS, zone);
  const fitting = [wall - before, wall - after].filter((instant) => wallTime(instant, zone) === wall);
  if (fitting.length > 0) return Math.min(...fitting);
  return firstAfterGap(wall - after, wall - before, zone);
}

/** The wall clock is below the target at `low` and above it at `high`: it jumps between them. */
function firstAfterGap(low: number, high: number, zone: string): number {
  const old = offsetAt(low, zone);
  let [before, from] = [low, high];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (offsetAt(middle, zone) === old) before = middle;
    else from = middle;
  }
  return from;
}

function offsetAt(instant: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
