// The answers of the offline model: what was done and where the results are, what failed and what to do, what is missing.
import { isRecord } from '../../base/json.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { visible, visibleLines } from '../../base/text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { SearchHit } from '../../registry/search/index.ts';
import type { OfflineStep } from './view.ts';
import type { Wanted } from './wanted.ts';

const LINES = 40;
const WIDTH = 300;
const ITEMS = 10;

export function reportDone(done: readonly OfflineStep[], artifacts: readonly string[], language: Language): string {
  const parts = done.map((step) => [visible(step.summary), ...details(step)].join('\n'));
  if (artifacts.length === 0) return parts.join('\n\n');
  const label = inLanguage({ en: 'Written:', zh: '已写入:' }, language);
  return [...parts, [label, ...artifacts.map((file) => `- ${visible(file)}`)].join('\n')].join('\n\n');
}

export function reportFailure(
  skill: string,
  { state, summary, hint }: OfflineStep,
  before: string,
  language: Language,
): string {
  const shown = visible(summary);
  const said: Record<'uncertain' | 'error', Text> = {
    error: { en: `${visible(skill)} did not succeed: ${shown}`, zh: `${visible(skill)} 未成功: ${shown}` },
    uncertain: {
      en: `It is not known whether ${visible(skill)} did its work; nothing was repeated. ${shown}`,
      zh: `无法确定 ${visible(skill)} 是否已执行，未重复执行。${shown}`,
    },
  };
  const failure = inLanguage(said[state === 'uncertain' ? 'uncertain' : 'error'], language);
  return [before, failure, hint === undefined ? '' : visible(hint)].filter((part) => part !== '').join('\n');
}

/** A longer request is not repeated. */
const REPEATED = 120;
/** How many skills are named when none matches. */
const NAMED = 8;

export function reportCandidates(candidates: readonly SearchHit[], request: string, language: Language): string {
  const lines = candidates.map(
    ({ skill }, at) => `${at + 1}. @${visible(skill.name)}: ${shorten(skill.manifest.description)}`,
  );
  const wish = request.length <= REPEATED ? visible(request) : '…';
  const example = `@${visible(candidates[0]?.skill.name ?? '')} ${wish}`;
  // The first line is the summary of the run, and stands alone there.
  const text: Text = {
    en: `No skill is clearly meant; name one to run it, for example "${example}".\nThese come nearest:`,
    zh: `无法确定要用哪个技能，请指明其一，例如 "${example}"。\n最接近的如下:`,
  };
  return [inLanguage(text, language), ...lines].join('\n');
}

const A_MODEL = '{"model": {"provider": "anthropic", "name": "MODEL"}}';

export function reportNothing(skills: readonly string[], language: Language): string {
  const names = skills.slice(0, NAMED).map(visible);
  const more = skills.length > NAMED ? ' …' : '';
  const lines: Text[] = [
    {
      en: 'No skill fits this request, and without a model nothing else can be done with it.',
      zh: '没有适合此请求的技能；未配置模型时无法以其他方式处理。',
    },
    {
      en: `Skills at hand: ${names.join(', ')}${more}. \`skillwright list\` says what each is for.`,
      zh: `现有技能: ${names.join('、')}${more}。\`skillwright list\` 说明各自用途。`,
    },
    {
      en: `With a model any request can be tried; choose one in ~/.agent/config.json: ${A_MODEL}`,
      zh: `配置模型后可尝试任意请求；请在 ~/.agent/config.json 中选定: ${A_MODEL}`,
    },
  ];
  return lines.map((line) => inLanguage(line, language)).join('\n');
}

export function reportUnknown(name: string, suggestions: readonly string[], language: Language): string {
  const near = suggestions.map((one) => `@${visible(one)}`);
  return inLanguage(
    {
      en: `There is no skill ${visible(name)}.${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''}`,
      zh: `没有名为 ${visible(name)} 的技能。${near.length > 0 ? `是否指 ${near.join('、')}？` : ''}`,
    },
    language,
  );
}

/** The question alone; the note about missing files explains it. */
export function askFor(missing: readonly Wanted[], absent: readonly string[], language: Language): string {
  const gone = absent.map(visible);
  const notes: Text = {
    en: gone.length > 0 ? ` Not found in the project: ${gone.join(', ')}.` : '',
    zh: gone.length > 0 ? `项目中不存在: ${gone.join('、')}。` : '',
  };
  return inLanguage(
    {
      en: `Give ${missing.map(describe).join(', ')} as name=value.${notes.en}`,
      zh: `请以 名称=值 的形式提供: ${missing.map(describe).join('、')}。${notes.zh}`,
    },
    language,
  );
}

export function reportMissing(skill: string, names: readonly string[], question: string, language: Language): string {
  const list = names.map(visible);
  const head: Text = {
    en: `${visible(skill)} needs ${list.join(', ')}.`,
    zh: `${visible(skill)} 还需要 ${list.join('、')}。`,
  };
  return `${inLanguage(head, language)} ${question}`;
}

export function askForAction(actions: readonly string[], language: Language): string {
  const list = actions.map(visible);
  return inLanguage({ en: `Say which action: ${list.join(', ')}.`, zh: `请指明操作: ${list.join('、')}。` }, language);
}

/** Instructions need a model that can follow them; this one cannot, and says so. */
export function reportPrompt(skill: SkillEntry, goal: string | undefined, language: Language): string {
  const name = visible(skill.name);
  const head: Text = {
    en: `${name} consists of instructions only; following them needs a model, and none is set. Nothing was done.`,
    zh: `${name} 只包含说明，需要模型来执行，而当前未配置模型。未执行任何操作。`,
  };
  const place: Text = { en: `Its text: ${visible(skill.file)}`, zh: `说明文件: ${visible(skill.file)}` };
  const aim: Text = { en: `Its goal: ${goal}`, zh: `目标: ${goal}` };
  return [head, ...(goal === undefined ? [] : [aim]), place].map((text) => inLanguage(text, language)).join('\n');
}

/** The first paragraph below the heading Goal, else the first paragraph. */
export function goalOf(body: string): string | undefined {
  const section = /^#+\s*(?:goal|目标).*\n+([\s\S]*?)(?=\n\s*\n|\n#|$(?![\s\S]))/im.exec(body)?.[1];
  const paragraph = section ?? body.split(/\n\s*\n/).find((part) => part.trim() !== '' && !/^\s*#/.test(part));
  return paragraph === undefined || paragraph.trim() === '' ? undefined : shorten(paragraph.trim());
}

function details({ data, printed }: OfflineStep): string[] {
  if (data) return describeData(data);
  return printed === undefined ? [] : cutLines(printed);
}

/** Sentences first; else a text; else the data, in short. */
function describeData(data: Readonly<Record<string, unknown>>): string[] {
  const { insights, briefing, content, text } = data;
  if (Array.isArray(insights) && insights.length > 0)
    return insights.slice(0, ITEMS).map((one) => `- ${shorten(String(one))}`);
  // A text that is in a file is not repeated.
  const isFiled = Object.keys(data).some((name) => name.endsWith('_path'));
  const written = [briefing, ...(isFiled ? [] : [content, text])].find(
    (part) => typeof part === 'string' && part !== '',
  );
  if (typeof written === 'string') return cutLines(written);
  return Object.entries(data)
    .filter(([name]) => !(isFiled && name === 'content'))
    .slice(0, ITEMS)
    .map(([name, value]) => `- ${visible(name)}: ${shorten(inShort(value))}`);
}

function inShort(value: unknown): string {
  if (typeof value === 'string') return value;
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}

function cutLines(text: string): string[] {
  const lines = visibleLines(text.trim()).split('\n');
  return lines.length > LINES ? [...lines.slice(0, LINES), '…'] : lines;
}

function describe({ name, type, description, enum: choices }: Wanted): string {
  const kind = choices ? choices.join('|') : type;
  const facts = [kind === 'string' ? '' : kind, description ?? ''].filter((fact) => fact !== '');
  return visible(facts.length > 0 ? `${name} (${facts.join(', ')})` : name);
}

function shorten(text: string): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1).toWellFormed()}…` : line;
}
