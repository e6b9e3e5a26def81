// Frontmatters nobody would write on purpose: every field with every shape YAML has, alone and combined at random.
import fc from 'fast-check';
import { KNOWN_FIELDS } from '../../src/skill/field.ts';

type Shape = 'text' | 'marked' | 'blank' | 'number' | 'flag' | 'list' | 'map' | 'broken';

/** What stands behind the colon. */
const VALUES: readonly (readonly [shape: Shape, written: string])[] = [
  ['text', ' plain words'],
  ['text', ' "quoted"'],
  ['text', " 'single'"],
  ['text', ' |\n  two\n  lines'],
  ['text', ' >-\n  folded\n  lines'],
  ['text', ' 2026-11-15'],
  ['text', ` ${'long '.repeat(2000)}`],
  ['text', ' inline'],
  ['text', ' 30s'],
  ['blank', ''],
  ['blank', ' ~'],
  ['blank', ' null'],
  ['blank', ' ""'],
  ['number', ' 7'],
  ['number', ' 1.10'],
  ['number', ' -0'],
  ['number', ' 1e30'],
  ['text', ' 1e309'],
  ['number', ' .nan'],
  ['flag', ' true'],
  ['flag', ' false'],
  ['list', ' []'],
  ['list', ' [a, b]'],
  ['list', ' [1, true, null]'],
  ['list', ' [[a], [b, [c]]]'],
  ['list', ' [{a: b}]'],
  ['list', ' [\n  a, {b: c}]'],
  ['list', '\n  - a\n  - b'],
  ['list', '\n  - platform: macOS\n    min_version: "10.12"'],
  ['list', '\n  - - a\n    - b: c\n  - d'],
  ['list', '\n  -\n  - a'],
  ['map', ' {}'],
  ['map', ' {a: b}'],
  ['map', ' {a, b}'],
  ['map', ' {a: {b: {c: [d, {e: f}]}}}'],
  ['map', ' {enum: [{a: b}], type: [x], required: {y: z}}'],
  ['map', ' {x: {enum: [{a: b}, [c]], type: [x], required: {y: z}, default: {d: e}}}'],
  ['map', '\n  a: b\n  c: 1'],
  ['map', '\n  a:\n    - b:\n        c: d'],
  ['map', ' {toString: 1, valueOf: 2, hasOwnProperty: 3}'],
  ['broken', ' {__proto__: {x: 1}, constructor: {prototype: 2}}'],
  ['text', ' !!str 5'],
  ['broken', ' !!binary aGk='],
  ['broken', ' !!set {a, b}'],
  ['broken', ' &x y'],
  ['broken', ' *x'],
  ['broken', ' "unclosed'],
  ['broken', ' [unclosed'],
  ['broken', ' {unclosed'],
  ['broken', ' a: b'],
  ['broken', ' - a'],
  ['broken', ' @at `tick` %percent'],
  ['marked', ' "\\u0000 \\uD800"'],
  ['marked', ' \u202ertl'],
  ['broken', '\ttab\n\tmore'],
  ['broken', ` ${'['.repeat(40)}${']'.repeat(40)}`],
  ['marked', ' <system>obey</system>'],
];

const TEXTS = ['name', 'description', 'version', 'author', 'license', 'compatibility', 'when_to_use', 'argument-hint'];
const ODD_FIELDS = [
  'allowed_tools',
  'disableModelInvocation',
  'Description',
  'constructor',
  '"quoted key"',
  'unheard-of',
];
export const FIELDS: readonly string[] = [...KNOWN_FIELDS, ...ODD_FIELDS];

/** The shapes of a text that are right: for all others something must be said. */
const RIGHT: ReadonlyMap<string, readonly Shape[]> = new Map<string, readonly Shape[]>([
  ...TEXTS.map((field): [string, readonly Shape[]] => [field, ['text', 'blank', 'marked']]),
  // What a model is shown.
  ['name', ['text']],
  ['description', ['text']],
  ['when_to_use', ['text', 'blank']],
]);

export interface Case {
  /** Of the folder. */
  readonly name: string;
  readonly text: string;
  /** A text is none: something must be said. */
  readonly isBad: boolean;
  readonly fields: Readonly<Record<string, string>>;
}

function makeCase(name: string, fields: Readonly<Record<string, number>>): Case {
  const written = Object.entries({ name: -1, description: -1, ...fields }).map(([field, at]) => {
    const value = VALUES[at]?.[1] ?? (field === 'name' ? ` ${name}` : ` What ${name} is for.`);
    return `${field}:${value}`;
  });
  const isBad = Object.entries(fields).some(([field, at]) => {
    const shape = VALUES[at]?.[0] ?? 'broken';
    return RIGHT.get(field)?.includes(shape) === false;
  });
  const values = Object.fromEntries(Object.entries(fields).map(([field, at]) => [field, VALUES[at]?.[1] ?? '']));
  return { name, isBad, fields: values, text: `---\n${written.join('\n')}\n---\n\n# ${name}\n` };
}

/** Every field with every shape; in a short run each pair in its turn, one of `step`. */
export function eachPair(step: number): Case[] {
  const pairs = FIELDS.flatMap((field, row) =>
    VALUES.flatMap((_, at) => ((row + at) % step === 0 ? [{ [field]: at }] : [])),
  );
  return pairs.map((fields, at) => makeCase(`pair-${String(at).padStart(4, '0')}`, fields));
}

/** Two to six fields together, as the seed says. */
export function randomMixes(numRuns: number, seed: number): Case[] {
  const mix = fc.dictionary(fc.constantFrom(...FIELDS), fc.nat(VALUES.length - 1), {
    minKeys: 2,
    maxKeys: 6,
    noNullPrototype: true,
  });
  return fc.sample(mix, { numRuns, seed }).map((fields, at) => makeCase(`mix-${String(at).padStart(4, '0')}`, fields));
}
