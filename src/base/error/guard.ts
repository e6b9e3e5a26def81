// What the guards refuse: approvals, integrity, paths, budgets and limits.
import type { Text } from '../language.ts';
import type { ErrorKind } from './kind.ts';

export const GUARD_ERRORS = {
  ApprovalRequired: {
    code: 'APPROVAL_REQUIRED',
    recoverable: true,
    exit: 4,
    summary: { en: 'a decision is needed: {detail}', zh: '需要批准: {detail}' },
    hint: {
      en: 'Run the printed `skillwright resume` command to continue.',
      zh: '运行所示的 `skillwright resume` 命令以继续。',
    },
  },
  ApprovalDenied: {
    code: 'APPROVAL_DENIED',
    recoverable: false,
    exit: 1,
    summary: { en: 'refused: {detail}', zh: '已拒绝: {detail}' },
    hint: {
      en: 'The answer was no, and nothing was done; run it again to be asked again.',
      zh: '回答为否，未执行任何操作；重新运行可再次询问。',
    },
  },
  IntegrityMismatch: {
    code: 'INTEGRITY_MISMATCH',
    recoverable: false,
    exit: 1,
    summary: { en: 'the files changed: {detail}', zh: '文件已被更改: {detail}' },
    hint: { en: 'Review what changed, then approve or install it again.', zh: '查看更改后重新批准或安装。' },
  },
  SignatureRefused: {
    code: 'SIGNATURE_REFUSED',
    recoverable: false,
    exit: 1,
    summary: { en: 'the signature is not valid: {detail}', zh: '签名无效: {detail}' },
    hint: {
      en: 'Nothing was installed. Get the key of the publisher through another channel, then `skillwright keys trust`.',
      zh: '未安装任何内容。请通过其他途径向发布者确认密钥，再运行 `skillwright keys trust`。',
    },
  },
  PackageRefused: {
    code: 'PACKAGE_REFUSED',
    recoverable: false,
    exit: 1,
    summary: { en: 'packages refused: {detail}', zh: '软件包被拒绝: {detail}' },
    hint: {
      en: 'Nothing was built. Correct what the skill declares, then run `skillwright prepare <skill>` again.',
      zh: '未构建任何内容。请修正技能的依赖声明，再运行 `skillwright prepare <技能>`。',
    },
  },
  PathBlocked: {
    code: 'PATH_BLOCKED',
    recoverable: false,
    exit: 1,
    summary: { en: 'path not allowed: {detail}', zh: '路径不允许访问: {detail}' },
    hint: { en: 'Name a file inside the folder this call may use.', zh: '请使用允许目录内的文件。' },
  },
  Conflict: {
    code: 'CONFLICT',
    recoverable: true,
    exit: 1,
    summary: { en: 'the project has changed meanwhile: {detail}', zh: '项目在此期间已更改: {detail}' },
    hint: {
      en: 'Nothing was applied. Put the files back as they were and apply again, or `skillwright runs discard` the changes.',
      zh: '未应用任何更改。请将文件恢复原状后再应用，或用 `skillwright runs discard` 丢弃更改。',
    },
  },
  WorkspaceUnavailable: {
    code: 'WORKSPACE_UNAVAILABLE',
    recoverable: false,
    exit: 1,
    summary: { en: 'no workspace can be made here: {detail}', zh: '无法在此创建工作区: {detail}' },
    hint: {
      en: '`skillwright doctor` says what this machine lacks.',
      zh: '使用 `skillwright doctor` 查看此机器缺少什么。',
    },
  },
  BudgetExhausted: {
    code: 'BUDGET_EXHAUSTED',
    recoverable: true,
    exit: 1,
    summary: { en: 'the budget is used up: {detail}', zh: '预算已用尽: {detail}' },
    hint: { en: 'Resume with a larger --budget, or ask for less.', zh: '以更大的 --budget 继续，或缩小请求。' },
  },
  IdempotencyConflict: {
    code: 'IDEMPOTENCY_CONFLICT',
    recoverable: true,
    exit: 1,
    summary: { en: 'this key belongs to another prompt: {detail}', zh: '幂等键已用于其他指令: {detail}' },
    hint: { en: 'Use another key, or wait until the window has passed.', zh: '更换幂等键，或等待窗口结束。' },
  },
  StateUnusable: {
    code: 'STATE_UNUSABLE',
    recoverable: null,
    exit: 1,
    summary: { en: 'the stored state cannot be used: {detail}', zh: '状态数据无法使用: {detail}' },
    hint: {
      en: 'Nothing was deleted. Move the named file aside to start over, and keep it: it holds the old records.',
      zh: '未删除任何内容。可将所指文件移开后重新开始，并请保留它: 其中有原有记录。',
    },
  },
  ARCHIVE_PATH: archive('ARCHIVE_PATH', { en: 'a path that leaves the archive', zh: '路径越界' }),
  ARCHIVE_LINK: archive('ARCHIVE_LINK', { en: 'a link or special file in the archive', zh: '包含链接或特殊文件' }),
  ARCHIVE_DUPLICATE: archive('ARCHIVE_DUPLICATE', { en: 'the same entry twice', zh: '条目重复' }),
  ARCHIVE_COLLISION: archive('ARCHIVE_COLLISION', { en: 'names that collide on some file systems', zh: '名称冲突' }),
  ARCHIVE_MISMATCH: archive('ARCHIVE_MISMATCH', { en: 'headers that contradict each other', zh: '文件头不一致' }),
  ARCHIVE_OVERLAP: archive('ARCHIVE_OVERLAP', { en: 'entries that overlap', zh: '条目重叠' }),
  ARCHIVE_LIMIT: archive('ARCHIVE_LIMIT', { en: 'larger than allowed', zh: '超出大小限制' }),
  ARCHIVE_FORMAT: archive('ARCHIVE_FORMAT', { en: 'not a plain zip file', zh: '格式不受支持' }),
  LIMIT_MEMORY: limit('LIMIT_MEMORY', { en: 'memory', zh: '内存' }, 'memory_mib'),
  LIMIT_PROCESSES: limit('LIMIT_PROCESSES', { en: 'processes', zh: '进程数' }, 'processes'),
  LIMIT_FILE_SIZE: limit('LIMIT_FILE_SIZE', { en: 'file size', zh: '文件大小' }, 'file_mib'),
  LIMIT_OPEN_FILES: limit('LIMIT_OPEN_FILES', { en: 'open files', zh: '打开文件数' }, 'open_files'),
  LIMIT_CPU: limit('LIMIT_CPU', { en: 'processor time', zh: '处理器时间' }, 'timeout_seconds'),
  LIMIT_DISK: limit('LIMIT_DISK', { en: 'disk space', zh: '磁盘空间' }),
  LIMIT_PROJECT_FILES: {
    code: 'LIMIT_PROJECT_FILES',
    recoverable: false,
    exit: 1,
    summary: {
      en: 'the project is too large to be searched for secrets: {detail}',
      zh: '项目过大，无法查找其中的机密: {detail}',
    },
    hint: {
      en: 'Leave folders out (workspace.leave_out), or raise the limit in your own settings (limits.project_files).',
      zh: '可将目录排除在外（workspace.leave_out），或在用户配置中提高上限（limits.project_files）。',
    },
  },
  LIMIT_LAYER_FILES: limit('LIMIT_LAYER_FILES', { en: 'files of a layer', zh: '层文件数' }, 'layer_files'),
  LIMIT_LAYER_SIZE: limit('LIMIT_LAYER_SIZE', { en: 'layer size', zh: '层大小' }, 'layer_mib'),
} as const satisfies Record<string, ErrorKind>;

function archive(code: string, { en, zh }: Text): ErrorKind {
  return {
    code,
    recoverable: false,
    exit: 1,
    summary: { en: `archive refused, ${en}: {detail}`, zh: `压缩包被拒绝, ${zh}: {detail}` },
    hint: {
      en: 'Nothing was installed. Ask the publisher for a clean pack.',
      zh: '未安装任何内容。请向发布者索取正常的包。',
    },
  };
}

function limit(code: string, { en, zh }: Text, setting?: string): ErrorKind {
  const named = setting === undefined ? '' : ` (limits.${setting})`;
  return {
    code,
    recoverable: false,
    exit: 1,
    summary: { en: `the ${en} limit was reached: {detail}`, zh: `已达${zh}上限: {detail}` },
    hint: {
      en: `Give the skill less to do, or raise the limit in your own settings${named}.`,
      zh: `减少工作量，或在用户配置中提高上限${named}。`,
    },
  };
}
