// `conform`: whether a skill keeps to the Skill protocol, found by calling it.
import { checkProtocol } from '../../../app/skill/conform.ts';
import { inLanguage, type Language } from '../../../base/language.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { ConformFinding } from '../../../door/conform.ts';
import type { Command } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';
import { openPerson } from '../../frame/person.ts';
import { readSource, SOURCE } from '../../frame/skill-arguments.ts';
import { replyWith } from '../../view/outcome-reply.ts';

export const command: Command = {
  about: {
    en: 'Musts are what the protocol asks for: one that fails makes this command fail. Advice is what a good skill does beyond it. Each action is run twice unless the skill says deterministic: false; where none is declared, those that describe, supported_actions or the script itself name.',
    zh: '“必须”为协议要求，任一不满足则命令失败；“建议”为更好的做法。除非技能声明 deterministic: false，每个操作运行两次；未声明操作时，取 describe、supported_actions 或脚本中提到的操作。',
  },
  positionals: [
    {
      name: 'target',
      required: true,
      skill: true,
      summary: { en: 'a protocol skill, or role/skill', zh: '协议技能，或 角色/技能' },
    },
  ],
  options: [SOURCE],
  examples: ['skillwright conform csv-insights --yes', 'skillwright conform analyst/build_analysis --json'],
  async run(context) {
    const { positionals, options, runtime, terminal } = context;
    const [skill = ''] = positionals;
    const source = readSource(options);
    const resumeCommand = commandLine('conform', command, context, ['--yes']);
    const request = { skill, ...(source && { source }), byPerson: true, resumeCommand };
    using person = openPerson(context);
    const { outcome, findings } = await checkProtocol(request, runtime, person.caller);
    const human = findings.map((finding) => render(finding, terminal, runtime.language)).join('\n');
    return { ...replyWith(outcome, human), ...(human !== '' && { human }) };
  },
};

const LEVELS = { must: { en: 'must  ', zh: '必须' }, advice: { en: 'advice', zh: '建议' } } as const;

function render({ title, level, ok, detail }: ConformFinding, terminal: Terminal, language: Language): string {
  const mark = ok
    ? paint('✓', 'green', terminal)
    : paint(level === 'must' ? '✗' : '!', level === 'must' ? 'red' : 'yellow', terminal);
  const more = detail === undefined ? '' : `\n      ${visible(inLanguage(detail, language))}`;
  return `  ${mark} ${LEVELS[level][language]} ${visible(title[language])}${more}`;
}
