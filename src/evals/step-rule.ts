// Rules about the order, number, arguments and results of steps; each returns the records it looked at.
import { canonicalJson, isRecord, type Json } from '../base/json.ts';
import { networkRequest } from '../tools/network-request.ts';
import { compilePattern } from '../tools/pattern.ts';
import type { ArgsPattern, StepPattern, StepRule } from './case/case.ts';
import { isSkill, isToolCall, type Step } from './trace.ts';

export interface RuleFinding {
  readonly ok: boolean;
  readonly message: string;
  /** Records that decided it. */
  readonly evidence: readonly number[];
}

export async function checkSteps(rule: StepRule, steps: readonly Step[]): Promise<RuleFinding> {
  const executed = steps.filter((step) => step.executed);
  switch (rule.kind) {
    case 'exact':
      return exact(rule.steps, relevant(executed, rule.steps));
    case 'in_order':
      return inOrder(rule.steps, executed);
    case 'any_order':
      return anyOrder(rule.steps, executed);
    case 'before':
      return before(rule.steps, executed);
    case 'immediately_after':
      return immediatelyAfter(rule.steps, relevant(executed, rule.steps));
    case 'never_sequence':
      return neverSequence(rule.steps, executed);
    case 'count':
      return countSteps(rule, executed);
    case 'never':
      return never(rule.step, executed);
    case 'denied':
      return denied(rule.step, steps);
    case 'args_match':
      return await argsMatch(rule.step, rule.args, executed);
    case 'status':
      return status(rule.step, rule.is, steps);
    case 'no_repeat':
      return noRepeat(rule.times, steps);
  }
}

export function matches(pattern: StepPattern, step: Step): boolean {
  if (!hasName(pattern.step, step)) return false;
  if (pattern.skill !== undefined && (step.skill === undefined || !isSkill(pattern.skill, step.skill))) return false;
  return pattern.status === undefined || pattern.status === step.status;
}

export function describePattern({ step, skill, status: is }: StepPattern): string {
  return `${step}${skill === undefined ? '' : `:${skill}`}${is === undefined ? '' : ` (${is})`}`;
}

const ALIASES: Readonly<Record<string, string>> = { select_skills: 'load_skill', network: networkRequest.name };

function hasName(written: string, step: Step): boolean {
  const name = ALIASES[written] ?? written;
  // An invoked skill executes a script or a command of that skill.
  if (name === 'invoke_skill') return step.skill !== undefined && step.name.startsWith('run_');
  return name === '*' || name === step.name;
}

/** The answer that ends every run counts only where a rule mentions it. */
function relevant(steps: readonly Step[], patterns: readonly StepPattern[]): Step[] {
  const wanted = patterns.some(({ step }) => step === 'final_answer' || step === '*');
  return wanted ? [...steps] : steps.filter(({ name }) => name !== 'final_answer');
}

function exact(patterns: readonly StepPattern[], steps: readonly Step[]): RuleFinding {
  const same = patterns.length === steps.length;
  const ok = same && patterns.every((pattern, at) => isAt(steps, at, pattern));
  return finding(ok, `expected exactly ${list(patterns)}, the steps were ${told(steps)}`, steps);
}

function inOrder(patterns: readonly StepPattern[], steps: readonly Step[]): RuleFinding {
  const found: Step[] = [];
  let from = 0;
  for (const pattern of patterns) {
    const at = steps.findIndex((step, index) => index >= from && matches(pattern, step));
    const step = steps[at];
    if (!step)
      return finding(false, `no ${describePattern(pattern)} in its place; the steps were ${told(steps)}`, found);
    found.push(step);
    from = at + 1;
  }
  return finding(true, `in order: ${list(patterns)}`, found);
}

/** Each pattern matches one step of its own; the more specific ones choose first. */
function anyOrder(patterns: readonly StepPattern[], steps: readonly Step[]): RuleFinding {
  const free = new Set(steps);
  const found: Step[] = [];
  for (const pattern of patterns.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)) {
    const step = [...free].find((one) => matches(pattern, one));
    if (!step) return finding(false, `no ${describePattern(pattern)} left; the steps were ${told(steps)}`, found);
    free.delete(step);
    found.push(step);
  }
  return finding(true, `all there: ${list(patterns)}`, found);
}

/** Every later kind of step has one of the earlier kind before it. */
function before([first, second]: readonly StepPattern[], steps: readonly Step[]): RuleFinding {
  if (!first || !second) return finding(false, 'before needs two steps', []);
  const early = steps.findIndex((step) => matches(first, step));
  const late = steps.filter((step) => matches(second, step));
  const wrong = late.filter((step) => early === -1 || steps.indexOf(step) < early);
  const message = `${describePattern(first)} must come before ${describePattern(second)}`;
  return finding(wrong.length === 0, message, wrong.length > 0 ? wrong : late);
}

function immediatelyAfter([first, second]: readonly StepPattern[], steps: readonly Step[]): RuleFinding {
  if (!first || !second) return finding(false, 'immediately_after needs two steps', []);
  const places = steps.flatMap((step, at) => (matches(first, step) ? [at] : []));
  const wrong = places.filter((at) => !isAt(steps, at + 1, second));
  const ok = places.length > 0 && wrong.length === 0;
  const message = `${describePattern(second)} must directly follow ${describePattern(first)}; the steps were ${told(steps)}`;
  return finding(
    ok,
    message,
    places.flatMap((at) => steps[at] ?? []),
  );
}

function neverSequence(patterns: readonly StepPattern[], steps: readonly Step[]): RuleFinding {
  const start = steps.findIndex((_, from) => patterns.every((pattern, at) => isAt(steps, from + at, pattern)));
  const found = start === -1 ? [] : steps.slice(start, start + patterns.length);
  return finding(start === -1, `${list(patterns)} must not follow each other`, found);
}

function countSteps({ step, min, max }: StepRule & { kind: 'count' }, steps: readonly Step[]): RuleFinding {
  const found = steps.filter((one) => matches(step, one));
  const range = max === Infinity ? `at least ${min}` : min === max ? `${min}` : `${min} to ${max}`;
  const ok = found.length >= min && found.length <= max;
  return finding(ok, `${describePattern(step)}: expected ${range}, counted ${found.length}`, found);
}

function never(pattern: StepPattern, steps: readonly Step[]): RuleFinding {
  const found = steps.filter((step) => matches(pattern, step));
  return finding(found.length === 0, `${describePattern(pattern)} must not happen`, found);
}

/** It was requested, and never executed. */
function denied(pattern: StepPattern, steps: readonly Step[]): RuleFinding {
  const found = steps.filter((step) => matches(pattern, step));
  const done = found.filter((step) => step.executed);
  const ok = found.length > 0 && done.length === 0;
  const why = found.length === 0 ? 'it was never asked for' : 'it was done';
  return finding(
    ok,
    `${describePattern(pattern)} must be refused${ok ? '' : `: ${why}`}`,
    done.length > 0 ? done : found,
  );
}

async function argsMatch(pattern: StepPattern, args: ArgsPattern, steps: readonly Step[]): Promise<RuleFinding> {
  const candidates = steps.filter((step) => matches(pattern, step));
  const regex = args.regex === undefined ? undefined : await compilePattern(args.regex);
  const found = candidates.filter(({ args: given }) => {
    if (given === undefined) return false;
    if (regex && !regex.matcher(canonicalJson(given)).find()) return false;
    return args.subset === undefined || isSubset(args.subset, given);
  });
  const wanted = args.regex ?? JSON.stringify(args.subset);
  const message = `${describePattern(pattern)}: no call with arguments ${wanted}`;
  return finding(found.length > 0, message, found.length > 0 ? found : candidates);
}

function status(pattern: StepPattern, is: string, steps: readonly Step[]): RuleFinding {
  const found = steps.filter((step) => matches(pattern, step));
  const wrong = found.filter((step) => step.status !== is);
  const ok = found.length > 0 && wrong.length === 0;
  const were = found.length === 0 ? 'there was none' : found.map((step) => step.status).join(', ');
  return finding(ok, `${describePattern(pattern)}: expected ${is}, ${were}`, ok ? found : wrong);
}

/** The same call with the same arguments, at most this many times. */
function noRepeat(times: number, steps: readonly Step[]): RuleFinding {
  const calls = steps.filter((step) => isToolCall(step) || step.name === 'load_resource');
  const same = Map.groupBy(calls, ({ name, skill, path, args }) => canonicalJson([name, skill, path, args]));
  const repeated = [...same.values()].filter((group) => group.length > times).flat();
  return finding(repeated.length === 0, `the same call more than ${times} times: ${told(repeated)}`, repeated);
}

/** Deep equality: objects by their keys, lists by their items in order, everything else by value. */
export function isSubset(part: Json, whole: Json): boolean {
  if (Array.isArray(part)) {
    if (!Array.isArray(whole)) return false;
    let from = 0;
    return part.every((item) => {
      const at = whole.findIndex((one, index) => index >= from && isSubset(item, one));
      from = at + 1;
      return at !== -1;
    });
  }
  if (!isRecord(part)) return part === whole;
  return (
    isRecord(whole) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && isSubset(value, whole[key] ?? null))
  );
}

function isAt(steps: readonly Step[], at: number, pattern: StepPattern): boolean {
  const step = steps[at];
  return step !== undefined && matches(pattern, step);
}

function finding(ok: boolean, message: string, steps: readonly Step[]): RuleFinding {
  return { ok, message, evidence: steps.map(({ at }) => at) };
}

function list(patterns: readonly StepPattern[]): string {
  return patterns.map(describePattern).join(', ');
}

function told(steps: readonly Step[]): string {
  return steps.length === 0 ? 'none' : steps.map(({ name }) => name).join(', ');
}
