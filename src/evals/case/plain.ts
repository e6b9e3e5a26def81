// From a case as it was written to the plain value the rest works with: short forms spelled out, defaults filled in.
import type { z } from 'zod';
import type { Json } from '../../base/json.ts';
import type { Case, Matcher, SkillExpectation, StepRule } from './case.ts';
import type * as schema from './schema.ts';
import { readStep, type Written } from './schema.ts';

/** What a case says, without where it stands. */
export type Said = Omit<Case, 'id' | 'file'> & { id?: string };

export function toCase(data: Written): Said {
  const expected = data.expected ?? {};
  const { max_turns, max_tool_calls, max_script_runs, max_tokens, max_seconds, max_cost, ...tools } =
    data.constraints ?? {};
  const limits = {
    maxTurns: max_turns,
    maxToolCalls: max_tool_calls,
    maxScriptRuns: max_script_runs,
    maxTokens: max_tokens,
    maxSeconds: max_seconds,
    maxCost: max_cost,
  };
  return {
    ...given({ id: data.id ?? data.name, repeat: data.repeat, mock: data.mock }),
    ...given({ state: expected.state, exhausted: expected.exhausted }),
    turns: data.turns ?? [data.input ?? ''],
    files: data.files ?? {},
    budget: data.setup?.budget ?? {},
    skills: mergeSkills([expected.skills, data.skills].flatMap((one) => (one === undefined ? [] : [toSkills(one)]))),
    steps: [...toRules(expected.steps ?? []), ...toRules(data.steps ?? [])],
    output: [...toMatchers(expected.output), ...toMatchers(data.output)],
    limits: {
      ...given(limits),
      forbiddenTools: tools.forbidden_tools ?? [],
      requiredTools: tools.required_tools ?? [],
    },
    pass: data.pass ?? 'all',
    tags: data.tags ?? [],
  };
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Only what is there. */
function given<T extends Record<string, unknown>>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** A plain list names what is required; an empty one says that none may be chosen. */
function toSkills(data: z.output<typeof schema.skills>): SkillExpectation {
  if (Array.isArray(data)) {
    return { required: data, anyOf: [], forbidden: [], none: data.length === 0, exact: false };
  }
  const { required = [], any_of: anyOf = [], forbidden = [], none = false, exact = false } = data;
  return { required, anyOf, forbidden, none, exact };
}

function mergeSkills(all: readonly SkillExpectation[]): SkillExpectation {
  return {
    required: all.flatMap(({ required }) => required),
    anyOf: all.flatMap(({ anyOf }) => anyOf),
    forbidden: all.flatMap(({ forbidden }) => forbidden),
    none: all.some(({ none }) => none),
    exact: all.some(({ exact }) => exact),
  };
}

/** Plain names stand for the order of the steps. */
function toRules(data: z.output<typeof schema.rules>): StepRule[] {
  const names = data.filter((rule) => typeof rule === 'string');
  const others = data.filter((rule) => typeof rule !== 'string');
  const order: StepRule[] = names.length > 0 ? [{ kind: 'in_order', steps: names.map(readStep) }] : [];
  return [...order, ...others.flatMap(toRule)];
}

const LISTS = ['exact', 'in_order', 'any_order', 'before', 'immediately_after', 'never_sequence'] as const;

function toRule(data: z.output<typeof schema.stepRule>): StepRule[] {
  for (const kind of LISTS) {
    const listed = data[kind];
    if (listed) return [{ kind, steps: listed.map(plain) }];
  }
  if (data.count) {
    const { min, max, ...pattern } = data.count;
    const low = min ?? (max === undefined ? 1 : 0);
    return [{ kind: 'count', step: plain(pattern), min: low, max: max ?? Infinity }];
  }
  if (data.args_match) {
    const { regex, subset, ...pattern } = data.args_match;
    return [{ kind: 'args_match', step: plain(pattern), args: given({ regex, subset: subset as Json | undefined }) }];
  }
  if (data.status) {
    const { is, ...pattern } = data.status;
    return [{ kind: 'status', step: plain(pattern), is }];
  }
  if (data.never) return [{ kind: 'never', step: plain(data.never) }];
  if (data.denied) return [{ kind: 'denied', step: plain(data.denied) }];
  return data.no_repeat === undefined ? [] : [{ kind: 'no_repeat', times: data.no_repeat }];
}

function plain({
  step: name,
  skill,
  status,
}: {
  step: string;
  skill?: string | undefined;
  status?: string | undefined;
}) {
  return { step: name, ...given({ skill, status }) };
}

function toMatchers(data: z.output<typeof schema.output> | undefined): Matcher[] {
  if (data === undefined) return [];
  if (typeof data === 'string') return [contains('contains_all', [data], false)];
  if (!Array.isArray(data)) return toMatcher(data);
  return data.flatMap((one) => (typeof one === 'string' ? [contains('contains_all', [one], false)] : toMatcher(one)));
}

/** Every key of an entry is a matcher of its own; all of them have to fit. */
function toMatcher(data: z.output<typeof schema.matcher>): Matcher[] {
  const { keywords, structure, file_exists, file_matches, rubric, custom, not } = data;
  const matchers = toTextMatchers(data);
  if (keywords) matchers.push(contains('contains_all', keywords, data.ignore_case ?? false));
  if (structure) matchers.push({ kind: 'json_schema', schema: structure as Json });
  if (file_exists !== undefined) matchers.push({ kind: 'file_exists', path: file_exists });
  if (file_matches) {
    for (const of of toTextMatchers(file_matches)) matchers.push({ kind: 'file_matches', path: file_matches.path, of });
  }
  if (rubric !== undefined) matchers.push({ kind: 'rubric', text: rubric });
  if (custom !== undefined) matchers.push({ kind: 'custom', name: custom });
  if (not) matchers.push(...toMatcher(not).map((of): Matcher => ({ kind: 'not', of })));
  return matchers;
}

type TextMatchers = Pick<z.output<typeof schema.matcher>, keyof typeof schema.matcherShape>;

function toTextMatchers(data: TextMatchers): Matcher[] {
  const { equals, contains_all, contains_any, regex, json_schema, json_path, ignore_case = false } = data;
  const matchers: Matcher[] = [];
  if (equals !== undefined) matchers.push({ kind: 'equals', value: equals as Json });
  if (contains_all) matchers.push(contains('contains_all', contains_all, ignore_case));
  if (contains_any) matchers.push(contains('contains_any', contains_any, ignore_case));
  if (regex !== undefined) matchers.push({ kind: 'regex', pattern: regex });
  if (json_schema) matchers.push({ kind: 'json_schema', schema: json_schema as Json });
  if (json_path) {
    const wanted = json_path.equals as Json | undefined;
    matchers.push({ kind: 'json_path', path: json_path.path, ...(wanted !== undefined && { equals: wanted }) });
  }
  return matchers;
}

function contains(kind: 'contains_all' | 'contains_any', list: readonly string[], ignoreCase: boolean): Matcher {
  return { kind, words: list, ignoreCase };
}
