// A case as people write it. Loaded only when suites are read: zod is not free.
import { z } from 'zod';
import zhCN from 'zod/v4/locales/zh-CN.js';
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { STATES } from '../../base/outcome.ts';
import { nearest, visible } from '../../base/text.ts';
import { matcherShape } from '../matcher/match.ts';
import { INSIDE_PROJECT, oneOrMore, relativePath } from '../matcher/written.ts';
import type { StepPattern } from './case.ts';

const ONE_RULE: Text = { en: 'one rule in each entry is expected', zh: '每个条目应恰有一条规则' };
const INPUT_OR_TURNS: Text = { en: 'input or turns is expected', zh: '应有 input 或 turns 之一' };

const words = oneOrMore(z);
const amount = z.number().nonnegative();

const stepObject = z.strictObject({
  step: z.string().min(1),
  skill: z.string().min(1).optional(),
  status: z.string().min(1).optional(),
});
/** `run_script`, or `run_script:skill`. */
const step = z.union([z.string().min(1).transform(readStep), stepObject]);
const steps = z.array(step).min(1);
const pair = z.array(step).length(2);

export const stepRule = z
  .strictObject({
    exact: z.array(step).optional(),
    in_order: steps.optional(),
    any_order: steps.optional(),
    before: pair.optional(),
    immediately_after: pair.optional(),
    never_sequence: z.array(step).min(2).optional(),
    count: z
      .strictObject({
        ...stepObject.shape,
        min: z.int().nonnegative().optional(),
        max: z.int().nonnegative().optional(),
      })
      .optional(),
    never: step.optional(),
    denied: step.optional(),
    args_match: z
      .strictObject({ ...stepObject.shape, regex: z.string().min(1).optional(), subset: z.json().optional() })
      .optional(),
    status: z.strictObject({ ...stepObject.shape, is: z.string().min(1) }).optional(),
    no_repeat: z.int().positive().optional(),
  })
  .refine((rule) => Object.keys(rule).length === 1, ONE_RULE.en);

const plainMatcher = z.strictObject(matcherShape(z));
const matcher = plainMatcher.extend({ not: plainMatcher.optional() });

const skillList = z.strictObject({
  required: words.optional(),
  any_of: words.optional(),
  forbidden: words.optional(),
  none: z.boolean().optional(),
  exact: z.boolean().optional(),
});
export const skills = z.union([z.array(z.string().min(1)), skillList]);
export const output = z.union([z.string().min(1), z.array(z.union([z.string().min(1), matcher])), matcher]);
export const rules = z.array(z.union([z.string().min(1), stepRule]));

export const writtenCase = z
  .strictObject({
    id: z.string().min(1).max(200).optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    input: z.string().min(1).optional(),
    turns: z.array(z.string().min(1)).min(1).optional(),
    files: z.record(relativePath(z), z.string()).optional(),
    setup: z.strictObject({ budget: z.record(z.string(), amount).optional() }).optional(),
    expected: z
      .strictObject({
        skills: skills.optional(),
        steps: rules.optional(),
        output: output.optional(),
        state: z.enum(STATES).optional(),
        exhausted: z.string().optional(),
      })
      .optional(),
    skills: skills.optional(),
    steps: rules.optional(),
    output: output.optional(),
    constraints: z
      .strictObject({
        max_turns: amount.optional(),
        max_tool_calls: amount.optional(),
        max_script_runs: amount.optional(),
        max_tokens: amount.optional(),
        max_seconds: amount.optional(),
        max_cost: amount.optional(),
        forbidden_tools: z.array(z.string().min(1)).optional(),
        required_tools: z.array(z.string().min(1)).optional(),
      })
      .optional(),
    mock: z
      .array(z.union([z.string(), z.record(z.string(), z.json())]))
      .min(1)
      .optional(),
    repeat: z.int().min(1).max(1000).optional(),
    pass: z.union([z.enum(['all', 'majority', 'any']), z.number().gt(0).max(1)]).optional(),
    tags: z.array(z.string().min(1)).optional(),
  })
  .refine(({ input, turns }) => (input === undefined) !== (turns === undefined), INPUT_OR_TURNS.en);

export type Written = z.output<typeof writtenCase>;

export interface CaseIssue {
  readonly path: readonly PropertyKey[];
  readonly message: Text;
  readonly fix?: Text;
  /** For unknown keys. */
  readonly isKey?: boolean;
}

export type CheckedCase = { readonly written: Written } | { readonly issues: readonly CaseIssue[] };

export function checkCase(value: unknown): CheckedCase {
  const checked = writtenCase.safeParse(value);
  return checked.success
    ? { written: checked.data }
    : { issues: withoutEchoes(checked.error.issues.flatMap((issue) => explain(issue, value))) };
}

/** With an unknown key, that the entry lacks something is only the same mistake again. */
function withoutEchoes(issues: readonly CaseIssue[]): CaseIssue[] {
  const misspelt = new Set(issues.filter(({ isKey }) => isKey).map(({ path }) => path.slice(0, -1).join('/')));
  return issues.filter(({ isKey, path }) => isKey || !misspelt.has(path.join('/')));
}

export function readStep(text: string): StepPattern {
  const at = text.indexOf(':');
  return at === -1 ? { step: text } : { step: text.slice(0, at).trim(), skill: text.slice(at + 1).trim() };
}

function explain(issue: z.core.$ZodIssue, value: unknown): CaseIssue[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.path));
  if (issue.code === 'invalid_union') {
    const inner = isRecord(valueAt(value, issue.path)) ? issue.errors.at(-1) : issue.errors[0];
    return (inner ?? []).flatMap((one) => explain({ ...one, path: [...issue.path, ...one.path] }, value));
  }
  const place = issue.path.join('.');
  const said = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
  const message = {
    en: visible(`${place || 'the case'}: ${said.message}`),
    zh: visible(`${place || '用例'}: ${inChinese(said, valueAt(value, issue.path))}`),
  };
  return [{ path: issue.path, message }];
}

function unknownKey(key: string, at: readonly PropertyKey[]): CaseIssue {
  const place = visible(at.join('.'));
  const message = {
    en: `unknown key ${visible(key)}${place === '' ? '' : ` in ${place}`}`,
    zh: `未知的键 ${visible(key)}${place === '' ? '' : `（${place}）`}`,
  };
  const known = keysAt(at);
  const [near] = nearest(key, [...known, ...KNOWN]);
  const list = known.join(', ');
  const fix =
    near === undefined
      ? { en: `the keys here are ${list}`, zh: `此处可用的键: ${list}` }
      : { en: `did you mean ${near}?`, zh: `您是否想写 ${near}？` };
  return { path: [...at, key], message, isKey: true, fix };
}

const { localeError } = zhCN();

/** Our own message, or that of the schema library. */
function inChinese(issue: z.core.$ZodIssue, input: unknown): string {
  const own = [ONE_RULE, INPUT_OR_TURNS, INSIDE_PROJECT].find(({ en }) => en === issue.message);
  const said = own?.zh ?? localeError({ ...issue, input } as z.core.$ZodRawIssue) ?? issue.message;
  return typeof said === 'string' ? said : said.message;
}

const EXPECTED = writtenCase.shape.expected.unwrap().shape;

/** The keys that may stand in a part of a case. */
function keysAt([part, ...rest]: readonly PropertyKey[]): string[] {
  if (part === 'expected') return rest.length === 0 ? Object.keys(EXPECTED) : keysAt(rest);
  if (part === 'steps') return rest.length <= 1 ? Object.keys(stepRule.shape) : keysOfRule(rest[1]);
  const shape = part === undefined ? writtenCase.shape : PARTS.get(part);
  return Object.keys(shape ?? {});
}

const PARTS = new Map<PropertyKey, object>([
  ['skills', skillList.shape],
  ['output', matcher.shape],
  ['constraints', writtenCase.shape.constraints.unwrap().shape],
  ['setup', writtenCase.shape.setup.unwrap().shape],
]);

function keysOfRule(rule: PropertyKey | undefined): string[] {
  const { count, args_match: args, status } = stepRule.shape;
  const own = new Map<PropertyKey, object>([
    ['count', count.unwrap().shape],
    ['args_match', args.unwrap().shape],
    ['status', status.unwrap().shape],
  ]);
  return Object.keys(own.get(rule ?? '') ?? stepObject.shape);
}

const KNOWN = [
  ...Object.keys(writtenCase.shape),
  ...Object.keys(EXPECTED),
  ...Object.keys(writtenCase.shape.constraints.unwrap().shape),
  ...Object.keys(stepRule.shape),
  ...Object.keys(matcher.shape),
  ...Object.keys(skillList.shape),
  ...Object.keys(stepObject.shape),
];

function valueAt(value: unknown, at: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of at) part = isRecord(part) || Array.isArray(part) ? Reflect.get(part, key) : undefined;
  return part;
}
