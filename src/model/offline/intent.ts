// The intent of a request: its verb and the object of the verb, as far as an order or a "how do I" says so.
import { stem } from '../../registry/rank/stem.ts';
import { isStopWord, tokenize } from '../../registry/rank/tokenize.ts';
import { englishFor } from '../../registry/rank/translate.ts';
import { kindOfVerb } from './verb.ts';

export interface RequestIntent {
  /** As it was written, and as a stem. */
  readonly word: string;
  readonly verb: string;
  /** The object, as it was written and as stems. */
  readonly thing: string;
  readonly object: readonly string[];
  /** The noun of the object, as it was written; two characters of a Chinese one. */
  readonly noun: string | undefined;
  /** Something new is to be made. */
  readonly makes: boolean;
  /** The order without the description of the new thing. */
  readonly order: string;
}

const OPENER =
  /^(?:(?:please|kindly|now|then|also|just|hey|hi|ok(?:ay)?)\b[,\s]*|(?:can|could|would|will)\s+you\s+|(?:i|we)(?:['’]d|\s+would)?\s+(?:want|need|like|have)\s+(?:you\s+)?to\s+|how\s+(?:do|can|could|should|would)\s+(?:i|we|you)\s+|how\s+to\s+|help\s+(?:me|us)\s+(?:to\s+)?|let(?:['’]s|\s+us)\s+)+/i;
/** "I need a report": it has to be made. */
const WANTED = /^(?:i|we)(?:['’]d|\s+would)?\s+(?:want|need|like)\s+(?=an?\s)/i;
const CHINESE_MAKING =
  /(?<verb>编写|撰写|创建|新建|制作|生成|实现|开发|写|做)(?:出|好)?(?:一?[个份篇张款套些])?(?<about>(?:[^，。！？,.!?\n]|\.(?=\S))*的)?(?<object>[^，。！？,.!?\n]+)/u;
const BEFORE_NOUN = new Set(
  'a an the my our your his her their its this that these those some any all every each both another new me us him them it'.split(
    ' ',
  ),
);
/** After these words a thing is described, not named. */
const AFTER_NOUN = new Set(
  'in on of for from about with without to into as by at using via between since until before after during that which who whose where when so and or but because if then than is are was were called named'.split(
    ' ',
  ),
);
const FINITE = /^(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|must|may|might)$/;
const WORD = /[\p{L}\p{N}_](?:[\p{L}\p{N}_./'’-]*[\p{L}\p{N}_])?|[^\s]/gu;

export function readIntent(request: string): RequestIntent | undefined {
  return readOrder(request.trim()) ?? readChineseMaking(request) ?? readChinese(request);
}

function readOrder(request: string): RequestIntent | undefined {
  const order = request.replace(OPENER, '').replace(WANTED, 'make ');
  const [first, ...rest] = [...order.matchAll(WORD)];
  const verb = first?.[0].toLowerCase() ?? '';
  if (!isVerb(verb, rest[0]?.[0].toLowerCase() ?? '')) return undefined;
  const { nouns, end } = readNoun(rest, order.length);
  const makes = kindOfVerb(verb) === 'making';
  return {
    word: verb,
    verb: stem(verb),
    ...objectOf(nouns.join(' ')),
    makes,
    order: makes ? `${order.slice(0, end)}${afterSentence(order, end)}` : order,
  };
}

/** "Tests are failing" and "multi-file project" begin with a noun. */
function isVerb(word: string, next: string): boolean {
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(word) || isStopWord(word) || FINITE.test(next)) return false;
  return !word.includes('-') || BEFORE_NOUN.has(next);
}

function readNoun(words: readonly RegExpExecArray[], length: number): { nouns: string[]; end: number } {
  const nouns: string[] = [];
  for (const { 0: word, index } of words) {
    const lower = word.toLowerCase();
    if (nouns.length === 0 && BEFORE_NOUN.has(lower)) continue;
    if (AFTER_NOUN.has(lower) || !/^[\p{L}\p{N}_]/u.test(word))
      return { nouns, end: /^(?:that|which|who|whose)$/.test(lower) ? index : length };
    nouns.push(word);
  }
  return { nouns, end: length };
}

function afterSentence(text: string, from: number): string {
  const end = /[.!?。！？\n](?=\s|$)/.exec(text.slice(from));
  return end ? text.slice(from + end.index) : '';
}

/** In Chinese the description of a thing precedes it: 写一个翻译文档的技能. */
function readChineseMaking(request: string): RequestIntent | undefined {
  const { verb, object = '' } = CHINESE_MAKING.exec(request)?.groups ?? {};
  if (verb === undefined) return undefined;
  return { word: verb, verb: stem('write'), ...objectOf(object), makes: true, order: `${verb} ${object}` };
}

function readChinese(request: string): RequestIntent | undefined {
  const [first, ...rest] = englishFor(request.replace(/^(?:请|帮我|给我|帮忙|把)+/u, ''));
  const [verb] = first?.terms ?? [];
  if (!first || verb === undefined || !request.replace(/^(?:请|帮我|给我|帮忙)+/u, '').startsWith(first.surface))
    return undefined;
  const object = rest.flatMap(({ terms }) => terms);
  return {
    word: first.surface,
    verb,
    thing: request,
    object,
    noun: rest.at(-1)?.surface,
    makes: false,
    order: request,
  };
}

function objectOf(thing: string): Pick<RequestIntent, 'thing' | 'object' | 'noun'> {
  const words = tokenize(thing).filter(({ kind }) => kind !== 'part');
  return { thing, object: words.map(({ term }) => term), noun: words.at(-1)?.surface.toLowerCase() };
}
