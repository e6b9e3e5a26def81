// Why a case failed, in the language of whoever reads it: journals and baselines keep the English sentence.
import type { Language } from '../../base/language.ts';

interface Worded {
  readonly en: RegExp;
  readonly zh: string;
}

/** Each sentence of the judge, and its Chinese; what stands between its words are names and values of the case. */
const SENTENCES: readonly Worded[] = [
  { en: /one of (.+) must be chosen; chosen: /, zh: '须选择 $1 之一；实际选择: ' },
  { en: /no other skill must be chosen; chosen: /, zh: '不得选择其他技能；实际选择: ' },
  { en: /no skill must be chosen; chosen: /, zh: '不得选择任何技能；实际选择: ' },
  { en: / must not be chosen; chosen: /, zh: ' 不得被选择；实际选择: ' },
  { en: / must be chosen; chosen: /, zh: ' 须被选择；实际选择: ' },
  { en: /expected exactly (.+), the steps were /, zh: '步骤须恰为 $1，实际步骤: ' },
  { en: /no (\S.*) in its place; the steps were /, zh: '应有的位置上没有 $1；实际步骤: ' },
  { en: /no (\S.*) left; the steps were /, zh: '没有剩余的 $1；实际步骤: ' },
  { en: /(before|immediately_after) needs two steps$/, zh: '$1 需要两个步骤' },
  { en: /(\S+) must directly follow (\S+); the steps were /, zh: '$1 须紧接在 $2 之后；实际步骤: ' },
  { en: / must come before /, zh: ' 须先于 ' },
  { en: / must not follow each other$/, zh: ' 不得相继出现' },
  { en: / must not happen$/, zh: ' 不得发生' },
  { en: / must be refused: it was never asked for$/, zh: ' 须被拒绝: 但从未请求' },
  { en: / must be refused: it was done$/, zh: ' 须被拒绝: 但已执行' },
  { en: /: no call with arguments /, zh: ': 没有参数如下的调用 ' },
  { en: /: expected at least (\d+), counted (\d+)$/, zh: ': 至少应为 $1，实为 $2' },
  { en: /: expected (\d+) to (\d+), counted (\d+)$/, zh: ': 应为 $1 到 $2，实为 $3' },
  { en: /: expected (\d+), counted (\d+)$/, zh: ': 应为 $1，实为 $2' },
  { en: /: expected (\S+), there was none$/, zh: ': 应为 $1，但没有出现' },
  { en: /: expected (\S+), it was none$/, zh: ': 应为 $1，实为无' },
  { en: /: expected (\S+), it was /, zh: ': 应为 $1，实为 ' },
  { en: /: expected (\S+), (\S+)/, zh: ': 应为 $1，实为 $2' },
  { en: /the same call more than (\d+) times: /, zh: '同一调用超过 $1 次: ' },
  { en: /: ([\d.]+) of ([\d.]+)$/, zh: ': $1，上限 $2' },
  { en: / was used (\d+) times$/, zh: ' 使用了 $1 次' },
  { en: /does not contain /, zh: '不含 ' },
  { en: /contains none of /, zh: '不含其中任何一个: ' },
  { en: /does not match /, zh: '不匹配 ' },
  { en: /does not fit the schema: /, zh: '不符合 schema: ' },
  { en: /fits what it must not: /, zh: '符合了不应符合的: ' },
  { en: /has nothing at /, zh: '没有内容: ' },
  { en: / is (\S.*), not (\S.*)$/, zh: ' 是 $1，不是 $2' },
  { en: /is not JSON$/, zh: '不是 JSON' },
  { en: /: is not /, zh: ': 不是 ' },
  { en: /: no file /, zh: ': 没有文件 ' },
  { en: /used before its instructions were read: /, zh: '在读取其说明之前使用: ' },
  { en: /(\d+) effects without a permission before them$/, zh: '$1 个动作之前没有许可' },
  { en: /what was streamed is not what was answered$/, zh: '流式输出与答案不一致' },
  { en: /the model was not sure and asked: no skill comes near$/, zh: '模型不确定并询问: 没有相近的技能' },
  { en: /the model was not sure and asked: /, zh: '模型不确定并询问: ' },
  {
    en: /the folder of the case is empty, and the request names (.+): give it with files: /,
    zh: '用例目录为空，而请求提到 $1: 请用 files 提供: ',
  },
  {
    en: / waited for a permission: grant it to the skill, or run with --yes$/,
    zh: ' 等待许可: 请授权给该技能，或使用 --yes',
  },
];

const ASPECTS: readonly Worded[] = [
  { en: /^skills /, zh: '技能 ' },
  { en: /^steps /, zh: '步骤 ' },
  { en: /^output /, zh: '输出 ' },
  { en: /^limits /, zh: '限制 ' },
  { en: /^invariant /, zh: '不变式 ' },
  { en: /^outcome /, zh: '结果 ' },
];

const NONE: Worded = { en: /: none$/, zh: ': 无' };

const WORDINGS: Readonly<Record<Language, (reason: string) => string>> = {
  en: (reason) => reason,
  zh: (reason) => [SENTENCES, ASPECTS, [NONE]].reduce(replaceFirst, reason),
};

export function reasonIn(language: Language, reason: string): string {
  return WORDINGS[language](reason);
}

/** The first of them that fits, and only that. */
function replaceFirst(text: string, choices: readonly Worded[]): string {
  const fitting = choices.find(({ en }) => en.test(text));
  return fitting ? text.replace(fitting.en, fitting.zh) : text;
}
