// What goes wrong in a skill: it is missing, its parameters, its process, its answer.
import type { ErrorKind } from './kind.ts';

export const SKILL_ERRORS = {
  SkillNotFound: {
    code: 'SKILL_NOT_FOUND',
    recoverable: true,
    exit: 1,
    summary: { en: 'skill not installed: {detail}', zh: '未安装技能: {detail}' },
    hint: {
      en: '`skillwright list --roles` shows what there is; `skillwright doctor` why a skill is missing.',
      zh: '`skillwright list --roles` 列出可用技能；`skillwright doctor` 说明缺失原因。',
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
    summary: { en: 'Missing required parameters: [{detail}]', zh: '参数不足: 需要 {detail}' },
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
      en: 'Give it less to do, or more time: --timeout for one call, limits in your own settings for all.',
      zh: '减少工作量，或给予更多时间: --timeout 用于单次调用，用户配置中的 limits 用于全部。',
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
    summary: { en: 'Unknown action: {detail}', zh: '不支持的操作: {detail}' },
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
} as const satisfies Record<string, ErrorKind>;
