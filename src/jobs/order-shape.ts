// Validates an order for `executeSkill` and its options at run time: plain JavaScript callers have no compiler.
import { Fault } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { nearest, visible } from '../base/text.ts';

interface Key {
  readonly fits: (value: unknown) => boolean;
  /** The expected type. */
  readonly takes: Text;
  readonly needed?: boolean;
}

type Keys = Readonly<Record<string, Key>>;

const RECORD: Text = { en: 'an object', zh: '对象' };
const FUNCTION: Key = { fits: (value) => typeof value === 'function', takes: { en: 'a function', zh: '函数' } };
const BOOLEAN: Key = { fits: (value) => typeof value === 'boolean', takes: { en: 'true or false', zh: '布尔值' } };
const NAME: Key = {
  fits: (value) => typeof value === 'string' && value !== '',
  takes: { en: 'a text that is not empty', zh: '非空文本' },
  needed: true,
};

const ORDER: Keys = {
  agent_role: NAME,
  skill_name: NAME,
  action: NAME,
  params: { fits: isJsonObject, takes: { en: 'an object that JSON can hold', zh: '可用 JSON 表示的对象' } },
  context: {
    fits: (value) =>
      isRecord(value) && Object.values(value).every((one) => ['string', 'undefined'].includes(typeof one)),
    takes: { en: 'an object of texts', zh: '值为文本的对象' },
  },
  timeout: {
    fits: (value) => typeof value === 'number' && value > 0,
    takes: { en: 'a number of seconds above 0', zh: '大于 0 的秒数' },
  },
  signal: { fits: (value) => value instanceof AbortSignal, takes: { en: 'an AbortSignal', zh: 'AbortSignal' } },
};

const OPTIONS: Keys = {
  runtime: {
    fits: (value) => isRecord(value) && typeof value.answering === 'function',
    takes: { en: 'what `await createRuntime()` gives', zh: '`await createRuntime()` 的结果' },
  },
  ask: FUNCTION,
  yes: BOOLEAN,
  onProgress: FUNCTION,
  private: BOOLEAN,
};

/** The first key with an invalid value, and what is wrong with it. */
export function wrongOrder(order: unknown): Fault | undefined {
  return misshaped('order', order, ORDER);
}

export function wrongOptions(options: unknown): Fault | undefined {
  return misshaped('options', options, OPTIONS);
}

function misshaped(place: string, given: unknown, keys: Keys): Fault | undefined {
  if (!isRecord(given)) return mustBe(place, RECORD);
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(keys, key));
  if (unknown !== undefined) return notTaken(place, unknown, keys);
  const missing = Object.keys(keys).filter((key) => keys[key]?.needed && given[key] === undefined);
  if (missing.length > 0)
    return new Fault('ParamMissing', missing.join(', '), { details: { missing }, hint: takenBy(place, keys) });
  const wrong = Object.entries(keys).find(([key, { fits }]) => given[key] !== undefined && !fits(given[key]));
  return wrong && mustBe(wrong[0], wrong[1].takes);
}

function mustBe(key: string, { en, zh }: Text): Fault {
  return new Fault(
    'ParamInvalid',
    { en: `${key} must be ${en}`, zh: `${key} 须为${zh}` },
    { details: { param: key }, hint: DOCUMENTED },
  );
}

function notTaken(place: string, key: string, keys: Keys): Fault {
  const shown = visible(key);
  const near = nearest(key, Object.keys(keys)).join(', ');
  return new Fault(
    'ParamInvalid',
    { en: `${shown} is no key of the ${place}`, zh: `${place} 没有键 ${shown}` },
    {
      details: { param: key },
      hint: near === '' ? takenBy(place, keys) : { en: `Did you mean ${near}?`, zh: `您是否想用 ${near}？` },
    },
  );
}

function takenBy(place: string, keys: Keys): Text {
  const list = Object.keys(keys).join(', ');
  return { en: `The ${place} can have: ${list}.`, zh: `${place} 可有: ${list}。` };
}

const DOCUMENTED: Text = {
  en: 'The types of `executeSkill` say what each key takes.',
  zh: '`executeSkill` 的类型声明说明各键的取值。',
};

function isJsonObject(value: unknown): boolean {
  try {
    return isRecord(value) && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
