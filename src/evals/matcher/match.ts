// Matchers together: what an entry may say, its plain form, and the verdict; each of them can be turned around.

import type { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Zod } from '../../tools/tool.ts';
import type { Matched, MatcherKind, OtherMatchers, Produced, WrittenEntry } from './kind.ts';
import { MATCHERS } from './matchers.ts';
import type { AnyMatcher, Matcher, NotMatcher } from './plain-form.ts';

const OF_TEXT = MATCHERS.filter(({ ofText }) => ofText);

const others: OtherMatchers = {
  shape: (zod) => shapeOf(OF_TEXT, zod),
  plain: (written) => plainOf(OF_TEXT, written),
  describe: describeMatcher,
  match,
};

/** The keys of an entry, except `not`. */
export function matcherShape(zod: Zod) {
  return shapeOf(MATCHERS, zod);
}

function shapeOf(kinds: readonly MatcherKind[], zod: Zod): Record<string, z.ZodOptional<z.ZodType>> {
  const keys = kinds.flatMap((kind): [string, z.ZodType][] => [
    [kind.name, kind.schema(zod, others)],
    ...Object.entries(kind.beside?.(zod) ?? {}),
  ]);
  return Object.fromEntries(keys.map(([key, schema]) => [key, schema.optional()]));
}

/** Every key of an entry is a matcher of its own; all of them have to fit. */
export function plainMatchers({ not, ...written }: WrittenEntry): Matcher[] {
  const turned = isRecord(not) ? plainMatchers(not).map((of): NotMatcher => ({ kind: 'not', of })) : [];
  return [...plainOf(MATCHERS, written), ...turned];
}

function plainOf(kinds: readonly MatcherKind[], written: WrittenEntry): Matcher[] {
  const plain = kinds.flatMap((kind) => {
    const value = written[kind.name];
    return value === undefined ? [] : kind.plain(value, written, others);
  });
  // The union of the forms that the listed kinds make.
  return plain as Matcher[];
}

export async function match(matcher: AnyMatcher, produced: Produced): Promise<Matched> {
  if (isNot(matcher)) {
    const { ok, message } = await match(matcher.of, produced);
    if (ok === undefined) return { ok, message };
    return { ok: !ok, message: ok ? `fits what it must not: ${describeMatcher(matcher.of)}` : message };
  }
  const kind = kindOf(matcher);
  if (kind === undefined) return { ok: undefined, message: `there is no matcher ${matcher.kind}` };
  if (produced.isFile && !kind.ofText) return { ok: false, message: 'cannot look into a file' };
  return await kind.match(matcher, produced, others);
}

export function describeMatcher(matcher: AnyMatcher): string {
  if (isNot(matcher)) return `not ${describeMatcher(matcher.of)}`;
  return kindOf(matcher)?.describe(matcher, others) ?? matcher.kind;
}

function kindOf(matcher: AnyMatcher): MatcherKind | undefined {
  return MATCHERS.find(({ name }) => name === matcher.kind);
}

function isNot(matcher: AnyMatcher): matcher is NotMatcher {
  return matcher.kind === 'not';
}
