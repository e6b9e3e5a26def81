// The commands that only look at skills; the shipped scripts of a task need no others, nor does the library.
import { type CommandEntry, type CommandRow, toEntry } from './frame/command.ts';

export const LOOK_ROWS: readonly CommandRow[] = [
  ['list', { en: 'Show the skills there are', zh: '列出技能' }, () => import('./command/skill/list.ts')],
  [
    'inspect',
    { en: 'Show everything about one skill', zh: '查看一个技能的全部信息' },
    () => import('./command/skill/inspect.ts'),
  ],
  [
    'search',
    { en: 'Find the skill for what you want to do', zh: '按需求搜索技能' },
    () => import('./command/skill/search.ts'),
  ],
  [
    'scan',
    { en: 'Say which skills are new, changed or gone', zh: '扫描新增、变更和移除的技能' },
    () => import('./command/skill/scan.ts'),
  ],
  ['record', { en: 'Note that a skill was used', zh: '记录技能的一次使用' }, () => import('./command/skill/record.ts')],
];

export const LOOK_COMMANDS: readonly CommandEntry[] = LOOK_ROWS.map((row) => toEntry('skills', row));
