// The options every command takes, and what they say about how to answer.
import { isLanguage, LANGUAGES, type Language, languageFromLocale } from '../../base/language.ts';
import type { Terminal } from '../../base/text/terminal.ts';
import type { Option, OptionValues } from './command.ts';

export const FORMATS = ['human', 'json', 'compact'] as const;
export type Format = (typeof FORMATS)[number];

export const GLOBAL_OPTIONS: readonly Option[] = [
  {
    name: 'format',
    value: 'FORMAT',
    choices: FORMATS,
    summary: {
      en: 'how the result is printed; human unless asked otherwise, also into a pipe',
      zh: '结果格式；默认 human，管道中也是',
    },
  },
  {
    name: 'json',
    summary: {
      en: 'same as --format json: one JSON document on stdout',
      zh: '同 --format json：stdout 只输出一个 JSON 文档',
    },
  },
  {
    name: 'lang',
    value: 'LANG',
    choices: LANGUAGES,
    summary: { en: 'language of the answer; else the locale decides', zh: '回答语言；默认取自区域设置' },
  },
  {
    name: 'project',
    short: 'C',
    value: 'DIR',
    summary: { en: 'project folder; else the nearest one above', zh: '项目目录；默认向上查找最近的一个' },
  },
  {
    name: 'yes',
    summary: {
      en: 'answer yes to the questions of this command; never for variables, hosts or guarded paths',
      zh: '对本命令的提问一律回答是；变量、主机与受保护路径除外',
    },
  },
  {
    name: 'non-interactive',
    summary: {
      en: 'never ask; what needs a decision is interrupted; CI counts too',
      zh: '从不提问；需要决定时中断；CI 同样有效',
    },
  },
  {
    name: 'no-color',
    summary: {
      en: 'no colour; NO_COLOR and FORCE_COLOR count too',
      zh: '不使用颜色；NO_COLOR 与 FORCE_COLOR 同样有效',
    },
  },
  {
    name: 'debug',
    summary: {
      en: 'say more on stderr, also what skills write there; SKILL_DEBUG=1 counts too',
      zh: '在 stderr 输出更多信息，包括技能写入 stderr 的内容；SKILL_DEBUG=1 同样有效',
    },
  },
  { name: 'help', short: 'h', summary: { en: 'explain the command', zh: '显示帮助' } },
  { name: 'version', short: 'V', summary: { en: 'print the version', zh: '显示版本' } },
];

export interface TerminalSurroundings {
  readonly env: Record<string, string | undefined>;
  /** Node makes the stream when it is first looked at. */
  stdin(): { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
}

export function chooseFormat(options: OptionValues): Format {
  if (options.json === true) return 'json';
  return FORMATS.find((format) => format === options.format) ?? 'human';
}

/** A command may take other values under --lang as well; the last one that is a language of ours counts. */
export function chooseLanguage(options: OptionValues, env: TerminalSurroundings['env']): Language {
  return [options.lang].flat().findLast(isLanguage) ?? languageFromLocale(env);
}

export function describeTerminal(options: OptionValues, around: TerminalSurroundings): Terminal {
  const { env, stdout } = around;
  const columns = stdout.columns ?? Number.parseInt(env.COLUMNS ?? '', 10);
  return {
    // In this order: to look at stdin is to open it, and most commands have no use for it.
    interactive: stdout.isTTY === true && !isUnattended(options, env) && around.stdin().isTTY === true,
    color: wantsColor(options, env, stdout.isTTY === true),
    width: columns > 0 ? columns : Number.POSITIVE_INFINITY,
  };
}

/** Build servers give a terminal and set CI: nobody sits there. */
export function isUnattended(options: OptionValues, { CI = '' }: TerminalSurroundings['env']): boolean {
  return options['non-interactive'] === true || !['', '0', 'false', 'no', 'off'].includes(CI.trim().toLowerCase());
}

function wantsColor(options: OptionValues, env: TerminalSurroundings['env'], isTerminal: boolean): boolean {
  if (options['no-color'] === true || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTerminal && env.TERM !== 'dumb';
}
