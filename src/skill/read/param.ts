// `params` and `actions`: written as a map or as a list, read into one shape.
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { nearest } from '../../base/text.ts';
import { RANGE_WORDS, readPattern, readRange } from '../range.ts';
import { PARAM_TYPES, type Param, type ParamType, type SkillAction } from '../skill.ts';
import { isCollection, textOf } from '../value-text.ts';

/** Called with what was wrong; the part is left out or read as text. */
export type Complain = (message: Text) => void;

const ALIASES: Readonly<Record<string, ParamType>> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  uri: 'url',
};
const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;

/** `{x: {required: true}}`, `[{name: x}]` or `[x]`; undefined where the value is none of them. */
export function readParams(value: unknown, complain: Complain): Param[] | undefined {
  return readNamed(value, { en: 'parameter', zh: '参数' }, complain)?.map(({ name, body }) =>
    readParam(name, body, complain),
  );
}

/** `{a: text}`, `{a: {params: …}}`, `[{name: a}]` or `[a]`. */
export function readActions(value: unknown, complain: Complain): SkillAction[] | undefined {
  return readNamed(value, { en: 'action', zh: '操作' }, complain)?.map(({ name, body }) => {
    const fields = isRecord(body) ? body : { description: body };
    const params = fields.params === undefined ? [] : (readParams(fields.params, complain) ?? []);
    return { name, ...textField('description', fields.description), params };
  });
}

interface Named {
  readonly name: string;
  readonly body: unknown;
}

function readNamed(value: unknown, what: Text, complain: Complain): Named[] | undefined {
  const named = listNamed(value);
  if (named === undefined)
    complain({
      en: `Write the ${what.en}s as a map or as a list with a name each.`,
      zh: `${what.zh}请写成映射，或每项带名称的列表。`,
    });
  const seen = new Set<string>();
  return named?.filter(({ name }) => {
    const isGood = NAME.test(name) && !seen.has(name);
    if (!isGood)
      complain({
        en: `Give each ${what.en} its own name of letters, digits, - and _.`,
        zh: `每个${what.zh}须有各自的名称，由字母、数字、- 与 _ 组成。`,
      });
    seen.add(name);
    return isGood;
  });
}

function listNamed(value: unknown): Named[] | undefined {
  if (isRecord(value)) return Object.entries(value).map(([name, body]) => ({ name, body }));
  if (!Array.isArray(value)) return undefined;
  return value.map((item: unknown) => {
    if (!isRecord(item)) return { name: typeof item === 'string' ? item : '', body: undefined };
    const [only, ...more] = Object.entries(item);
    // `- x: {…}` is a list of one-field maps.
    if (only && more.length === 0 && only[0] !== 'name') return { name: only[0], body: only[1] };
    return { name: typeof item.name === 'string' ? item.name : '', body: item };
  });
}

function readParam(name: string, body: unknown, complain: Complain): Param {
  const fields = isRecord(body) ? body : typeof body === 'string' ? shorthand(body) : {};
  const fallback = fields.default;
  if (fields.required !== undefined && typeof fields.required !== 'boolean') {
    complain({
      en: `Write required of ${name} as true or false; it was read as true.`,
      zh: `${name} 的 required 请写 true 或 false；目前按 true 读取。`,
    });
  }
  for (const word of Object.keys(fields)) if (!WORDS.includes(word)) complain(unknownWord(name, word));
  const type = typeOf(name, fields.type, complain);
  return {
    name,
    type,
    required: fields.required === undefined ? false : fields.required !== false,
    ...(fields.required === false && { optional: true }),
    ...(isScalar(fallback) && { default: fallback }),
    ...choices(name, fields.enum, complain),
    ...readRange(name, fields, type, complain),
    ...readPattern(name, fields.pattern, type, complain),
    ...textField('description', fields.description),
    ...((fields['allow-dash'] ?? fields.allowDash) === true && { allowDash: true }),
  };
}

/** What is read, and what only explains. */
const WORDS: readonly string[] = [
  ...[
    'name',
    'type',
    'required',
    'default',
    'enum',
    'description',
    'allow-dash',
    'allowDash',
    'pattern',
    ...RANGE_WORDS,
  ],
  ...['title', 'label', 'placeholder', 'example', 'examples', 'deprecated'],
];

function unknownWord(name: string, word: string): Text {
  const [near] = nearest(word, WORDS);
  const meant = near === undefined ? { en: '', zh: '' } : { en: ` Did you mean ${near}?`, zh: `您是否想写 ${near}？` };
  return {
    en: `${word} of ${name} is not known here and is not checked.${meant.en}`,
    zh: `${name} 的 ${word} 无法识别，不会检查。${meant.zh}`,
  };
}

function shorthand(text: string): Record<string, unknown> {
  return isType(text) || Object.hasOwn(ALIASES, text) ? { type: text } : { description: text };
}

function typeOf(name: string, value: unknown, complain: Complain): ParamType {
  if (value === undefined) return 'string';
  const type = typeof value === 'string' ? (Object.hasOwn(ALIASES, value) ? ALIASES[value] : value) : '';
  if (isType(type)) return type;
  const known = PARAM_TYPES.join(', ');
  complain({
    en: `Use one of ${known} as type of ${name}; it was read as string.`,
    zh: `${name} 的类型请使用 ${known} 之一；目前按 string 读取。`,
  });
  return 'string';
}

function isType(value: unknown): value is ParamType {
  return PARAM_TYPES.some((type) => type === value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A list or a map among the choices stays there as text that nobody would give: it must not widen what is allowed. */
function choices(name: string, value: unknown, complain: Complain): { enum?: (string | number)[] } {
  if (!Array.isArray(value)) return {};
  if (value.some(isCollection))
    complain({
      en: `Write the choices in enum of ${name} as single values.`,
      zh: `${name} 的 enum 中的选项请写成单个值。`,
    });
  return { enum: value.map((choice: unknown) => (typeof choice === 'number' ? choice : textOf(choice))) };
}

function textField<Key extends string>(key: Key, value: unknown): { [key in Key]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [key]: value } as { [key in Key]: string }) : {};
}
