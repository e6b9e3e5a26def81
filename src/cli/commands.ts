// Every command: its name (two words for a subcommand), one sentence, and where it is loaded from when called; by group.
import { type CommandEntry, type CommandRow, type Group, toEntry } from './frame/command.ts';
import { PERMISSION_ROWS } from './permission-commands.ts';

const ROWS: Readonly<Record<Group, readonly CommandRow[]>> = {
  skills: [
    ['list', { en: 'List skills', zh: '列出技能' }, () => import('./command/skill/list.ts')],
    [
      'inspect',
      { en: 'Show everything about one skill', zh: '查看一个技能的全部信息' },
      () => import('./command/skill/inspect.ts'),
    ],
    [
      'search',
      { en: 'Search for a skill by what you want to do', zh: '按需求搜索技能' },
      () => import('./command/skill/search.ts'),
    ],
    [
      'scan',
      { en: 'Scan for new, changed and removed skills', zh: '扫描新增、变更和移除的技能' },
      () => import('./command/skill/scan.ts'),
    ],
    [
      'record',
      { en: 'Record one use of a skill', zh: '记录技能的一次使用' },
      () => import('./command/skill/record.ts'),
    ],
    [
      'run',
      { en: 'Ask the agent to do something, with skills', zh: '让智能体借助技能完成需求' },
      () => import('./command/skill/run.ts'),
    ],
    ['invoke', { en: 'Run a skill by its name', zh: '按名称运行技能' }, () => import('./command/skill/invoke.ts')],
    [
      'exec',
      { en: 'Run one script of a skill in the project', zh: '在项目中运行技能的一个脚本' },
      () => import('./command/skill/exec.ts'),
    ],
    [
      'call',
      { en: 'Call one action of a protocol skill', zh: '调用协议技能的一个操作' },
      () => import('./command/skill/call.ts'),
    ],
    [
      'task',
      { en: 'Run scripts of bin/, once per idempotency key', zh: '执行 bin/ 脚本，相同键仅执行一次' },
      () => import('./command/task/task.ts'),
    ],
    [
      'install',
      { en: 'Install skills from a pack, folder, repository or site', zh: '安装技能（包、目录、仓库或站点）' },
      () => import('./command/distribution/install.ts'),
    ],
    ['uninstall', { en: 'Uninstall a skill', zh: '卸载技能' }, () => import('./command/distribution/uninstall.ts')],
    [
      'restore',
      { en: 'Restore a skill from the trash', zh: '从回收区恢复技能' },
      () => import('./command/distribution/restore.ts'),
    ],
    [
      'update',
      { en: 'Update installed skills', zh: '更新已安装的技能' },
      () => import('./command/distribution/update.ts'),
    ],
    [
      'rollback',
      { en: 'Roll a skill back to its previous version', zh: '回退到上一版本' },
      () => import('./command/distribution/rollback.ts'),
    ],
    [
      'verify',
      { en: 'Verify that skills are unchanged since installation', zh: '核验技能是否与安装时一致' },
      () => import('./command/distribution/verify.ts'),
    ],
    [
      'vet',
      { en: 'Inspect a skill or pack for suspicious content', zh: '检查技能或包中的可疑内容' },
      () => import('./command/distribution/vet.ts'),
    ],
    [
      'lock',
      { en: 'Show or rewrite the lock file', zh: '查看或重写锁文件' },
      () => import('./command/distribution/lock.ts'),
    ],
    [
      'curate',
      { en: 'Find unused, duplicate or risky skills', zh: '清理未使用、重复或有风险的技能' },
      () => import('./command/distribution/curate.ts'),
    ],
  ],
  authoring: [
    ['new', { en: 'Create a working skill', zh: '创建一个可用的新技能' }, () => import('./command/author/new.ts')],
    [
      'validate',
      { en: 'Check skills and say what to fix', zh: '检查技能并指出如何修正' },
      () => import('./command/author/validate.ts'),
    ],
    [
      'eval',
      { en: 'Run eval cases and grade the results', zh: '运行评测用例并判定执行结果' },
      () => import('./command/author/eval.ts'),
    ],
    [
      'eval new',
      { en: 'Create an eval case from a recorded run', zh: '由运行记录生成评测用例' },
      () => import('./command/author/eval-new.ts'),
    ],
    [
      'eval routing',
      { en: 'Measure how well skills are found by requests', zh: '测量技能检索的准确度' },
      () => import('./command/author/eval-routing.ts'),
    ],
    [
      'conform',
      { en: 'Check that a skill conforms to the Skill protocol', zh: '检查技能是否符合协议' },
      () => import('./command/author/conform.ts'),
    ],
    [
      'pack',
      { en: 'Pack skills into one zip file', zh: '将技能打包为 zip' },
      () => import('./command/distribution/pack.ts'),
    ],
    ['sign', { en: 'Sign a pack', zh: '为包签名' }, () => import('./command/distribution/sign.ts')],
    [
      'keys generate',
      { en: 'Generate a signing key', zh: '生成签名密钥' },
      () => import('./command/distribution/keys-generate.ts'),
    ],
  ],
  project: [
    [
      'init',
      { en: 'Set up a project folder for skills', zh: '为项目目录建立技能环境' },
      () => import('./command/project/init.ts'),
    ],
    [
      'trust',
      { en: "Trust this project's settings", zh: '信任此项目的配置' },
      () => import('./command/project/trust.ts'),
    ],
    [
      'config',
      { en: 'Show the settings that count here', zh: '显示当前生效的配置' },
      () => import('./command/project/config.ts'),
    ],
    [
      'edit',
      { en: 'Edit a text file of the project', zh: '修改项目中的文本文件' },
      () => import('./command/project/edit.ts'),
    ],
    [
      'doctor',
      { en: 'Diagnose which skills are found, which are not, and why', zh: '说明哪些技能可见、哪些不可见及其原因' },
      () => import('./command/project/doctor.ts'),
    ],
    [
      'roles list',
      { en: 'List the roles of this project', zh: '列出项目中的角色' },
      () => import('./command/project/roles-list.ts'),
    ],
    [
      'roles inspect',
      { en: 'Show one role with its skills', zh: '查看一个角色及其技能' },
      () => import('./command/project/roles-inspect.ts'),
    ],
    [
      'roles lint',
      { en: 'Check roles and say what to fix', zh: '检查角色并指出如何修正' },
      () => import('./command/project/roles-lint.ts'),
    ],
    [
      'roles new',
      { en: 'Create a working role', zh: '创建一个可用的角色' },
      () => import('./command/project/roles-new.ts'),
    ],
    [
      'roles add-skill',
      { en: 'Add a skill to a role', zh: '为角色添加技能' },
      () => import('./command/project/roles-add-skill.ts'),
    ],
    [
      'jobs list',
      { en: 'List the schedules of this project', zh: '列出定时任务' },
      () => import('./command/job/list.ts'),
    ],
    ['jobs run', { en: 'Run a job now', zh: '立即执行任务' }, () => import('./command/job/run.ts')],
    [
      'jobs history',
      { en: 'List finished, running and waiting jobs', zh: '列出任务历史' },
      () => import('./command/job/history.ts'),
    ],
    [
      'jobs workers',
      { en: 'List the workers and their machines', zh: '列出任务执行者' },
      () => import('./command/job/workers.ts'),
    ],
    [
      'jobs publish',
      { en: 'Publish a role to workers on other machines', zh: '向其他机器的执行者发布角色' },
      () => import('./command/job/publish.ts'),
    ],
    ['jobs show', { en: 'Show one job', zh: '查看一个任务' }, () => import('./command/job/show.ts')],
    ['jobs cancel', { en: 'Cancel a job', zh: '取消任务' }, () => import('./command/job/cancel.ts')],
    ['jobs retry', { en: 'Retry a job', zh: '重新执行任务' }, () => import('./command/job/retry.ts')],
    ['jobs enable', { en: 'Enable a schedule', zh: '启用定时任务' }, () => import('./command/job/enable.ts')],
    ['jobs disable', { en: 'Disable a schedule', zh: '停用定时任务' }, () => import('./command/job/disable.ts')],
    [
      'start',
      { en: 'Schedule and run the jobs of this project', zh: '计划并执行本项目的任务' },
      () => import('./command/job/start.ts'),
    ],
    [
      'mcp',
      { en: 'Serve the skills to other agents, over MCP', zh: '通过 MCP 向其他智能体提供技能' },
      () => import('./command/server/mcp.ts'),
    ],
    [
      'servers',
      { en: 'List the MCP servers of your settings and their tools', zh: '列出配置中的 MCP 服务器及其工具' },
      () => import('./command/server/servers.ts'),
    ],
  ],
  permission: PERMISSION_ROWS,
  tool: [
    [
      'schema',
      { en: 'Print the JSON Schema of a format', zh: '输出格式的 JSON Schema' },
      () => import('./command/tool/schema.ts'),
    ],
    [
      'completion',
      { en: 'Print the completion script of a shell', zh: '输出 shell 补全脚本' },
      () => import('./completion/completion.ts'),
    ],
    ['help', { en: 'Explain a command', zh: '显示命令帮助' }, () => import('./frame/help.ts')],
  ],
};

export const COMMANDS: readonly CommandEntry[] = Object.entries(ROWS).flatMap(([group, rows]) =>
  rows.map((row) => toEntry(group as Group, row)),
);
