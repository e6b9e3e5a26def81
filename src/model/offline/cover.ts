// How much of a request a skill covers in its name and description.
import { foldText } from '../../registry/rank/fold.ts';
import { buildRankIndex } from '../../registry/rank/index.ts';
import { rank } from '../../registry/rank/rank.ts';
import { isCommonWord, tokenize } from '../../registry/rank/tokenize.ts';
import { kindOfVerb, type VerbKind } from './verb.ts';

/** The required coverage: this share of the request, or this many words and a smaller share. */
const SHARE = 0.5;
const MANY = 8;
const SHARE_OF_MANY = 0.25;
const FEWEST = 2;

/** How descriptions begin to say when to use them. */
const IDIOM = /\buse\s+(?:(?:this|it|the)\s+)?(?:skill\s+)?(?=(?:when|if|for|to)\b)/gi;

interface Described {
  readonly name: string;
  readonly description: string;
}

/** Words of the text that name and description cover: words only in its body or examples do not count. */
export function wordsIn(text: string, { name, description }: Described): readonly string[] {
  const promise = description.replace(IDIOM, ' ');
  const index = buildRankIndex([{ id: '', digest: '', name, description: promise }]);
  return rank(index, text).hits[0]?.matched ?? [];
}

/** The words of a request that a skill mentions. */
export interface Spoken {
  /** In its name and description. */
  readonly promised: readonly string[];
  /** Anywhere in it. */
  readonly known: readonly string[];
  /** The kinds of verbs it has, in whatever words. */
  readonly verbs: ReadonlySet<VerbKind>;
}

export function covers(wish: string, { promised, known, verbs }: Spoken): boolean {
  const words = wordsOf(withFormats(wish, promised));
  const isDone = (word: string) => {
    const kind = kindOfVerb(word);
    return kind !== undefined && verbs.has(kind);
  };
  const countIn = (wanted: readonly string[], spoken: readonly string[]) =>
    wanted.filter((word) => isAmong(word, spoken) || isDone(word)).length;
  const telling = words.filter((word) => !isCommonWord(word));
  // A common word counts when found, and does not count against when missing.
  if (countIn(telling, promised) === 0 || countIn(words, promised) < FEWEST) return false;
  const found = countIn(telling, known);
  return found >= SHARE * telling.length || (found >= MANY && found >= SHARE_OF_MANY * telling.length);
}

/** Words of any Chinese sentence, which pairs of characters would count. */
const CHINESE_FILLER =
  /为什么|什么|怎么样?|如何|一下|帮我|给我|我们?的?|你|请|这个|那个|一[个份]|可以|需要|想要?|进行|先|最近|今天|哪些|把|的|了|吗|呢/g;
/** Words nearly every skill and every request has. */
const ANYWHERE = new Set(['file', 'files', 'folder', 'folders', 'directory', '文件', '目录']);
const VERSION = /(?<![\w.])v?\d+(?:\.\d+)+(?![\w.]*\w)/gi;
const FILE_NAME = /(?<![\p{L}\p{N}_~@+./-])[\p{L}\p{N}_~@+./-]*[\p{L}\p{N}_]\.(?<extension>[a-z]\w{0,7})\b/giu;

/** Pairs of Chinese characters count inside a longer word that was found. */
export function isAmong(word: string, found: readonly string[]): boolean {
  const words = found.map((one) => foldText(one).toLowerCase());
  return /^[\x20-\x7e]+$/.test(word) ? words.includes(word) : words.some((one) => one.includes(word));
}

/** Without numbers and words of any request. */
function wordsOf(text: string): string[] {
  const words = tokenize(text.replace(VERSION, ' ').replace(CHINESE_FILLER, ' '))
    .filter(({ kind }) => kind === 'pair' || kind === 'word')
    .map(({ surface }) => surface.toLowerCase());
  return [...new Set(words)].filter((word) => !ANYWHERE.has(word));
}

/** The name of a file says nothing about the request, where the skill knows its format. */
function withFormats(wish: string, spoken: readonly string[]): string {
  return wish.replace(FILE_NAME, (written, extension: string) =>
    isAmong(extension.toLowerCase(), spoken) ? ` ${extension} ` : written,
  );
}
