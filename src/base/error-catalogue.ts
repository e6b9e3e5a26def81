// The error catalogue as data. docs/errors.md is compared with it by a test.
import type { ErrorKind } from './error-kind.ts';
import type { Text } from './language.ts';

export type ErrorType = keyof typeof ERRORS;

export const ERRORS = {
  Usage: {
    code: 'USAGE',
    recoverable: true,
    exit: 2,
    summary: { en: '{detail}', zh: '{detail}' },
    hint: { en: 'Run the command with --help to see how it is used.', zh: '使用 --help 查看用法。' },
  },
  ConfigInvalid: {
    code: 'CONFIG_INVALID',
    recoverable: true,
    exit: 1,
    summary: { en: 'invalid settings: {detail}', zh: '配置无效: {detail}' },
    hint: {
      en: 'Correct the named line; `skillwright schema config` prints the whole format.',
      zh: '修正所指的行；`skillwright schema config` 输出完整格式。',
    },
  },
  PackageIncomplete: {
    code: 'PACKAGE_INCOMPLETE',
    recoverable: false,
    exit: 1,
    summary: {
      en: 'the files of the package skillwright are not beside its code: {detail}',
      zh: 'skillwright 包的文件不在其代码旁: {detail}',
    },
    hint: {
      en: 'In a program that is bundled, mark skillwright as external (esbuild --external:skillwright, rolldown external: ["skillwright"]) and install it beside the bundle; otherwise install it again.',
      zh: '若程序经过打包，请将 skillwright 标记为 external（esbuild --external:skillwright，rolldown external: ["skillwright"]）并安装在其旁；否则请重新安装。',
    },
  },
  NotTrusted: {
    code: 'NOT_TRUSTED',
    recoverable: true,
    exit: 1,
    summary: { en: 'this folder is not trusted: {detail}', zh: '此目录未受信任: {detail}' },
    hint: { en: 'Read its settings, then run `skillwright trust`.', zh: '查看其配置后运行 `skillwright trust`。' },
  },
  AlreadyExists: {
    code: 'ALREADY_EXISTS',
    recoverable: true,
    exit: 1,
    summary: { en: 'already there: {detail}', zh: '已存在: {detail}' },
    hint: { en: 'Choose another name, or remove the old one first.', zh: '请换一个名称，或先移除旧的。' },
  },
  CheckFailed: {
    code: 'CHECK_FAILED',
    recoverable: true,
    exit: 1,
    summary: { en: 'check failed: {detail}', zh: '检查未通过: {detail}' },
    hint: { en: 'Each finding names its place and its fix.', zh: '每条结果都给出位置与修正方法。' },
  },
  EvalInvalid: {
    code: 'EVAL_INVALID',
    recoverable: true,
    exit: 2,
    summary: { en: 'the evaluation is invalid: {detail}', zh: '评测无效: {detail}' },
    hint: {
      en: 'Fix the named cases or the harness first; until then no result is valid.',
      zh: '请先修正所指的用例或评测本身；在此之前结果不作数。',
    },
  },
  SkillNotFound: {
    code: 'SKILL_NOT_FOUND',
    recoverable: true,
    exit: 1,
    summary: { en: 'skill not installed: {detail}', zh: '未安装技能: {detail}' },
    hint: {
      en: '`skillwright list` shows what there is; `skillwright doctor` why a skill is missing.',
      zh: '`skillwright list` 列出可用技能；`skillwright doctor` 说明缺失原因。',
    },
  },
  MetadataMissing: {
    code: 'METADATA_MISSING',
    recoverable: false,
    exit: 1,
    summary: { en: 'SKILL.md is damaged or missing: {detail}', zh: 'SKILL.md 损坏或缺失: {detail}' },
    hint: {
      en: '`skillwright validate <path>` says what is wrong; a skill is a folder with a SKILL.md.',
      zh: '`skillwright validate <路径>` 说明问题所在；技能是含有 SKILL.md 的目录。',
    },
  },
  ParamMissing: {
    code: 'MISSING_PARAM',
    task: 'InvalidArgs',
    recoverable: true,
    exit: 1,
    summary: { en: 'missing parameters: {detail} needed', zh: '参数不足: 需要 {detail}' },
    hint: { en: 'Give it as name=value.', zh: '以 名称=值 的形式提供。' },
  },
  ParamInvalid: {
    code: 'INVALID_PARAM',
    task: 'InvalidArgs',
    recoverable: true,
    exit: 1,
    summary: { en: 'bad parameter: {detail}', zh: '参数无效: {detail}' },
    hint: {
      en: 'Correct the value and try again; --help shows what is accepted.',
      zh: '请改正该值后重试；--help 说明可用的值。',
    },
  },
  RuntimeFailed: {
    code: 'RUNTIME_FAILED',
    task: 'RuntimeError',
    recoverable: null,
    exit: 1,
    summary: { en: 'execution failed: {detail}', zh: '执行失败: {detail}' },
    hint: {
      en: 'The excerpt of stderr shows why the script failed; --debug shows more.',
      zh: 'stderr 摘要说明原因；--debug 显示更多。',
    },
  },
  Timeout: {
    code: 'TIMEOUT',
    recoverable: true,
    exit: 5,
    summary: { en: 'ran longer than {detail}', zh: '执行超时 (>{detail})' },
    hint: {
      en: 'Give it less to do, or raise the limit in your own settings.',
      zh: '减少工作量，或在用户配置中提高时限。',
    },
  },
  ScriptNotFound: {
    code: 'SCRIPT_NOT_FOUND',
    recoverable: false,
    exit: 1,
    summary: { en: 'no such script: {detail}', zh: '脚本不存在: {detail}' },
    hint: { en: 'Check the path; worker scripts live in bin/.', zh: '检查脚本路径；脚本位于 bin/。' },
  },
  InvalidArgs: {
    code: 'INVALID_ARGS',
    recoverable: true,
    exit: 1,
    summary: { en: 'bad arguments: {detail}', zh: '参数错误: {detail}' },
    hint: { en: 'Compare the arguments with what the command or script takes.', zh: '对照命令或脚本的用法检查参数。' },
  },
  PermissionDenied: {
    code: 'PERMISSION_DENIED',
    recoverable: false,
    exit: 1,
    summary: { en: 'not permitted: {detail}', zh: '权限不足: {detail}' },
    hint: {
      en: 'Check the file permissions; `skillwright explain` shows which rule decided.',
      zh: '检查文件权限；`skillwright explain` 显示所依据的规则。',
    },
  },
  InvalidJson: {
    code: 'INVALID_JSON',
    recoverable: true,
    exit: 1,
    summary: { en: 'not valid JSON: {detail}', zh: 'JSON 解析失败: {detail}' },
    hint: {
      en: 'The request is one JSON object with "action" and "params".',
      zh: '请求应为含 "action" 与 "params" 的单个 JSON 对象。',
    },
  },
  UnknownAction: {
    code: 'UNKNOWN_ACTION',
    recoverable: true,
    exit: 1,
    summary: { en: 'unknown action: {detail}', zh: '不支持的操作: {detail}' },
    hint: {
      en: '`skillwright inspect <skill>` lists its actions.',
      zh: '`skillwright inspect <技能>` 列出支持的操作。',
    },
  },
  DataNotFound: {
    code: 'DATA_NOT_FOUND',
    recoverable: true,
    exit: 1,
    summary: { en: 'no data: {detail}', zh: '数据不存在: {detail}' },
    hint: { en: 'Check the name and the place; nothing is there under it.', zh: '请检查名称与位置；该处没有内容。' },
  },
  ExternalServiceError: {
    code: 'EXTERNAL_SERVICE_ERROR',
    recoverable: true,
    exit: 1,
    summary: { en: 'an external service failed: {detail}', zh: '外部服务错误: {detail}' },
    hint: { en: 'Try again later; check address, key and network grant.', zh: '稍后重试；检查地址、密钥与网络授权。' },
  },
  Internal: {
    code: 'INTERNAL_ERROR',
    recoverable: null,
    exit: 1,
    summary: { en: 'internal error: {detail}', zh: '内部错误: {detail}' },
    hint: { en: 'Run again with --debug and report what it prints.', zh: '使用 --debug 重新运行并反馈输出。' },
  },
  InvalidResponse: {
    code: 'INVALID_RESPONSE',
    recoverable: false,
    exit: 1,
    summary: { en: 'the skill returned an invalid response: {detail}', zh: '技能返回无效: {detail}' },
    hint: {
      en: '`skillwright conform <skill>` shows what the protocol requires.',
      zh: '`skillwright conform <技能>` 显示协议要求。',
    },
  },
  OutputLimit: {
    code: 'OUTPUT_LIMIT',
    recoverable: false,
    exit: 1,
    summary: { en: 'printed more than {detail}', zh: '输出超过上限: {detail}' },
    hint: { en: 'Write large results to a file in the output folder.', zh: '将大量结果写入输出目录中的文件。' },
  },
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
      en: '`skillwright explain` shows which layer refused and why.',
      zh: '`skillwright explain` 显示拒绝的层级与原因。',
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
  PathBlocked: {
    code: 'PATH_BLOCKED',
    recoverable: false,
    exit: 1,
    summary: { en: 'path not allowed: {detail}', zh: '路径不允许访问: {detail}' },
    hint: { en: 'Name a file inside the folder this call may use.', zh: '请使用允许目录内的文件。' },
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
