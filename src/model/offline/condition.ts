// Conditions as people say them, for parameters that take conditions: "an amount above 1000" is amount > 1000.

const COMPARISONS: readonly (readonly [string, string])[] = [
  ['>=', 'at least|no less than|不少于|至少'],
  ['<=', 'at most|no more than|up to|不超过|至多'],
  ['>', 'above|over|greater than|larger than|more than|higher than|exceeding|大于|超过|高于'],
  ['<', 'below|under|less than|smaller than|fewer than|lower than|小于|低于'],
  ['!=', 'other than|not equal to|is not|不等于|不是'],
  ['=', 'equal to|equals|等于'],
];
const VALUE = String.raw`["“'](?<quoted>[^"”'\n]+)["”']|(?<plain>-?[\d.]*\d|[\p{L}\p{N}_-]+)`;
const COMPARED = new RegExp(
  String.raw`(?<![\p{L}\p{N}_-])(?<column>[\p{L}_][\p{L}\p{N}_-]{0,60})\s*(?:\b(?:is|are|was|of)\s+)?(?:${COMPARISONS.map(([, words], at) => `(?<c${at}>${words})`).join('|')})\s*(?:${VALUE})`,
  'giu',
);
/** "from the region West": a value after its field. */
const NAMED = /\b(?:from|in|of|with)\s+the\s+(?<column>[a-z_]{1,60})\s+(?<value>\p{Lu}[\p{L}\p{N}_-]*)/gu;

/** Undefined where the text contains no comparison. */
export function readConditions(prose: string): string | undefined {
  const compared = [...prose.matchAll(COMPARED)].map(({ groups = {} }) => {
    const operator = COMPARISONS.find((_, at) => groups[`c${at}`] !== undefined)?.[0] ?? '=';
    return `${groups.column} ${operator} ${groups.quoted ?? groups.plain}`;
  });
  const named = [...prose.matchAll(NAMED)].map(({ groups = {} }) => `${groups.column} = ${groups.value}`);
  return [...compared, ...named].join(' and ') || undefined;
}
