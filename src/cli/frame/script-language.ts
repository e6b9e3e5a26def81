// Which programming language a new script is asked in: --lang, which also takes the languages of the answer.
import { SCRIPT_LANGUAGES, type ScriptLanguage } from '../../app/author/new.ts';
import { LANGUAGES } from '../../base/language.ts';
import { type CommandContext, listOption, type Option } from './command.ts';

const SHORT_NAMES: Readonly<Record<string, ScriptLanguage>> = {
  py: 'python',
  ts: 'typescript',
  js: 'javascript',
  sh: 'bash',
};

export const LANGUAGE_OPTION: Option = {
  name: 'lang',
  value: 'LANG',
  many: true,
  choices: [...SCRIPT_LANGUAGES, ...Object.keys(SHORT_NAMES), ...LANGUAGES],
  summary: {
    en: 'programming language of the script, python unless given; en and zh choose the language of the answer',
    zh: '脚本的编程语言，默认 python；en 与 zh 为回答语言',
  },
};

/** The last one given. */
export function askedLanguage({ options }: CommandContext): ScriptLanguage | undefined {
  const asked = listOption(options, 'lang').map((word) => SHORT_NAMES[word] ?? word);
  return SCRIPT_LANGUAGES.findLast((language) => asked.includes(language));
}
