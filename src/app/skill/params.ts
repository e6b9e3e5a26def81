// Parameters of an action as somebody wrote them: each takes the type the action declares.
import { Fault } from '../../base/errors.ts';
import { isRecord, type Json, parseJson } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import type { CallAction } from '../../door/call.ts';
import type { Door } from '../../door/door.ts';
import { declaredParams } from '../../door/kind/action.ts';
import type { Param } from '../../skill/skill.ts';
import { readTyped } from '../../skill/value.ts';

export interface WrittenParams {
  /** Those that have a type already. */
  readonly given?: Readonly<Record<string, Json>> | undefined;
  /** One JSON object; these win over those. */
  readonly json?: string | undefined;
  /** `key=value`; these win over all. */
  readonly written: ReadonlyMap<string, string>;
  /** A word that assigns nothing. */
  readonly stray?: string | undefined;
}

/** Throws a Fault that names the parameters there are. */
export async function typeParams(
  { given, json, written, stray }: WrittenParams,
  target: Pick<CallAction, 'skill' | 'source' | 'action'>,
  door: Door,
): Promise<Record<string, Json>> {
  if (stray !== undefined) throw notAssigned(stray, await declaredParams(target, door));
  const params: Record<string, Json> = { ...given, ...readObject(json) };
  const declared = written.size === 0 ? [] : await declaredParams(target, door);
  for (const [name, value] of written) {
    params[name] = readTyped(
      declared.find((param) => param.name === name),
      value,
    );
  }
  return params;
}

const AS_OBJECT = {
  en: "A JSON object is given as --params '{…}'.",
  zh: "JSON 对象请写成 --params '{…}'。",
};

/** Where an action needs one thing only, the lone word was meant for it. */
function notAssigned(word: string, declared: readonly Param[]): Fault {
  const shown = visible(word);
  const needed = declared.filter((param) => param.required);
  const [meant] = needed.length === 1 ? needed : [];
  const names = declared.map(({ name }) => visible(name)).join(', ');
  const detail = { en: `not key=value: ${shown}`, zh: `不是 名称=值: ${shown}` };
  if (word.startsWith('{')) return new Fault('Usage', detail, { hint: AS_OBJECT });
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
    if (isRecord(value)) return value;
  } catch (error) {
    throw new Fault('InvalidJson', `--params: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
  throw new Fault('InvalidJson', { en: '--params is not an object', zh: '--params 不是对象' });
}
