// The one YAML parser that decides values: bounded depth, no aliases, no foreign tags, objects without prototype.
import { createRequire } from 'node:module';
import type { LoadOptions, State, YAMLException } from 'js-yaml';
import { readSimpleYaml, type Values } from './simple-yaml.ts';

type YamlProblemCode =
  | 'yaml-invalid'
  | 'yaml-alias'
  | 'yaml-depth'
  | 'yaml-duplicate-key'
  | 'yaml-not-a-map'
  | 'yaml-keys';

export interface YamlProblem {
  readonly code: YamlProblemCode;
  readonly reason: string;
  /** Counted from 0, inside the text that was parsed. */
  readonly line: number;
  readonly column: number;
}

export interface ParsedYaml {
  readonly values: Values;
  readonly droppedKeys: string[];
}

type YamlResult = ParsedYaml | { readonly problem: YamlProblem };

export const DEPTH_LIMIT = 8;
// Real files have a few dozen; each one may cost a diagnostic.
export const KEY_LIMIT = 256;

// The parser counts the document and the scalar at the bottom as levels too.
const OPTIONS: LoadOptions & { maxDepth: number } = { maxDepth: DEPTH_LIMIT + 2, onWarning: refuse };
const WATCHED: LoadOptions = { ...OPTIONS, listener: refuseAnchor };
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads one mapping. Never throws. */
export function parseYaml(text: string): YamlResult {
  const simple = readSimpleYaml(text);
  if (simple && Object.keys(simple).length <= KEY_LIMIT) return { values: simple, droppedKeys: [] };
  const disputed = findDisputed(text);
  if (disputed) return { problem: disputed };
  const yaml = loadParser();
  try {
    // Without an anchor there can be no alias; only a text with & pays for watching.
    const options = text.includes('&') ? WATCHED : OPTIONS;
    const document = yaml.load(text, { ...options, schema: yaml.CORE_SCHEMA });
    if (!isMapping(document)) return { problem: problem('yaml-not-a-map', 'the frontmatter is not a list of fields') };
    if (Object.hasOwn(document, '<<')) return { problem: problem('yaml-alias', 'merge keys are not supported') };
    if (Object.keys(document).length > KEY_LIMIT) return { problem: problem('yaml-keys', 'too many fields') };
    const droppedKeys: string[] = [];
    return { values: copyMapping(document, droppedKeys), droppedKeys };
  } catch (error) {
    return { problem: toProblem(error, yaml) };
  }
}

/** Shapes that parsers read differently: what one of them takes for a guard may be nothing to another. */
function findDisputed(text: string): YamlProblem | undefined {
  if (text.startsWith('? ') || text.includes('\n? ')) {
    return problem('yaml-invalid', 'write a field as key: value, without ?');
  }
  const stray = findStrayItem(text);
  return stray === undefined ? undefined : problem('yaml-invalid', 'indent the items of a list alike', stray);
}

/** The line of an item that stands further left than the empty item before it. */
function findStrayItem(text: string): number | undefined {
  let emptyItem = -1;
  for (const [at, line] of text.split('\n').entries()) {
    const indent = line.search(/[^ \t]/);
    if (indent === -1 || line[indent] === '#') continue;
    if (indent < emptyItem && line[indent] === '-') return at;
    emptyItem = /^((?: *- )* *)-[ \t]*(?:#|$)/.exec(line)?.[1]?.length ?? -1;
  }
  return undefined;
}

type Parser = typeof import('js-yaml');

let parser: Parser | undefined;

/** Loaded for the first text that is not simple: most commands never see one. */
export function loadParser(): Parser {
  parser ??= createRequire(import.meta.url)('js-yaml') as Parser;
  return parser;
}

class AnchorFound extends Error {
  readonly line: number;
  constructor(line: number) {
    super('anchors and aliases are not supported');
    this.line = line;
  }
}

// Other parsers stop at what this one only warns about; a field must not be hidden in the difference.
function refuse(warning: YAMLException): never {
  throw warning;
}

function refuseAnchor(this: State, event: string, state: State): void {
  if (event === 'close' && 'anchor' in state && state.anchor !== null) throw new AnchorFound(state.line);
}

function toProblem(error: unknown, yaml: Parser): YamlProblem {
  if (error instanceof AnchorFound) return problem('yaml-alias', error.message, error.line);
  if (!(error instanceof yaml.YAMLException)) return problem('yaml-invalid', 'the frontmatter cannot be read');
  const { reason } = error;
  // A stream of several documents has no place.
  const mark: { line: number; column: number } | undefined = error.mark;
  return problem(codeOf(reason), reason, mark?.line, mark?.column);
}

function codeOf(reason: string): YamlProblemCode {
  if (reason.startsWith('duplicated mapping key')) return 'yaml-duplicate-key';
  return reason.startsWith('nesting exceeded') ? 'yaml-depth' : 'yaml-invalid';
}

function problem(code: YamlProblemCode, reason: string, line = 0, column = 0): YamlProblem {
  return { code, reason, line, column };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function copyMapping(mapping: Record<string, unknown>, droppedKeys: string[]): Values {
  const copy: Values = Object.create(null);
  for (const key of Object.keys(mapping)) {
    const value = mapping[key];
    if (PROTOTYPE_KEYS.has(key)) droppedKeys.push(key);
    else copy[key] = typeof value === 'object' && value !== null ? copyCollection(value, droppedKeys) : value;
  }
  return copy;
}

function copyCollection(value: object, droppedKeys: string[]): unknown {
  if (!Array.isArray(value)) return copyMapping(value as Record<string, unknown>, droppedKeys);
  return value.map((part: unknown) =>
    typeof part === 'object' && part !== null ? copyCollection(part, droppedKeys) : part,
  );
}
