// A case as people write it. Loaded only when suites are read: zod is not free.
import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { STATES } from '../../base/outcome.ts';
import { nearest, visible } from '../../base/text.ts';
import { matcherShape } from '../matcher/match.ts';
import { oneOrMore, relativePath } from '../matcher/written.ts';
import type { StepPattern } from './case.ts';

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
  .refine((rule) => Object.keys(rule).length === 1, 'one rule in each entry is expected');

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
  .refine(({ input, turns }) => (input === undefined) !== (turns === undefined), 'input or turns is expected');

export type Written = z.output<typeof writtenCase>;

export interface CaseIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly fix?: string;
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
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const [near] = nearest(key, KNOWN);
      const message = `unknown key ${visible(key)}${place === '' ? '' : ` in ${visible(place)}`}`;
      return {
        path: [...issue.path, key],
        message,
        isKey: true,
        ...(near !== undefined && { fix: `did you mean ${near}?` }),
      };
    });
  }
  if (issue.code === 'invalid_union') {
    const inner = isRecord(valueAt(value, issue.path)) ? issue.errors.at(-1) : issue.errors[0];
    return (inner ?? []).flatMap((one) => explain({ ...one, path: [...issue.path, ...one.path] }, value));
  }
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ path: issue.path, message: visible(`${place || 'the case'}: ${message}`) }];
}

const KNOWN = [
  ...Object.keys(writtenCase.shape),
  ...Object.keys(writtenCase.shape.expected.unwrap().shape),
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
