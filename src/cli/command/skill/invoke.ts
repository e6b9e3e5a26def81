// `invoke`: run a skill by its name, or get its text where it is one to read.
import { readAddressed } from '../../../app/skill/address.ts';
import { invokeSkill } from '../../../app/skill/invoke.ts';
import type { PendingOutcome } from '../../../base/outcome.ts';
import type { InvokeSkill } from '../../../door/call.ts';
import { PERSON } from '../../frame/ask-line.ts';
import { askMissing } from '../../frame/ask-missing.ts';
import { readAssignments } from '../../frame/assignment.ts';
import { APPLY_OPTION } from '../../frame/change/apply-option.ts';
import type { Command, CommandContext } from '../../frame/command.ts';
import { openPerson, PRIVATE_OPTION } from '../../frame/person.ts';
import { ASK_OPTION } from '../../frame/question/ask-option.ts';
import { readTimeout, TIMEOUT } from '../../frame/seconds.ts';
import { readSource, SOURCE } from '../../frame/skill-arguments.ts';
import { typedFrom } from '../../frame/typed-from.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { replyWith } from '../../view/outcome-reply.ts';

export const command: Command = {
  about: {
    en: 'A command skill runs in the sandbox with these parameters; a prompt skill answers with its text. Paths are meant from where you stand; a file you name yourself may lie outside the project. Nothing is ever installed.',
    zh: '命令技能以所给参数在沙箱中运行；提示词技能返回其文本。路径以当前所在目录为准；您亲自指定的文件可位于项目之外。不会安装任何内容。',
  },
  positionals: [
    {
      name: 'skill',
      required: true,
      skill: true,
      summary: { en: '@name, folder, org/name or user:name', zh: '@名称、目录、org/name 或 user:name' },
    },
    {
      name: 'input',
      many: true,
      summary: {
        en: 'the input (content or file), then parameters as key=value',
        zh: '输入（内容或文件），其后为 名称=值 形式的参数',
      },
    },
  ],
  options: [TIMEOUT, SOURCE, APPLY_OPTION, ASK_OPTION, PRIVATE_OPTION],
  examples: [
    'skillwright invoke @markdown-converter README.md',
    'skillwright invoke @markdown-converter notes.md format=text output=mybox/output/notes.txt',
  ],
  async run(context) {
    const { positionals, runtime, terminal } = context;
    using person = openPerson(context);
    const ask = person.asking((pending: PendingOutcome) => askMissing(pending, PERSON));
    const request = {
      call: readCall(context),
      text: positionals.join(' '),
      ...(terminal.interactive && { askMissing: ask }),
    };
    const outcome = await invokeSkill(request, runtime, person.caller);
    return replyWith(outcome, outcomeBody(outcome));
  },
};

function readCall(context: CommandContext): Omit<InvokeSkill, 'context'> {
  const { positionals, options, runtime } = context;
  const { skill, words } = readAddressed(positionals, () => runtime.index());
  const { values, others } = readAssignments(words);
  const [input, ...more] = others;
  const source = readSource(options);
  return {
    kind: 'invoke',
    skill,
    params: Object.fromEntries(values),
    byPerson: true,
    from: typedFrom(context),
    ...(input !== undefined && { input }),
    ...(more.length > 0 && { more }),
    ...(source && { source }),
    ...readTimeout(options),
  };
}
