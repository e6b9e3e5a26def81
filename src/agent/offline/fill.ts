// The parameters of a call, as far as the request gives them; what it does not give is never made up.
import path from 'node:path';
import { toFault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Language } from '../../base/language.ts';
import { readTyped } from '../../invoke/param.ts';
import { isCommonWord, isStopWord } from '../../registry/tokenize.ts';
import { type Amount, amountFor, readAmounts } from './amount.ts';
import { chooseWord } from './choice-word.ts';
import { type FilePiece, type Material, readMaterial } from './material.ts';
import type { ProjectFiles } from './project.ts';
import { isInput, isOutput, type Wanted } from './wanted.ts';

export interface Filled {
  readonly params: Readonly<Record<string, Json>>;
  readonly missing: readonly Wanted[];
  /** Files the request names that are not there. */
  readonly absent: readonly string[];
}

export interface FillSource {
  readonly text: string;
  /** What follows the name of the skill, where it was written as an address. */
  readonly behind?: string;
  readonly project: ProjectFiles;
  /** Files that the skill before this one wrote. */
  readonly results: readonly string[];
  readonly language: Language;
}

export function fillParams(wanted: readonly Wanted[], source: FillSource): Filled {
  const material = readMaterial(source.text, source.project);
  const filling = new Filling(wanted);
  fillAssigned(filling, material);
  const targets = fillFiles(filling, material, source.results);
  fillAddresses(filling, material);
  fillChoices(filling, material, targets, source.language);
  fillAmounts(filling, readAmounts(material.prose));
  fillNamedTexts(filling, material);
  fillRange(filling, material.prose);
  fillQuoted(filling, material);
  fillBehind(filling, source);
  fillFromList(filling, material.prose, source.project);
  const absent = material.files.filter(({ isThere }) => !isThere).map(({ text }) => text);
  return { params: filling.values(), missing: filling.missing(), absent };
}

/** Values by parameter; each is given once. */
class Filling {
  readonly wanted: readonly Wanted[];
  readonly #given = new Map<string, Json>();

  constructor(wanted: readonly Wanted[]) {
    this.wanted = wanted;
  }

  give(name: string, text: string): void {
    const param = this.wanted.find((one) => one.name === name);
    if (!this.#given.has(name)) this.#given.set(name, typed(param, text));
  }

  /** Still without a value; what is needed comes first. */
  open(fits: (param: Wanted) => boolean = () => true): Wanted[] {
    const open = this.wanted.filter((param) => !this.#given.has(param.name) && fits(param));
    return [...open.filter(({ needed }) => needed), ...open.filter(({ needed }) => !needed)];
  }

  missing(): Wanted[] {
    return this.open(({ needed }) => needed);
  }

  values(): Record<string, Json> {
    return Object.fromEntries(this.#given);
  }
}

/** A value that does not fit goes on as it was written: the call says why it is refused. */
function typed(param: Wanted | undefined, text: string): Json {
  try {
    return readTyped(param, text);
  } catch (error) {
    if (toFault(error).type !== 'ParamInvalid') throw error;
    return text;
  }
}

function fillAssigned(filling: Filling, { assigned }: Material): void {
  for (const [key, value] of assigned) {
    const param = filling.wanted.find(({ name }) => plainName(name) === plainName(key));
    filling.give(param?.name ?? key, value);
  }
}

/** Files to work on, then where the result goes; returns the targets. */
function fillFiles(filling: Filling, { files }: Material, results: readonly string[]): string[] {
  const hasOutput = filling.open(isOutput).length > 0;
  const isTarget = (file: FilePiece) => file.isTarget && hasOutput;
  const inputs = files.filter((file) => file.isThere && !isTarget(file)).map(({ text }) => text);
  const targets = files.filter(isTarget);
  const waiting = [...inputs, ...(inputs.length === 0 ? results.slice(0, 1) : [])];
  for (const { name, needed } of filling.open(isInput)) {
    const there = needed ? targets.findIndex(({ isThere }) => isThere) : -1;
    const value = waiting.shift() ?? (there < 0 ? undefined : targets.splice(there, 1)[0]?.text);
    if (value !== undefined) filling.give(name, value);
  }
  const [output] = filling.open(isOutput);
  const [target] = targets;
  if (output && target) filling.give(output.name, target.text);
  return targets.map(({ text }) => text);
}

function fillAddresses(filling: Filling, { urls, emails }: Material): void {
  for (const [type, found] of [['url', urls], ['email', emails]] as const) {
    const waiting = [...found];
    for (const { name } of filling.open((param) => param.type === type)) {
      const value = waiting.shift();
      if (value !== undefined) filling.give(name, value);
    }
  }
}

function fillChoices(filling: Filling, { prose }: Material, targets: readonly string[], language: Language): void {
  for (const param of filling.open(({ enum: choices, type }) => choices !== undefined || type === 'boolean')) {
    const isLanguage = /^lang(?:uage)?$/i.test(param.name) && param.enum?.includes(language);
    const value = chooseWord(param, prose, targets) ?? (isLanguage ? language : undefined);
    if (value !== undefined) filling.give(param.name, value);
  }
}

function fillAmounts(filling: Filling, amounts: readonly Amount[]): void {
  const isNumber = ({ type, enum: choices }: Wanted) => (type === 'integer' || type === 'number') && !choices;
  for (const { name } of filling.open(isNumber)) {
    const value = amountFor(name, amounts);
    if (value !== undefined) filling.give(name, String(value));
  }
  const [only, other] = filling.open((param) => isNumber(param) && param.needed);
  const [bare, another] = amounts.filter(({ unit }) => unit === undefined);
  if (only && !other && bare && !another) filling.give(only.name, String(bare.value));
}

/** How a parameter is called in Chinese. */
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
function fillNamedTexts(filling: Filling, { quoted, prose }: Material): void {
  for (const param of filling.open(isText)) {
    const called = `(?:${[RegExp.escape(param.name).replace(/_|\\x2d/g, '[ _-]'), CHINESE[param.name]].filter(Boolean).join('|')})`;
    const isBefore = new RegExp(String.raw`${called}\s*(?:is|of|as|called|[:：=]|为|是|叫做?)?\s*$`, 'i');
    const colon = new RegExp(String.raw`(?<![\w-])${called}\s*[:：]\s*([^,，;；。\n]+)`, 'i').exec(prose)?.[1]?.trim();
    const value = quoted.find(({ before }) => isBefore.test(before))?.text ?? colon;
    if (value) filling.give(param.name, value);
  }
}

/** "since v1.0", "from a to b", "从 a 到 b". */
function fillRange(filling: Filling, prose: string): void {
  const [from] = filling.open((param) => isText(param) && /^(?:from|since|start|begin)$/i.test(param.name));
  const begin = from && valueAfter(String.raw`\b(?:since|from|after)|自从?|从`, prose);
  if (!from || begin === undefined) return;
  filling.give(from.name, begin);
  const [to] = filling.open((param) => isText(param) && /^(?:to|until|end)$/i.test(param.name));
  const end = to && valueAfter(String.raw`\b(?:until|to)|到|至`, prose);
  if (to && end !== undefined) filling.give(to.name, end);
}

function valueAfter(words: string, prose: string): string | undefined {
  const value = new RegExp(String.raw`(?:${words})\s*(?<![a-z](?=\w))([\w][\w./-]*)`, 'i').exec(prose)?.[1]?.replace(/[.]+$/, '');
  return value === undefined || isStopWord(value.toLowerCase()) || isCommonWord(value.toLowerCase()) ? undefined : value;
}

/** Quotations nobody claimed: for texts that are needed, else for what is looked for. */
function fillQuoted(filling: Filling, { quoted }: Material): void {
  const taken = new Set(Object.values(filling.values()));
  const waiting = quoted.map(({ text }) => text).filter((text) => !taken.has(text));
  const needed = filling.open((param) => param.needed && isText(param));
  const sought = filling.open((param) => isText(param) && /^(?:query|q|text|message|keyword|pattern|search|prompt)$/i.test(param.name));
  for (const { name } of needed.length > 0 ? needed : sought.slice(0, 1)) {
    const value = waiting.shift();
    if (value !== undefined) filling.give(name, value);
  }
}

/** "@name some words": they are the one text that is needed. */
function fillBehind(filling: Filling, { behind, project }: FillSource): void {
  if (behind === undefined) return;
  const [only, other] = filling.open((param) => param.needed && param.type === 'string' && !param.enum);
  const text = readMaterial(behind, { exists: () => false }).assigned.size > 0 ? withoutAssignments(behind) : behind;
  if (only && !other && text.trim() !== '' && !project.exists(text.trim())) filling.give(only.name, text.trim());
}

/** "the readme", "the CSV file": where exactly one file at hand can be meant. */
function fillFromList(filling: Filling, prose: string, project: ProjectFiles): void {
  const [param] = filling.open((one) => one.needed && isInput(one));
  if (!param) return;
  const words = new Set(prose.toLowerCase().match(/[a-z0-9_-]{2,}/g) ?? []);
  const isStem = (name: string) => words.has(path.parse(name).name.toLowerCase());
  const isKind = (name: string) => words.has(path.extname(name).slice(1).toLowerCase());
  for (const isMeant of [isStem, isKind]) {
    const [file, other] = project.list().filter(isMeant);
    if (file !== undefined && other === undefined) return filling.give(param.name, file);
  }
}

function isText({ type, enum: choices }: Wanted): boolean {
  return type === 'string' && choices === undefined;
}

function withoutAssignments(text: string): string {
  return text.replace(/(?:^|\s)(?:--)?[\p{L}_][\p{L}\p{N}_-]*=(?:"[^"]*"|'[^']*'|\S+)/gu, ' ');
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
