// Values of parameters against what a skill declares: the text a script will see, or why it will see none.
import { Fault } from '../base/errors.ts';
import { type Json, parseJson } from '../base/json.ts';
import { nearest, visible } from '../base/text.ts';
import { outsideRange } from './range.ts';
import type { Param } from './skill.ts';

const EXPECTED: Readonly<Partial<Record<Param['type'], (text: string) => boolean>>> = {
  number: (text) => /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text),
  integer: (text) => /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)),
  boolean: (text) => text === 'true' || text === 'false',
  url: (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && !/\s/.test(text),
  email: (text) => text.length <= 254 && /^[^\s@<>"']+@[^\s@<>"']+\.[^\s@<>"'.]+$/.test(text),
  file: (text) => text !== '',
  path: (text) => text !== '',
};

/** The text of a value, checked. Throws a Fault that names the parameter. */
export function readText(param: Param, given: Json): string {
  if (given === null || typeof given === 'object')
    throw invalid(param.name, { en: 'takes one value', zh: '只接受单个值' });
  const text = String(given);
  checkText(param.name, text);
  const fits = EXPECTED[param.type];
  if (fits && !fits(text)) throw invalid(param.name, { en: `is no ${param.type}`, zh: `不是 ${param.type}` }, text);
  if (param.enum && !param.enum.some((choice) => String(choice) === text)) throw notOffered(param, text);
  checkRange(param, text);
  return text;
}

/** Throws a Fault for a value outside the range its parameter declares. */
export function checkRange(param: Param, value: Json): void {
  const outside = outsideRange(param, value);
  if (outside) throw invalid(param.name, outside, typeof value === 'string' ? value : JSON.stringify(value));
}

/** `key=value` as typed, in the type the action declares; without one, JSON where it is JSON and text otherwise. */
export function readTyped(param: Param | undefined, text: string): Json {
  if (param === undefined) return guess(text);
  readText(param, text);
  if (param.type === 'number' || param.type === 'integer') return Number(text);
  return param.type === 'boolean' ? text === 'true' : text;
}

/** Throws a Fault for names nobody declared, with the nearest that somebody did. */
export function refuseUnknown(given: Iterable<string>, known: readonly string[]): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const [near] = nearest(name, known);
    const shown = visible(name);
    throw new Fault(
      'ParamInvalid',
      { en: `there is no parameter ${shown}`, zh: `没有参数 ${shown}` },
      {
        details: { param: name, known },
        hint:
          near === undefined
            ? { en: `It takes ${known.join(', ') || 'none'}.`, zh: `可用参数: ${known.join('、') || '无'}。` }
            : { en: `Did you mean ${near}?`, zh: `您是否想输入 ${near}？` },
      },
    );
  }
}

export function invalid(name: string, reason: { en: string; zh: string }, value?: string): Fault {
  const shown = value === undefined ? '' : `: ${visible(value.slice(0, 100))}`;
  return new Fault(
    'ParamInvalid',
    { en: `${name} ${reason.en}${shown}`, zh: `${name} ${reason.zh}${shown}` },
    { details: { param: name } },
  );
}

// What cannot be handed over as it is, is not handed over at all.
function checkText(name: string, text: string): void {
  if (text.includes('\0')) throw invalid(name, { en: 'holds a zero byte', zh: '含有空字节' });
  if (!text.isWellFormed()) throw invalid(name, { en: 'is broken Unicode', zh: '不是完整的 Unicode 文本' });
}

function notOffered({ name, enum: choices = [] }: Param, text: string): Fault {
  const list = choices.map(String).map(visible).join(', ');
  return invalid(name, { en: `must be one of ${list}`, zh: `须为 ${list} 之一` }, text);
}

function guess(text: string): Json {
  if (!/^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d+)?|[[{].*[\]}]|".*")$/s.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
