// The list of all matchers. A matcher is one file with its plain form in plain-form.ts, and an entry here.
import { containsAll, containsAny, keywords } from './contains.ts';
import { custom } from './custom.ts';
import { equals } from './equals.ts';
import { fileExists, fileMatches } from './file.ts';
import { jsonPath } from './json-path.ts';
import { jsonSchema, structure } from './json-schema.ts';
import type { MatcherKind } from './kind.ts';
import { regex } from './regex.ts';
import { rubric } from './rubric.ts';

export const MATCHERS: readonly MatcherKind[] = [
  ...[equals, containsAll, containsAny, regex, jsonSchema, jsonPath],
  ...[keywords, structure, fileExists, fileMatches, rubric, custom],
];
