// Picks the action of a protocol skill that the words of a request ask for.
import type { SkillEntry } from '../../registry/discover.ts';
import { isCommonWord, tokenize } from '../../registry/rank/tokenize.ts';
import type { SkillAction } from '../../skill/skill.ts';

/** The conventional actions and the verbs people use for them. */
const VERBS: readonly (readonly [string, RegExp])[] = [
  ['full', /\bfull\b|\beverything\b|完整|全套|全流程/i],
  ['daily_briefing', /\bbriefing\b|\btoday\b|简报|早报|今天|今日/i],
  ['push', /\bpush|\bsend|\bnotify|推送|发送|通知/i],
  // An input to look at is not an output to write.
  [
    'report',
    /(?<!\b(?:according to|based on|from|in)\s+(?:the\s+|our\s+|my\s+)?(?:\w+\s+)?)\breports?\b|\bwrite[- ]up\b|报告|报表|周报|日报|月报/i,
  ],
  ['fetch', /\bfetch|\brows?\b|\bretrieve|\bquery\b|\bfilter|获取|抓取|读取|查询|筛选/i],
  ['analyze', /\banaly[sz]|\binsights?\b|\bstatistics\b|\btrends?\b|分析|统计|趋势/i],
];
/** A question is answered by reading, unless something else is requested too. */
const QUESTION = /\b(?:why|which|how)\b|为什么|哪些/i;
/** The automatic actions every skill has are used only by name. */
const SERVICE = new Set(['describe', 'test']);
const PLAIN = ['analyze', 'full'];

/** Undefined when no action is clear. */
export function pickAction({ manifest }: SkillEntry, text: string, behind: string | undefined): string | undefined {
  const actions = manifest.actions ?? [];
  const written = /^[:：]?\s*([\w-]+)/.exec(behind ?? '')?.[1];
  if (actions.length === 0) return written ?? askedFor(text)[0];
  const names = new Set(actions.map(({ name }) => name));
  if (written !== undefined && names.has(written)) return written;
  const own = actions.filter(({ name }) => !SERVICE.has(name));
  const spoken = bestByName(own, text);
  if (spoken !== undefined) return spoken;
  const asked = askedFor(text).filter((name) => names.has(name));
  if (asked.length > 1 && names.has('full')) return 'full';
  return asked[0] ?? bestByWords(own, text) ?? defaultOf(own);
}

/** Names of several words are matched in full: "daily briefing". */
function bestByName(actions: readonly SkillAction[], text: string): string | undefined {
  const said = plainWords(text);
  return actions.find(({ name }) => /[_-]/.test(name) && said.includes(` ${plainWords(name).trim()} `))?.name;
}

function askedFor(text: string): string[] {
  const asked = VERBS.filter(([, verbs]) => verbs.test(text)).map(([name]) => name);
  return asked.length === 0 && QUESTION.test(text) ? ['analyze'] : asked;
}

function bestByWords(actions: readonly SkillAction[], text: string): string | undefined {
  // "of the last 14 days" says nothing about what to do.
  const telling = tokenize(text).filter(({ surface }) => !isCommonWord(surface.toLowerCase()));
  const asked = new Set(telling.map(({ term }) => term));
  const scored = actions.map(({ name, description = '' }) => {
    const terms = new Set(tokenize(`${name.replaceAll('_', ' ')} ${description}`).map(({ term }) => term));
    const inName = tokenize(name.replaceAll('_', ' ')).filter(({ term }) => asked.has(term)).length;
    return { name, score: 2 * inName + [...terms].filter((term) => asked.has(term)).length };
  });
  const [best, second] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score > (second?.score ?? 0) ? best.name : undefined;
}

function defaultOf(actions: readonly SkillAction[]): string | undefined {
  const [only, other] = actions;
  if (other === undefined) return only?.name;
  return PLAIN.find((name) => actions.some((action) => action.name === name));
}

function plainWords(text: string): string {
  return ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
}
