// `search`: the skills that fit what a person wants, best first, and by which words.
import type { Diagnostic } from '../../../base/diagnostic.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { truncate, visible } from '../../../base/text.ts';
import { calledName } from '../../../registry/called-name.ts';
import type { Index, ListedSkill } from '../../../registry/discover.ts';
import type { SearchHit, SearchResult } from '../../../registry/search/index.ts';
import { describeUnseen, unseenFolders } from '../../../registry/unseen.ts';
import { SOURCES } from '../../../skill/skill.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { readCount } from '../../view/count.ts';
import { inLanguageOf } from '../../view/diagnostic.ts';
import { problemHint } from '../../view/problem-hint.ts';
import { titledColumns } from '../../view/titled-columns.ts';

const DEFAULT_LIMIT = 10;
const MOST = 100;
/** Columns of the request that a summary repeats. */
const SHOWN = 60;

export const command: Command = {
  positionals: [
    {
      name: 'query',
      required: true,
      many: true,
      summary: { en: 'what you want to do, in your own words', zh: '用自己的话描述想做的事' },
    },
  ],
  options: [
    { name: 'limit', value: 'N', summary: { en: 'at most N skills; 10 otherwise', zh: '最多 N 个，默认 10' } },
    { name: 'why', summary: { en: 'show the words that were found', zh: '显示匹配到的词' } },
    {
      name: 'source',
      value: 'SOURCE',
      choices: SOURCES,
      summary: { en: 'only skills of this source, shadowed ones too', zh: '仅搜索此来源的技能，包括被遮蔽的' },
    },
  ],
  examples: ['skillwright search turn a web page into markdown', 'skillwright search 生成更新日志 --why'],
  about: {
    en: 'Reads the bodies of new and changed skills into the index first, so that no scan is needed.',
    zh: '先将新增和变更的技能读入索引，无需另行扫描。',
  },
  async run({ positionals, options, runtime, terminal }) {
    const query = readQuery(positionals);
    const limit = readLimit(textOption(options, 'limit'));
    const source = textOption(options, 'source');
    const index = runtime.index();
    const search = await runtime.searchIndex(index, 'read');
    const result = search.search(query, { limit, accept: (skill) => isOffered(skill, source) });
    const { hits } = result;
    const problems = [...index.diagnostics.filter(isProblem), ...search.problems, ...unreadableSkills(index)];
    const unseen = unseenFolders(index);
    const state = unseen.length === 0 ? 'success' : 'partial';
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), state, summarize(query, result, problems), {
      hits: hits.map(describe),
      total: hits.length,
      abstained: result.abstained,
      diagnostics: await inLanguageOf(problems, runtime.language),
    });
    const isWhy = isOn(options, 'why');
    const rows = hits.map((hit) => renderRow(hit, isWhy));
    const hint = await problemHint([...unseen, ...search.problems], problems.length, runtime);
    if (rows.length === 0) return { outcome, hint: [OTHER_WORDS[runtime.language], hint].filter(Boolean).join(' ') };
    const human = renderTable(columns(isWhy, runtime.language), rows, terminal);
    return { outcome, human, ...(hint !== undefined && { hint }) };
  },
};

const OTHER_WORDS: Text = {
  en: 'Say it in other words, or look through `skillwright list`.',
  zh: '请换一种说法，或用 `skillwright list` 浏览。',
};

function readQuery(words: readonly string[]): string {
  const query = words.join(' ').trim();
  if (query !== '') return query;
  throw new Fault('Usage', { en: 'say what to look for', zh: '请写明要搜索的内容' });
}

function readLimit(written: string | undefined): number {
  if (written === undefined) return DEFAULT_LIMIT;
  const limit = readCount('limit', written);
  if (limit >= 1 && limit <= MOST) return limit;
  throw new Fault('Usage', { en: `--limit is 1 to ${MOST}`, zh: `--limit 的范围是 1 到 ${MOST}` });
}

/** As `list` shows them. */
function isOffered({ source, state, userInvocable }: ListedSkill, wanted: string | undefined): boolean {
  return userInvocable && (wanted === undefined ? state === 'visible' : source === wanted);
}

/** What keeps a skill from being found at all. */
function unreadableSkills({ invalid }: Index): Diagnostic[] {
  return invalid.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error'));
}

function isProblem({ severity }: Diagnostic): boolean {
  return severity !== 'info';
}

function describe({ skill, score, matched }: SearchHit) {
  return { name: skill.name, folder_name: skill.folderName, source: skill.source, score, matched };
}

function summarize(query: string, result: SearchResult, problems: readonly Diagnostic[]): Text {
  const found = countHits(query, result);
  const unseen = describeUnseen(problems);
  return { en: found.en + unseen.en, zh: found.zh + unseen.zh };
}

function countHits(query: string, { hits, abstained }: SearchResult): Text {
  const shown = visible(truncate(query, SHOWN));
  const [nearest] = hits;
  if (!nearest) return { en: `no skill for: ${shown}`, zh: `没有相关技能: ${shown}` };
  const count = hits.length === 1 ? '1 skill' : `${hits.length} skills`;
  if (!abstained) return { en: `${count} for: ${shown}`, zh: `找到 ${hits.length} 个技能: ${shown}` };
  const name = visible(calledName(nearest.skill));
  return {
    en: `nothing fits well: ${shown}; nearest: ${name}`,
    zh: `没有合适的技能: ${shown}; 最接近: ${name}`,
  };
}

const TITLES: readonly Text[] = [
  { en: 'NAME', zh: '名称' },
  { en: 'SOURCE', zh: '来源' },
  { en: 'SCORE', zh: '得分' },
];
const FOUND: Text = { en: 'FOUND', zh: '匹配' };
const DESCRIPTION: Text = { en: 'DESCRIPTION', zh: '描述' };

function columns(isWhy: boolean, language: Language) {
  return titledColumns([...TITLES, ...(isWhy ? [FOUND] : []), DESCRIPTION], language);
}

function renderRow({ skill, score, matched }: SearchHit, isWhy: boolean): string[] {
  const description = skill.description.replace(/\s+/g, ' ');
  const words = isWhy ? [matched.join(', ')] : [];
  return [calledName(skill), skill.source, score.toFixed(2), ...words, description];
}
