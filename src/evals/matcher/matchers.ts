// The list of all matchers. A matcher is one file, and an entry here.
import { containsAll, containsAny, keywords } from './contains.ts';
import { custom } from './custom.ts';
import { equals } from './equals.ts';
import { fileExists, fileMatches } from './file.ts';
import { jsonPath } from './json-path.ts';
import { jsonSchema, structure } from './json-schema.ts';
import type { AnyMatcher, MatcherKind } from './kind.ts';
import { regex } from './regex.ts';
import { rubric } from './rubric.ts';

const LISTED = [
  ...([equals, containsAll, containsAny, regex, jsonSchema, jsonPath] as const),
  ...([keywords, structure, fileExists, fileMatches, rubric, custom] as const),
] as const;

type PlainOf<Kind> = Kind extends MatcherKind<infer Plain, infer _Written> ? Plain : never;

export type NotMatcher = { readonly kind: 'not'; readonly of: AnyMatcher };

/** As a case stores it. */
export type Matcher = PlainOf<(typeof LISTED)[number]> | NotMatcher;

export const MATCHERS: readonly MatcherKind[] = LISTED;
