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
    name: 'doctor',
    group: 'project',
    summary: { en: 'Say which skills are seen, which are not, and why', zh: '说明哪些技能可见、哪些不可见及其原因' },
    load: () => import('./doctor.ts'),
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
