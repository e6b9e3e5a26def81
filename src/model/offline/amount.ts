// Numbers in a request with their unit: "last 7 days", "最近两周", "top 10".

export interface Amount {
  readonly value: number;
  readonly unit: Unit | undefined;
}

type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years' | 'rows' | 'releases' | 'pages';

const UNITS: readonly (readonly [Unit, string])[] = [
  ['seconds', 'seconds?|secs?|秒钟?'],
  ['minutes', 'minutes?|mins?|分钟'],
  ['hours', 'hours?|小时|钟头'],
  ['days', 'days?|天|日'],
  ['weeks', 'weeks?|个?星期|周'],
  ['months', 'months?|个?月'],
  ['years', 'years?|年'],
  ['rows', 'rows?|lines?|records?|items?|entries|results?|行|条|项'],
  ['releases', 'releases?|versions?|个?版本'],
  ['pages', 'pages?|页'],
];

/** The units of a parameter with such a name. */
const COUNTED: readonly (readonly [RegExp, Unit])[] = [
  [/sec/, 'seconds'],
  [/min(?:ute)?s?$/, 'minutes'],
  [/hour/, 'hours'],
  [/day/, 'days'],
  [/week/, 'weeks'],
  [/month/, 'months'],
  [/year/, 'years'],
  [/release|version/, 'releases'],
  [/page/, 'pages'],
  [/^(?:limit|count|top|max|n|rows|size|lines|max_\w+|num_\w+)$/, 'rows'],
];

const DAYS: Partial<Record<Unit, number>> = { days: 1, weeks: 7, months: 30, years: 365 };
const DIGITS = '零一二三四五六七八九';
const ENGLISH = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = String.raw`\d+(?:\.\d+)?|[一二两三四五六七八九十]{1,3}|\b(?:${ENGLISH.slice(1).join('|')})\b`;
const WITH_UNIT = new RegExp(
  String.raw`(?<![\w.-])(?<number>${NUMBER})\s*(?:${UNITS.map(([unit, words]) => `(?<${unit}>${words})`).join('|')})(?![a-z])`,
  'gi',
);
const TOP = new RegExp(String.raw`(?:\b(?:top|first|at most|up to)\s+|前)(?<number>${NUMBER})(?![\w.])`, 'gi');
const BARE = /(?<![\w.:/-])-?\d+(?:\.\d+)?(?![\w.:/-]*\w)/g;
const LAST = /\b(?:last|past|this)\s+(?<en>day|week|month|year)\b|(?:上|这|本)个?(?<zh>周|星期|月)/gi;

export function readAmounts(prose: string): Amount[] {
  const units = [...prose.matchAll(WITH_UNIT)].map(({ groups }) => ({
    value: toNumber(groups?.number ?? ''),
    unit: UNITS.find(([unit]) => groups?.[unit] !== undefined)?.[0],
  }));
  const tops = [...prose.matchAll(TOP)]
    .filter(
      ({ index }) => ![...prose.matchAll(WITH_UNIT)].some((match) => match.index > index && match.index < index + 12),
    )
    .map(({ groups }) => ({ value: toNumber(groups?.number ?? ''), unit: 'rows' as const }));
  const last = [...prose.matchAll(LAST)].map(({ groups }) => ({
    value: 1,
    unit: periodOf(groups?.en ?? groups?.zh ?? ''),
  }));
  const bare = [...prose.replace(WITH_UNIT, ' ').replace(TOP, ' ').matchAll(BARE)].map(([text]) => ({
    value: Number(text),
    unit: undefined,
  }));
  return [...units, ...tops, ...last, ...bare];
}

/** The amount for a parameter of this name; periods are converted to days where days are counted. */
export function amountFor(name: string, amounts: readonly Amount[]): number | undefined {
  const counted = COUNTED.find(([names]) => names.test(name.toLowerCase()))?.[1];
  if (counted === undefined) return undefined;
  const same = amounts.find(({ unit }) => unit === counted);
  if (same || counted !== 'days') return same?.value;
  const period = amounts.find(({ unit }) => unit !== undefined && DAYS[unit] !== undefined);
  return period?.unit && period.value * (DAYS[period.unit] ?? 1);
}

function periodOf(word: string): Unit | undefined {
  return UNITS.find(([, words]) => new RegExp(`^(?:${words})$`, 'i').test(word))?.[0];
}

function toNumber(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const english = ENGLISH.indexOf(text.toLowerCase());
  if (english >= 0) return english;
  const [tens, ones] = text.includes('十') ? text.split('十') : [undefined, text];
  return (tens === undefined ? 0 : tens === '' ? 10 : digit(tens) * 10) + (ones === '' ? 0 : digit(ones ?? ''));
}

function digit(text: string): number {
  return text === '两' ? 2 : Math.max(0, DIGITS.indexOf(text));
}
