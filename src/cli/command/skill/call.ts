// `call`: one action of a skill that speaks the protocol, its own or a role's.
import { text } from 'node:stream/consumers';
import { missingAction } from '../../../app/missing-action.ts';
import { callSkill, readWholeRequest } from '../../../app/skill/call.ts';
import type { WrittenParams } from '../../../app/skill/params.ts';
import { Fault } from '../../../base/errors.ts';
import { readAssignments } from '../../frame/assignment.ts';
import { APPLY_OPTION } from '../../frame/change/apply-option.ts';
import { type Command, type CommandContext, textOption } from '../../frame/command.ts';
import { openPerson, PRIVATE_OPTION } from '../../frame/person.ts';
import { ASK_OPTION } from '../../frame/question/ask-option.ts';
import { readTimeout, TIMEOUT } from '../../frame/seconds.ts';
import { readSource, SOURCE } from '../../frame/skill-arguments.ts';
import { typedFrom } from '../../frame/typed-from.ts';
import { outcomeBody } from '../../view/outcome-body.ts';
import { replyWith } from '../../view/outcome-reply.ts';

export const command: Command = {
  about: {
    en: 'Parameters take the type the action declares; without a declaration, numbers, true, false and JSON are read as such. Declared files and paths are meant from where you stand.',
    zh: '参数按操作声明的类型读取；未声明时，数字、true、false 与 JSON 按其本义读取。声明为文件或路径的参数以当前所在目录为准。',
  },
  positionals: [
    {
      name: 'target',
      required: true,
      skill: true,
      summary: { en: 'role/skill, or a skill', zh: '角色/技能，或技能' },
    },
    {
      name: 'action',
      action: true,
      summary: {
        en: 'the action, or - for a whole request on stdin; without it you are told which there are',
        zh: '操作；- 表示从 stdin 读取完整请求；省略时列出可用操作',
      },
    },
    { name: 'params', many: true, summary: { en: 'key=value', zh: '名称=值' } },
  ],
  options: [
    { name: 'params', value: 'JSON', summary: { en: 'parameters as one JSON object', zh: '以一个 JSON 对象给出参数' } },
    TIMEOUT,
    SOURCE,
    APPLY_OPTION,
    ASK_OPTION,
    PRIVATE_OPTION,
  ],
  examples: [
    'skillwright call csv-insights analyze target=sales.csv',
    'skillwright call analyst/build_analysis daily_briefing --json',
    'echo \'{"action":"analyze","params":{"days":7}}\' | skillwright call analyst/build_analysis -',
  ],
  async run(context) {
    const { positionals, options, runtime } = context;
    const [skill = '', word] = positionals;
    if (word === undefined) throw await missingAction(skill, textOption(options, 'source'), runtime);
    const piped = word === '-' ? readWholeRequest(await readInput(), skill, runtime) : undefined;
    if (piped && 'refused' in piped) return replyWith(piped.refused);
    const source = readSource(options);
    const action = piped?.action ?? word;
    const request = {
      skill,
      action,
      ...(source && { source }),
      ...readTimeout(options),
      byPerson: true,
      from: typedFrom(context),
      params: readParams(context, piped),
      text: [skill, action, ...positionals.slice(2)].join(' '),
      ids: piped?.context,
      notes: piped?.notes,
    };
    using person = openPerson(context);
    const outcome = await callSkill(request, runtime, person.caller);
    return replyWith(outcome, outcomeBody(outcome));
  },
};

const INPUT_LIMIT = 10 * 1024 * 1024;

async function readInput(): Promise<string> {
  const written = await text(process.stdin);
  if (written.length > INPUT_LIMIT) throw new Fault('OutputLimit', `${INPUT_LIMIT}`);
  return written;
}

/** A whole request, then --params, then key=value: the later wins. */
export function readParams(
  { positionals, options }: CommandContext,
  piped?: { readonly params?: WrittenParams['given'] },
): WrittenParams {
  const { values, others } = readAssignments(positionals.slice(2));
  return { given: piped?.params, json: textOption(options, 'params'), written: values, stray: others[0] };
}
