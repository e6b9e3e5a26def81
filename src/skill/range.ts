// What the value of a parameter may be beside its type: the smallest and the largest number, the length and form of a text.
import type { Text } from '../base/language.ts';
import type { Param, ParamType } from './skill.ts';

export type ParamRange = Pick<Param, 'minimum' | 'maximum' | 'minLength' | 'maxLength'>;

const NUMBERS = ['minimum', 'maximum'] as const;
const LENGTHS = ['minLength', 'maxLength'] as const;

/** Words of a parameter that say something about its value. */
export const RANGE_WORDS: readonly string[] = [...NUMBERS, ...LENGTHS];

/** Each bound that is a number and fits the type; the others are complained about, since nobody would check them. */
export function readRange(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  type: ParamType,
  complain: (message: Text) => void,
): ParamRange {
  const isNumber = type === 'number' || type === 'integer';
  const wanted = isNumber ? NUMBERS : type === 'boolean' ? [] : LENGTHS;
  const range: Record<string, number> = {};
  for (const word of RANGE_WORDS) {
    const value = fields[word];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !Number.isFinite(value)) complain(notANumber(name, word));
    else if (!wanted.some((one) => one === word)) complain(notForType(name, word, type));
    else range[word] = value;
  }
  const [least, most] = isNumber ? [range.minimum, range.maximum] : [range.minLength, range.maxLength];
  if (least !== undefined && most !== undefined && least > most) complain(nothingFits(name));
  return range;
}

/** An expression for a text; whether it can be used is found out by linters and where a value is given. */
export function readPattern(
  name: string,
  value: unknown,
  type: ParamType,
  complain: (message: Text) => void,
): Pick<Param, 'pattern'> {
  if (value === undefined) return {};
  const isText = type !== 'number' && type !== 'integer' && type !== 'boolean';
  if (typeof value === 'string' && isText) return { pattern: value };
  complain(isText ? notAText(name) : notForType(name, 'pattern', type));
  return {};
}

/** Why a value lies outside; undefined where it does not, or where its type is wrong, which others say. */
export function outsideRange({ minimum, maximum, minLength, maxLength }: ParamRange, value: unknown): Text | undefined {
  const size = typeof value === 'string' ? Array.from(value).length : 0;
  const number = Number(value);
  if (minimum !== undefined && number < minimum)
    return { en: `must be at least ${minimum}`, zh: `不得小于 ${minimum}` };
  if (maximum !== undefined && number > maximum) return { en: `must be at most ${maximum}`, zh: `不得大于 ${maximum}` };
  if (minLength !== undefined && size < minLength)
    return { en: `must have at least ${minLength} characters`, zh: `不得少于 ${minLength} 个字符` };
  if (maxLength !== undefined && size > maxLength)
    return { en: `must have at most ${maxLength} characters`, zh: `不得多于 ${maxLength} 个字符` };
  return undefined;
}

/** A number that lies inside. */
export function numberInside({ minimum, maximum }: ParamRange): number {
  return Math.min(Math.max(1, minimum ?? 1), maximum ?? Number.POSITIVE_INFINITY);
}

function notANumber(name: string, word: string): Text {
  return {
    en: `Write ${word} of ${name} as a number; it was left out.`,
    zh: `${name} 的 ${word} 请写成数字；目前未采用。`,
  };
}

function notAText(name: string): Text {
  return {
    en: `Write pattern of ${name} as a text in quotes; it was left out.`,
    zh: `${name} 的 pattern 请写成引号中的文本；目前未采用。`,
  };
}

function notForType(name: string, word: string, type: ParamType): Text {
  return {
    en: `${word} says nothing about the ${type} ${name}; it was left out.`,
    zh: `${word} 不适用于 ${type} 类型的 ${name}；目前未采用。`,
  };
}

function nothingFits(name: string): Text {
  return { en: `No value of ${name} can fit: its range is empty.`, zh: `${name} 的取值范围为空，没有可用的值。` };
}
