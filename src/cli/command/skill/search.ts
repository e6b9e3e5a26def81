// `search`: the skills that fit what a person wants, best first, and by which words.
import { type FoundSkills, LEAST_SCORE, type ShownHit, searchSkills } from '../../../app/skill/search.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language, Text } from '../../../base/language.ts';
import { renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { SOURCES } from '../../../skill/skill.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { readCount } from '../../view/count.ts';
import { pipedCell } from '../../view/piped-cell.ts';
import { problemHint } from '../../view/problem-hint.ts';
import { titledColumns } from '../../view/titled-columns.ts';

const MOST = 100;

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
      also: 'scope',
      value: 'SOURCE',
      choices: SOURCES,
      summary: { en: 'only skills of this source, shadowed ones too', zh: '仅搜索此来源的技能，包括被遮蔽的' },
    },
  ],
  examples: ['skillwright search turn a web page into markdown', 'skillwright search 生成更新日志 --why'],
  about: {
    en: 'Reads the bodies of new and changed skills into the index first, so that no scan is needed. The skills of roles are found too, as role/skill.',
    zh: '先将新增和变更的技能读入索引，无需另行扫描。也会找到角色的技能，显示为 角色/技能。',
  },
  async run({ positionals, options, runtime, terminal }) {
    const wish = { query: positionals.join(' '), source: textOption(options, 'source') };
    const found = await searchSkills(runtime, { ...wish, ...readLimit(textOption(options, 'limit')) });
    const { outcome } = found;
    const isWhy = isOn(options, 'why');
    const rows = worthShowing(found).map((hit) => renderRow(hit, isWhy, terminal));
    const hint = await problemHint(found.grave, found.problems, runtime);
    if (rows.length === 0) return { outcome, hint: [OTHER_WORDS[runtime.language], hint].filter(Boolean).join(' ') };
    const human = renderTable(columns(isWhy, runtime.language), rows, terminal);
    return { outcome, human, ...(hint !== undefined && { hint }) };
  },
};

const OTHER_WORDS: Text = {
  en: 'Say it in other words, or look through `skillwright list`.',
  zh: '请换一种说法，或用 `skillwright list` 浏览。',
};

// Where nothing fits, a few show what there is.
const NEAREST = 3;

function worthShowing({ hits, abstained }: Pick<FoundSkills, 'hits' | 'abstained'>): readonly ShownHit[] {
  return abstained ? hits.filter(({ score }) => score >= LEAST_SCORE).slice(0, NEAREST) : hits;
}

function readLimit(written: string | undefined): { limit?: number } {
  if (written === undefined) return {};
  const limit = readCount('limit', written);
  if (limit >= 1 && limit <= MOST) return { limit };
  throw new Fault('Usage', { en: `--limit is 1 to ${MOST}`, zh: `--limit 的范围是 1 到 ${MOST}` });
}

const TITLES: readonly Text[] = [
  { en: 'NAME', zh: '名称' },
  { en: 'SOURCE', zh: '来源' },
];
const FOUND: Text = { en: 'FOUND', zh: '匹配' };
const DESCRIPTION: Text = { en: 'DESCRIPTION', zh: '描述' };

function columns(isWhy: boolean, language: Language) {
  return titledColumns([...TITLES, ...(isWhy ? [FOUND] : []), DESCRIPTION], language);
}

function renderRow({ name, source, description, matched }: ShownHit, isWhy: boolean, terminal: Terminal): string[] {
  const words = isWhy ? [matched.join(', ')] : [];
  return [name, source, ...words, pipedCell(description.replace(/\s+/g, ' '), terminal)];
}
