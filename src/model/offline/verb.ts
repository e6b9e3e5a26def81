// Verbs that mean the same in a request and in a description, and those that only ask.
import { stem } from '../../registry/rank/stem.ts';
import { tokenize } from '../../registry/rank/tokenize.ts';

const KINDS = {
  making:
    'make create write build generate produce draft compose implement develop prepare author 写 做 编写 撰写 创建 新建 制作 生成 实现 开发',
  converting: 'convert turn transform export render migrate 转换 转成 转为 导出',
  analyzing: 'analyze analyse examine inspect evaluate 分析 统计',
};

export type VerbKind = keyof typeof KINDS;

/** Looking and telling are part of any work. */
const ASKING = new Set(
  'list summarize summarise find describe check display compare count review explain calculate identify provide perform do'.split(
    ' ',
  ),
);

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, verbs]) => verbs.split(' ').map((verb) => [stemOf(verb), kind as VerbKind])),
);

export function kindOfVerb(word: string): VerbKind | undefined {
  return KIND_OF.get(stemOf(word));
}

export function isAsking(word: string): boolean {
  return ASKING.has(word.toLowerCase());
}

/** Kinds of verbs in a text, in whatever words. */
export function verbKindsIn(text: string): ReadonlySet<VerbKind> {
  return new Set(termsIn(text).flatMap((term) => KIND_OF.get(term) ?? []));
}

/** Without numbers and pieces of identifiers. */
export function termsIn(text: string): string[] {
  return tokenize(text).flatMap(({ kind, term }) => (kind === 'part' || kind === 'number' ? [] : [term]));
}

function stemOf(word: string): string {
  return /^[a-z]+$/i.test(word) ? stem(word.toLowerCase()) : word;
}
