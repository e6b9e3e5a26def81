// Every command: its name (two words for a subcommand), its group, one sentence, and where it is loaded from when called.
import type { CommandEntry } from './command.ts';

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'list',
    group: 'skills',
    summary: { en: 'Show the skills there are', zh: '列出技能' },
    load: () => import('./list.ts'),
  },
  {
    name: 'inspect',
    group: 'skills',
    summary: { en: 'Show everything about one skill', zh: '查看一个技能的全部信息' },
    load: () => import('./inspect.ts'),
  },
  {
    name: 'search',
    group: 'skills',
    summary: { en: 'Find the skill for what you want to do', zh: '按需求搜索技能' },
    load: () => import('./search.ts'),
  },
  {
    name: 'scan',
    group: 'skills',
    summary: { en: 'Say which skills are new, changed or gone', zh: '扫描新增、变更和移除的技能' },
    load: () => import('./scan.ts'),
  },
  {
    name: 'record',
    group: 'skills',
    summary: { en: 'Note that a skill was used', zh: '记录技能的一次使用' },
    load: () => import('./record.ts'),
  },
  {
    name: 'new',
    group: 'authoring',
    summary: { en: 'Write a new skill that works', zh: '创建一个可用的新技能' },
    load: () => import('./new.ts'),
  },
  {
    name: 'validate',
    group: 'authoring',
    summary: { en: 'Check skills and say what to mend', zh: '检查技能并指出如何修正' },
    load: () => import('./validate.ts'),
  },
  {
    name: 'eval routing',
    group: 'authoring',
    summary: { en: 'Measure how well skills are found', zh: '测量技能检索的准确度' },
    load: () => import('./eval-routing.ts'),
  },
  {
    name: 'init',
    group: 'project',
    summary: { en: 'Set a project folder up for skills', zh: '为项目目录建立技能环境' },
    load: () => import('./init.ts'),
  },
  {
    name: 'trust',
    group: 'project',
    summary: { en: 'Let the settings of this project count', zh: '信任此项目的配置' },
    load: () => import('./trust.ts'),
  },
  {
    name: 'edit',
    group: 'project',
    summary: { en: 'Change a text file of the project', zh: '修改项目中的文本文件' },
    load: () => import('./edit.ts'),
  },
  {
    name: 'doctor',
    group: 'project',
    summary: { en: 'Say which skills are seen, which are not, and why', zh: '说明哪些技能可见、哪些不可见及其原因' },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'explain',
    group: 'permission',
    summary: {
      en: 'Say whether a call is allowed, and which rule decides',
      zh: '说明一次调用是否被允许及由哪条规则决定',
    },
    load: () => import('./explain.ts'),
  },
  {
    name: 'grants add',
    group: 'permission',
    summary: { en: 'Let a skill do one thing without asking', zh: '授权技能免询问执行某一操作' },
    load: () => import('./grants-add.ts'),
  },
  {
    name: 'grants list',
    group: 'permission',
    summary: { en: 'Show what is granted', zh: '列出授权' },
    load: () => import('./grants-list.ts'),
  },
  {
    name: 'grants revoke',
    group: 'permission',
    summary: { en: 'Take a grant back', zh: '撤销授权' },
    load: () => import('./grants-revoke.ts'),
  },
  {
    name: 'interrupts',
    group: 'permission',
    summary: { en: 'Show what waits for a decision', zh: '列出待决定的事项' },
    load: () => import('./interrupts.ts'),
  },
  {
    name: 'runs list',
    group: 'permission',
    summary: { en: 'Show what was done', zh: '列出运行记录' },
    load: () => import('./runs-list.ts'),
  },
  {
    name: 'runs show',
    group: 'permission',
    summary: { en: 'Show one run', zh: '查看一次运行' },
    load: () => import('./runs-show.ts'),
  },
  {
    name: 'runs verify',
    group: 'permission',
    summary: { en: 'Check that records are as they were written', zh: '核验运行记录是否未被改动' },
    load: () => import('./runs-verify.ts'),
  },
  {
    name: 'runs prune',
    group: 'permission',
    summary: { en: 'Throw old records away', zh: '清理旧的运行记录' },
    load: () => import('./runs-prune.ts'),
  },
  {
    name: 'schema',
    group: 'tool',
    summary: { en: 'Print the JSON Schema of a format', zh: '输出格式的 JSON Schema' },
    load: () => import('./schema.ts'),
  },
  {
    name: 'completion',
    group: 'tool',
    summary: { en: 'Print the completion script of a shell', zh: '输出 shell 补全脚本' },
    load: () => import('./completion.ts'),
  },
  {
    name: 'help',
    group: 'tool',
    summary: { en: 'Explain a command', zh: '显示命令帮助' },
    load: () => import('./help.ts'),
  },
];
