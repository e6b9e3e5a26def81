// `log`: what people decided about later runs with their own commands, the latest first.
import { entriesOf, type OwnEntry, verifyOwn } from '../../../app/own/read.ts';
import { describeOwn, ownState, whatChanged } from '../../../app/view/own-entry.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { utcSecond } from '../../../base/text/utc-second.ts';
import { type Command, textOption } from '../../frame/command.ts';
import { readCount } from '../../view/count.ts';
import { titledColumns } from '../../view/titled-columns.ts';

const DEFAULT_LIMIT = '50';

export const command: Command = {
  about: {
    en: 'Installing, updating and removing skills, grants, trust, keys, schedules, edits and settings: each command with what it changed, when, by which user of this machine, and whether it was done. Digests and names are kept, never contents. The log of this project and your own (keys, skills of the user) lie under home.',
    zh: '安装、更新与移除技能、授权、信任、密钥、定时任务、编辑与配置: 每条命令改变了什么、何时、由本机哪个用户、是否完成。只记录摘要与名称，不记录内容。项目的日志与您自己的日志（密钥、用户技能）都在主目录下。',
  },
  positionals: [],
  options: [
    {
      name: 'limit',
      value: 'N',
      summary: { en: `only the latest N; ${DEFAULT_LIMIT} unless given`, zh: `仅列出最近 N 个；默认 ${DEFAULT_LIMIT}` },
    },
  ],
  examples: ['skillwright log', 'skillwright log --limit 10 --json'],
  async run({ options, runtime, terminal }) {
    const logs = verifyOwn(runtime);
    const ok = logs.every((log) => log.ok);
    const all = entriesOf(logs);
    const shown = all.slice(0, readCount('limit', textOption(options, 'limit') ?? DEFAULT_LIMIT));
    const data = { events: shown.map(describeOwn), total: all.length, ok };
    const { language } = runtime;
    const rows = shown.map((entry) => renderRow(entry, language));
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), ok ? 'success' : 'partial', count(all, ok), data),
      ...(rows.length > 0 && { human: renderTable(titledColumns(TITLES, language), rows, terminal) }),
      ...(!ok && { hint: BROKEN[language] }),
    };
  },
};

const TITLES: readonly Text[] = [
  { en: 'TIME', zh: '时间' },
  { en: 'LOG', zh: '日志' },
  { en: 'COMMAND', zh: '命令' },
  { en: 'STATE', zh: '状态' },
  { en: 'WHAT', zh: '内容' },
];

const CHANGED: Text = { en: '; the log was changed', zh: '；日志被改动过' };

const BROKEN: Text = {
  en: 'Only events that are as they were written are shown: `skillwright log verify` says where the log was changed.',
  zh: '仅显示与写入时一致的事件: `skillwright log verify` 指出何处被改动。',
};

function renderRow(entry: OwnEntry, language: Language): string[] {
  const { time, log, change } = entry;
  return [utcSecond(time), log, change.command, ownState(entry)[language], whatChanged(entry, language)];
}

function count({ length }: readonly OwnEntry[], ok: boolean): Text {
  const { en, zh } = ok ? { en: '', zh: '' } : CHANGED;
  if (length === 0) return { en: `nothing recorded yet${en}`, zh: `尚无记录${zh}` };
  return { en: `${length} ${length === 1 ? 'command' : 'commands'}${en}`, zh: `共 ${length} 条命令${zh}` };
}
