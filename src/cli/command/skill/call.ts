// `call`: one action of a skill that speaks the protocol, its own or a role's.
import { text } from 'node:stream/consumers';
import { missingAction } from '../../../app/missing-action.ts';
import type { OpenDoor } from '../../../app/open-door.ts';
import { Fault } from '../../../base/errors.ts';
import { isRecord, type Json, parseJson } from '../../../base/json.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { CallAction } from '../../../door/call.ts';
import { fail, nameFault } from '../../../door/fail.ts';
import { declaredParams } from '../../../door/kind/action.ts';
import { answering, perform } from '../../../door/perform.ts';
import { parseRequest, type RequestDraft } from '../../../protocol/request.ts';
import { type Param, SOURCES } from '../../../skill/skill.ts';
import { readTyped } from '../../../skill/value.ts';
import { readAssignments } from '../../frame/assignment.ts';
import { type Command, type CommandContext, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';
import { PRIVATE_OPTION, replyWith, throughDoor } from '../../frame/through-door.ts';
import { typedFrom } from '../../frame/typed-from.ts';
import { outcomeBody } from '../../view/outcome-body.ts';

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
    SOURCE,
    PRIVATE_OPTION,
  ],
  examples: [
    'skillwright call csv-insights analyze target=sales.csv',
    'skillwright call analyst/build_analysis daily_briefing --json',
    'echo \'{"action":"analyze","params":{"days":7}}\' | skillwright call analyst/build_analysis -',
  ],
  async run(context) {
    const [skill = '', action] = context.positionals;
    if (action === undefined) throw await missingAction(skill, context.runtime);
    const piped = action === '-' ? readRequest(await readInput()) : undefined;
    if (piped instanceof Fault) return replyWith(fail(context.runtime.answering('skills', 'call'), piped, {}, skill));
    const source = SOURCES.find((known) => known === textOption(context.options, 'source'));
    const target = { skill, action: piped?.action ?? action, ...(source && { source }) };
    const wanted = {
      kind: 'call',
      request: [skill, target.action, ...context.positionals.slice(2)].join(' '),
      ...(piped?.context && { ids: piped.context }),
    };
    const outcome = await throughDoor(context, wanted, async (door) => {
      try {
        const params = await readParams(context, target, piped, door);
        const typed = { byPerson: true, from: typedFrom(context), context: door.context };
        return await perform({ kind: 'call', ...target, params, ...typed }, door);
      } catch (error) {
        return failAsCall(error, skill, door);
      }
    });
    return replyWith(outcome, outcomeBody(outcome));
  },
};

/** A bad value is answered with the same names, whether it is found here or behind the door. */
function failAsCall(error: unknown, skill: string, door: OpenDoor): Outcome {
  const fault = nameFault(error);
  if (fault.type === 'Usage') throw fault;
  return fail(answering(door, { agent: 'skills', surface: 'call' }), fault, {}, skill);
}

const INPUT_LIMIT = 10 * 1024 * 1024;

async function readInput(): Promise<string> {
  const written = await text(process.stdin);
  if (written.length > INPUT_LIMIT) throw new Fault('OutputLimit', `${INPUT_LIMIT}`);
  return written;
}

function readRequest(written: string): RequestDraft | Fault {
  try {
    return parseRequest(written);
  } catch (error) {
    return nameFault(error);
  }
}

/** A whole request, then --params, then key=value: the later wins. */
export async function readParams(
  { positionals, options }: CommandContext,
  target: Pick<CallAction, 'skill' | 'source' | 'action'>,
  piped: RequestDraft | undefined,
  door: OpenDoor,
): Promise<Record<string, Json>> {
  const { values, others } = readAssignments(positionals.slice(2));
  const [extra] = others;
  if (extra !== undefined) throw notAssigned(extra, await declaredParams(target, door));
  const params: Record<string, Json> = { ...piped?.params, ...readObject(textOption(options, 'params')) };
  const declared = values.size === 0 ? [] : await declaredParams(target, door);
  for (const [name, written] of values) {
    params[name] = readTyped(
      declared.find((param) => param.name === name),
      written,
    );
  }
  return params;
}

/** Where an action needs one thing only, the lone word was meant for it. */
function notAssigned(word: string, declared: readonly Param[]): Fault {
  const shown = visible(word);
  const needed = declared.filter((param) => param.required);
  const [meant] = needed.length === 1 ? needed : [];
  const names = declared.map(({ name }) => visible(name)).join(', ');
  const detail = { en: `not key=value: ${shown}`, zh: `不是 名称=值: ${shown}` };
  if (names === '') return new Fault('Usage', detail);
  const hint = meant
    ? { en: `Write ${visible(meant.name)}=${shown}`, zh: `请写成 ${visible(meant.name)}=${shown}` }
    : { en: `Parameters: ${names}.`, zh: `参数: ${names}。` };
  return new Fault('Usage', detail, { hint });
}

function readObject(written: string | undefined): Record<string, Json> {
  if (written === undefined) return {};
  try {
    const value = parseJson(written);
    if (isRecord(value)) return value as Record<string, Json>;
  } catch (error) {
    throw new Fault('InvalidJson', `--params: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
  throw new Fault('InvalidJson', { en: '--params is not an object', zh: '--params 不是对象' });
}
