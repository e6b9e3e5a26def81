// What is wrong with what was asked: the words, the settings, the place, the checks.
import type { ErrorKind } from './kind.ts';

export const REQUEST_ERRORS = {
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
} as const satisfies Record<string, ErrorKind>;
