// From a case as it was written to its normal form: short forms expanded, defaults filled in.
import type { z } from 'zod';
import type { Json } from '../../base/json.ts';
import { plainMatchers } from '../matcher/match.ts';
import type { Matcher } from '../matcher/plain-form.ts';
import type { Case, SkillExpectation, StepRule } from './case.ts';
import type * as schema from './schema.ts';
import { readStep, type Written } from './schema.ts';

/** The content of a case, without its position. */
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

/** Plain names mean the order of the steps. */
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
  if (typeof data === 'string') return plainMatchers({ contains_all: [data] });
  if (!Array.isArray(data)) return plainMatchers(data);
  return data.flatMap((one) => plainMatchers(typeof one === 'string' ? { contains_all: [one] } : one));
}
