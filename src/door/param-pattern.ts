// `pattern` of a parameter: a value is matched in linear time, and a pattern that cannot be is reported by linters.
import { Fault } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { Manifest, Param } from '../skill/skill.ts';
import { invalid } from '../skill/value.ts';

type Values = Readonly<Record<string, Json>>;

/** Throws a Fault for the first value that its pattern does not match, or whose pattern cannot be used. */
export async function checkPatterns(declared: readonly Param[], values: Values): Promise<void> {
  for (const param of declared) {
    const value = values[param.name];
    if (param.pattern === undefined || value === undefined) continue;
    const broken = {
      en: `has a pattern that cannot be used: ${param.pattern}`,
      zh: `的 pattern 无法使用: ${param.pattern}`,
    };
    const wanted = { en: `must match ${param.pattern}`, zh: `须匹配 ${param.pattern}` };
    const fits = await matcherOf(param.pattern);
    if (!fits) throw invalid(param.name, broken);
    if (!fits(value)) throw invalid(param.name, wanted, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

export interface BrokenPattern {
  readonly name: string;
  readonly pattern: string;
}

/** Parameters of a skill and of its actions whose pattern cannot be used. */
export async function brokenPatterns({ params = [], actions = [] }: Manifest): Promise<BrokenPattern[]> {
  const broken: BrokenPattern[] = [];
  for (const { name, pattern } of [...params, ...actions.flatMap((action) => action.params)]) {
    if (pattern !== undefined && !(await matcherOf(pattern))) broken.push({ name, pattern });
  }
  return broken;
}

/** Undefined where the pattern is no expression, or one that linear time does not allow. */
async function matcherOf(pattern: string): Promise<((value: Json) => boolean) | undefined> {
  const { compilePattern, isTooMuchWork } = await import('../tools/pattern.ts');
  try {
    const compiled = await compilePattern(pattern, { isWhole: true });
    return (value) => typeof value === 'string' && !isTooMuchWork(compiled, value) && compiled.matcher(value).find();
  } catch (error) {
    if (error instanceof Fault && error.type === 'ParamInvalid') return undefined;
    throw error;
  }
}
