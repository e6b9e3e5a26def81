// Text values of parameters: quoted, called by name, given as a range, or simply what follows the name of the skill.
import { isCommonWord, isStopWord } from '../../registry/rank/tokenize.ts';
import { readConditions } from './condition.ts';
import type { Filling } from './filling.ts';
import { type FillSource, type Material, readMaterial } from './material.ts';
import type { Wanted } from './wanted.ts';
import { wordPattern } from './word-pattern.ts';

/** Chinese names of parameters. */
const CHINESE: Readonly<Record<string, string>> = {
  title: '标题|题目',
  name: '名称|名字|名为',
  message: '消息|信息',
  text: '文本|内容|文字',
  content: '内容',
  query: '查询|条件|关键词',
  keyword: '关键词|关键字',
  subject: '主题',
  measure: '指标',
};

/** `title "x"`, `title: x`, `标题为“x”`. */
export function fillNamedTexts(filling: Filling, { quoted, prose }: Material): void {
  for (const param of filling.open(isText)) {
    const called = `(?:${[wordPattern(param.name), CHINESE[param.name]].filter(Boolean).join('|')})`;
    const isBefore = new RegExp(String.raw`${called}\s*(?:is|of|as|called|[:：=]|为|是|叫做?)?\s*$`, 'i');
    const colon = new RegExp(String.raw`(?<![\w-])${called}\s*[:：]\s*([^,，;；。\n]+)`, 'i').exec(prose)?.[1]?.trim();
    const value = quoted.find(({ before }) => isBefore.test(before))?.text ?? colon;
    if (value) filling.give(param.name, value);
  }
}

/** "since v1.0", "from a to b", "between a and b", "从 a 到 b". */
export function fillRange(filling: Filling, prose: string): void {
  const [from] = filling.open((param) => isText(param) && /^(?:from|since|start|begin)$/i.test(param.name));
  const isBetween = /\bbetween\b/i.test(prose);
  const begin = from && valueAfter(String.raw`\b(?:since|from|after|between)|自从?|从`, prose);
  if (!from || begin === undefined) return;
  filling.give(from.name, begin);
  const [to] = filling.open((param) => isText(param) && /^(?:to|until|end)$/i.test(param.name));
  const end = to && valueAfter(isBetween ? String.raw`\bbetween\b.*?\band` : String.raw`\b(?:until|to)|到|至`, prose);
  if (to && end !== undefined) filling.give(to.name, end);
}

function valueAfter(words: string, prose: string): string | undefined {
  const value = new RegExp(String.raw`(?:${words})\s*(?<![a-z](?=\w))([\w][\w./-]*)`, 'i')
    .exec(prose)?.[1]
    ?.replace(/[.]+$/, '');
  return value === undefined || isStopWord(value.toLowerCase()) || isCommonWord(value.toLowerCase())
    ? undefined
    : value;
}

/** For a text that takes conditions, as its description says. */
export function fillConditions(filling: Filling, text: string): void {
  const [param] = filling.open((one) => isText(one) && /\bconditions?\b|条件/i.test(one.description ?? ''));
  const conditions = param && readConditions(text);
  if (param && conditions !== undefined) filling.give(param.name, conditions);
}

/** Unused quotations: for required texts, else for search terms. */
export function fillQuoted(filling: Filling, { quoted }: Material): void {
  const taken = new Set(Object.values(filling.values()));
  const waiting = quoted.map(({ text }) => text).filter((text) => !taken.has(text));
  const needed = filling.open((param) => param.needed && isText(param));
  const sought = filling.open(
    (param) => isText(param) && /^(?:query|q|text|message|keyword|pattern|search|prompt)$/i.test(param.name),
  );
  for (const { name } of needed.length > 0 ? needed : sought.slice(0, 1)) {
    const value = waiting.shift();
    if (value !== undefined) filling.give(name, value);
  }
}

/** "@name some words": they are the one required text. */
export function fillBehind(filling: Filling, { behind = '', project }: FillSource): void {
  const [only, other] = filling.open((param) => param.needed && param.type === 'string' && !param.enum);
  const hasWords = readMaterial(behind, project).prose.trim() !== '';
  if (only && !other && hasWords) filling.give(only.name, withoutAssignments(behind).trim());
}

function isText({ type, enum: choices }: Wanted): boolean {
  return type === 'string' && choices === undefined;
}

function withoutAssignments(text: string): string {
  return text.replace(/(?:^|\s)(?:--)?[\p{L}_][\p{L}\p{N}_-]*=(?:"[^"]*"|'[^']*'|\S+)/gu, ' ');
}
