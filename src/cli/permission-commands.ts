// The commands by which a person decides what may run: consent, grants, questions, trust, keys.
import type { CommandRow } from './frame/command.ts';

export const PERMISSION_ROWS: readonly CommandRow[] = [
  [
    'explain',
    {
      en: 'Say whether a call is allowed, and which rule decides',
      zh: '说明一次调用是否被允许及由哪条规则决定',
    },
    () => import('./command/permission/explain.ts'),
  ],
  [
    'consent',
    { en: 'Decide what a skill may reach', zh: '决定技能的可及范围' },
    () => import('./command/permission/consent.ts'),
  ],
  [
    'grants add',
    { en: 'Allow a skill one operation without asking', zh: '授权技能免询问执行某一操作' },
    () => import('./command/permission/grants-add.ts'),
  ],
  ['grants list', { en: 'List the grants', zh: '列出授权' }, () => import('./command/permission/grants-list.ts')],
  ['grants revoke', { en: 'Revoke a grant', zh: '撤销授权' }, () => import('./command/permission/grants-revoke.ts')],
  [
    'homes list',
    { en: 'List homes of skills', zh: '列出技能主目录' },
    () => import('./command/permission/homes-list.ts'),
  ],
  [
    'homes clear',
    { en: 'Clear a skill’s home', zh: '清空技能主目录' },
    () => import('./command/permission/homes-clear.ts'),
  ],
  [
    'interrupts',
    { en: 'List questions that wait for a decision', zh: '列出待决定的事项' },
    () => import('./command/permission/interrupts.ts'),
  ],
  [
    'resume',
    { en: 'Answer a saved question and resume', zh: '回答待决问题并继续' },
    () => import('./command/permission/resume.ts'),
  ],
  ['runs list', { en: 'List recorded runs', zh: '列出运行记录' }, () => import('./command/permission/runs-list.ts')],
  ['runs show', { en: 'Show one run', zh: '查看一次运行' }, () => import('./command/permission/runs-show.ts')],
  [
    'runs verify',
    { en: 'Verify that run records are unchanged', zh: '核验运行记录是否未被改动' },
    () => import('./command/permission/runs-verify.ts'),
  ],
  [
    'runs replay',
    { en: 'Replay a recorded run and report differences', zh: '按记录重放一次运行并报告差异' },
    () => import('./command/permission/runs-replay.ts'),
  ],
  [
    'runs changes',
    { en: 'Show what a run changed and is not in the project yet', zh: '查看运行产生而尚未写入项目的更改' },
    () => import('./command/permission/runs-changes.ts'),
  ],
  [
    'runs apply',
    { en: 'Apply what a run changed to the project', zh: '将运行的更改应用到项目' },
    () => import('./command/permission/runs-apply.ts'),
  ],
  [
    'runs discard',
    { en: 'Discard what a run changed', zh: '丢弃运行的更改' },
    () => import('./command/permission/runs-discard.ts'),
  ],
  [
    'runs undo',
    { en: 'Take back what was applied of a run', zh: '撤销已应用的运行更改' },
    () => import('./command/permission/runs-undo.ts'),
  ],
  [
    'runs prune',
    { en: 'Delete old run records', zh: '清理旧的运行记录' },
    () => import('./command/permission/runs-prune.ts'),
  ],
  [
    'log',
    { en: 'Show what you decided with your own commands', zh: '列出您用自己的命令所做的决定' },
    () => import('./command/permission/log.ts'),
  ],
  [
    'log verify',
    { en: 'Check that this log is as it was written', zh: '核验该日志是否未被改动' },
    () => import('./command/permission/log-verify.ts'),
  ],
  [
    'prepare',
    { en: 'Build the packages a skill imports', zh: '构建技能所用的软件包' },
    () => import('./command/environment/prepare.ts'),
  ],
  [
    'environments list',
    { en: 'List built environments', zh: '列出已构建的环境' },
    () => import('./command/environment/list.ts'),
  ],
  [
    'environments show',
    { en: 'Show one environment', zh: '查看一个环境' },
    () => import('./command/environment/show.ts'),
  ],
  [
    'environments verify',
    { en: 'Verify environments byte by byte', zh: '逐字节核验环境' },
    () => import('./command/environment/verify.ts'),
  ],
  [
    'environments prune',
    { en: 'Remove unused environments', zh: '清理未使用的环境' },
    () => import('./command/environment/prune.ts'),
  ],
  [
    'keys trust',
    { en: 'Trust the key of a publisher', zh: '信任发布者的密钥' },
    () => import('./command/distribution/keys-trust.ts'),
  ],
  [
    'keys list',
    { en: 'List trusted and revoked keys', zh: '列出密钥' },
    () => import('./command/distribution/keys-list.ts'),
  ],
  ['keys revoke', { en: 'Revoke a key', zh: '撤销密钥' }, () => import('./command/distribution/keys-revoke.ts')],
];
