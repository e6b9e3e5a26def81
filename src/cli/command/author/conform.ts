// `conform`: whether a skill keeps to the Skill protocol, found by calling it.
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language } from '../../../base/language.ts';
import { failedOutcome, makeOutcome, type Outcome } from '../../../base/outcome.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { type ConformFinding, type Conformity, conform } from '../../../door/conform.ts';
import { SOURCES } from '../../../skill/skill.ts';
import { type Command, type CommandContext, textOption } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';
import { replyWith, throughDoor } from '../../frame/through-door.ts';

export const command: Command = {
  about: {
    en: 'Musts are what the protocol asks for: one that fails makes this command fail. Advice is what a good skill does beyond it. Each action is run twice unless the skill says deterministic: false.',
    zh: '“必须”为协议要求，任一不满足则命令失败；“建议”为更好的做法。除非技能声明 deterministic: false，每个操作运行两次。',
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
    const source = SOURCES.find((known) => known === textOption(options, 'source'));
    let conformity: Conformity | undefined;
    const outcome = await throughDoor(context, { kind: 'conform', request: `conform ${skill}` }, async (door) => {
      const tried = { skill, context: door.context, byPerson: true, ...(source && { source }) };
      conformity = await conform(tried, door);
      return conformity.stopped?.state === 'interrupted'
        ? askFirst(context)
        : (conformity.stopped ?? conclude(conformity, runtime));
    });
    const human = conformity?.findings.map((finding) => render(finding, terminal, runtime.language)).join('\n');
    return { ...replyWith(outcome, human ?? ''), ...(human && { human }) };
  },
};

/** Nobody to ask: one yes is about all the calls, so no single one of them can be resumed. */
function askFirst(context: CommandContext): Outcome {
  const { runtime, positionals } = context;
  const shown = visible(positionals[0] ?? '');
  const question = { en: `run ${shown} several times, to try it?`, zh: `多次运行 ${shown} 以检验？` };
  return makeOutcome(
    runtime.answering('skillwright', 'own'),
    'interrupted',
    { en: `a decision is needed: ${question.en}`, zh: `需要批准: ${question.zh}` },
    {
      type: 'ApprovalRequired',
      code: 'APPROVAL_REQUIRED',
      question: question[runtime.language],
      resume_command: commandLine('conform', command, context, ['--yes']),
    },
  );
}

function conclude({ skill, actions, findings }: Conformity, runtime: Runtime): Outcome {
  const by = runtime.answering('skillwright', 'own');
  const musts = findings.filter(({ level }) => level === 'must');
  const failed = musts.filter(({ ok }) => !ok);
  const advice = findings.filter(({ level, ok }) => level === 'advice' && !ok);
  const data = {
    skill,
    actions,
    results: findings.map(({ title: _title, ...finding }) => finding),
    passed: musts.length - failed.length,
    failed: failed.length,
    advice: advice.length,
  };
  const shown = visible(skill);
  if (failed.length > 0) {
    const detail = {
      en: `${shown} breaks ${failed.length} of ${musts.length} musts`,
      zh: `${shown} 有 ${failed.length}/${musts.length} 项“必须”未满足`,
    };
    return failedOutcome(by, new Fault('CheckFailed', detail), data);
  }
  const rest =
    advice.length === 0 ? { en: '', zh: '' } : { en: `, ${advice.length} advice`, zh: `，${advice.length} 条建议` };
  return makeOutcome(
    by,
    'success',
    { en: `${shown} keeps to the protocol${rest.en}`, zh: `${shown} 符合协议${rest.zh}` },
    data,
  );
}

const LEVELS = { must: { en: 'must  ', zh: '必须' }, advice: { en: 'advice', zh: '建议' } } as const;

function render({ title, level, ok, detail }: ConformFinding, terminal: Terminal, language: Language): string {
  const mark = ok
    ? paint('✓', 'green', terminal)
    : paint(level === 'must' ? '✗' : '!', level === 'must' ? 'red' : 'yellow', terminal);
  const more = detail === undefined ? '' : `\n      ${visible(detail)}`;
  return `  ${mark} ${LEVELS[level][language]} ${visible(title[language])}${more}`;
}
