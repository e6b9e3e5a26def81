// The plain form of each matcher, as a case stores it. Types alone: whoever writes cases in code needs no schema library.
import type { Json } from '../../base/json.ts';

/** The plain form of some matcher. */
export type AnyMatcher = { readonly kind: string; readonly [field: string]: unknown };

export type Contains = {
  readonly kind: 'contains_all' | 'contains_any';
  readonly words: readonly string[];
  readonly ignoreCase: boolean;
};

export type Custom = { readonly kind: 'custom'; readonly name: string };

export type Equals = { readonly kind: 'equals'; readonly value: Json };

export type FileExists = { readonly kind: 'file_exists'; readonly path: string };

export type FileMatches = { readonly kind: 'file_matches'; readonly path: string; readonly of: AnyMatcher };

export type JsonPath = { readonly kind: 'json_path'; readonly path: string; readonly equals?: Json };

export type JsonSchema = { readonly kind: 'json_schema'; readonly schema: { [key: string]: Json } };

export type Regex = { readonly kind: 'regex'; readonly pattern: string };

export type Rubric = { readonly kind: 'rubric'; readonly text: string };

export type NotMatcher = { readonly kind: 'not'; readonly of: AnyMatcher };

export type Matcher =
  | Contains
  | Custom
  | Equals
  | FileExists
  | FileMatches
  | JsonPath
  | JsonSchema
  | Regex
  | Rubric
  | NotMatcher;
