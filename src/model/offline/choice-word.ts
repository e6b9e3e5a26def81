// One of a parameter's choices, as people say it: "as a web page", "周报", "without authors".
import type { Param } from '../../skill/skill.ts';
import { wordPattern } from './word-pattern.ts';

/** Synonyms of a choice, as patterns. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  html: 'html?|web ?page|网页',
  markdown: 'markdown|md',
  md: 'markdown|md',
  text: 'plain ?text|text|txt|纯文本|文本',
  txt: 'plain ?text|text|txt|纯文本|文本',
  yaml: 'ya?ml',
  jpg: 'jpe?g',
  daily: 'daily|每日|每天|日报',
  weekly: 'weekly|每周|周报',
  monthly: 'monthly|每月|月报',
  summary: 'summary|overview|摘要|汇总|概要|总结',
  sum: 'sum|totals?|总和|合计|总计',
  mean: 'mean|averages?|平均',
  zh: 'chinese|中文|汉语',
  en: 'english|英文|英语',
};
/** Words that occur in any sentence select nothing. */
const EVERYDAY = /^(?:yes|no|on|off|auto|all|none|true|false|default|any|.?|\d+)$/i;
const CHOSEN = /(?:\b(?:to|into|as|in)(?:\s+(?:an?|the))?|format|成|为|用|格式[为是:：]?|转)\s*$/i;

export function chooseWord(param: Param, prose: string, targets: readonly string[]): string | undefined {
  const yesNo = yesOrNo(param, prose);
  if (yesNo !== undefined) return yesNo;
  const choices = (param.enum ?? []).map(String).filter((choice) => !EVERYDAY.test(choice));
  const byFile = choices.find((choice) => targets.some((file) => isCalled(choice).test(extensionOf(file))));
  if (byFile !== undefined) return byFile;
  const found = choices.flatMap((choice) => {
    const places = [...prose.matchAll(isCalled(choice, 'g'))].map(({ index }) => index);
    return places.length > 0 ? [{ choice, isChosen: places.some((at) => CHOSEN.test(prose.slice(0, at))) }] : [];
  });
  const chosen = found.filter(({ isChosen }) => isChosen);
  const [only, other] = chosen.length > 0 ? chosen : found;
  return other === undefined ? only?.choice : undefined;
}

/** Whether a text mentions such a format. */
export function speaksOf(text: string, format: string): boolean {
  return format !== '' && isCalled(format.toLowerCase()).test(text);
}

/** "with authors", "不要 authors"; for switches, and for choices between yes and no. */
function yesOrNo({ name, type, enum: choices }: Param, prose: string): string | undefined {
  const [yes, no] = type === 'boolean' ? ['true', 'false'] : ['yes', 'no'];
  if (type !== 'boolean' && !(choices?.includes('yes') && choices.includes('no'))) return undefined;
  const words = wordPattern(name);
  const said = new RegExp(
    String.raw`(?<no>\b(?:without|no|skip|exclude)\b|不要|不带|不含|不包含)?\s*(?<yes>\b(?:with|include|including)\b|带|包含)?\s*(?:the\s+|any\s+)?\b${words}\b`,
    'i',
  ).exec(prose);
  if (said?.groups?.no !== undefined) return no;
  return said?.groups?.yes === undefined ? undefined : yes;
}

function isCalled(choice: string, flags = ''): RegExp {
  const names = Object.hasOwn(OTHER_NAMES, choice) ? OTHER_NAMES[choice] : wordPattern(choice);
  return new RegExp(String.raw`(?<![\w./-])(?:${names})(?![\w-])`, `i${flags}`);
}

function extensionOf(file: string): string {
  return /\.([a-z0-9]{1,8})$/i.exec(file)?.[1] ?? '';
}
