// A parsed skill as the cache of frontmatter stores it, and the check of what comes back from there.
import type { Diagnostic } from '../base/diagnostic.ts';
import { isRecord, jsonIfValid } from '../base/json.ts';
import {
  isEither,
  isFlag,
  isListOf,
  isNull,
  isNumber,
  isObject,
  isOptional,
  isText,
  isWord,
} from '../base/value/shape.ts';
import { type Manifest, PARAM_TYPES, type Param, type SkillAction, type ToolRule } from '../skill/skill.ts';

/** Diagnostics without their path; the name that a skill without a manifest gives itself. */
export type CachedEntry = readonly [
  manifest: Manifest | null,
  diagnostics: readonly Omit<Diagnostic, 'path'>[],
  name: string | null,
];

const isTexts = isListOf(isText);

const isParam = isObject<Param>({
  name: isText,
  type: isWord(PARAM_TYPES),
  required: isFlag,
  optional: isOptional(isFlag),
  default: isOptional(isEither(isEither(isText, isNumber), isFlag)),
  enum: isOptional(isListOf(isEither(isText, isNumber))),
  minimum: isOptional(isNumber),
  maximum: isOptional(isNumber),
  minLength: isOptional(isNumber),
  maxLength: isOptional(isNumber),
  pattern: isOptional(isText),
  description: isOptional(isText),
  allowDash: isOptional(isFlag),
});

const isAction = isObject<SkillAction>({ name: isText, description: isOptional(isText), params: isListOf(isParam) });

const isToolRule = isObject<ToolRule>({ tool: isText, pattern: isOptional(isText) });

const isManifest = isObject<Manifest>({
  name: isText,
  description: isText,
  version: isOptional(isText),
  author: isOptional(isText),
  license: isOptional(isText),
  compatibility: isOptional(isText),
  argumentHint: isOptional(isText),
  allowedTools: isOptional(isListOf(isToolRule)),
  disableModelInvocation: isFlag,
  userInvocable: isFlag,
  runMode: isWord(['inline', 'subagent']),
  command: isOptional(isText),
  params: isOptional(isListOf(isParam)),
  entry: isOptional(isText),
  actions: isOptional(isListOf(isAction)),
  timeout: isOptional(isNumber),
  requires: isOptional(isTexts),
  secrets: isOptional(isTexts),
  network: isFlag,
  deterministic: isFlag,
  metadata: isOptional(isRecord),
  unknown: isOptional(isRecord),
});

const isDiagnostic = isObject<Omit<Diagnostic, 'path'>>({
  code: isText,
  severity: isWord(['error', 'warning', 'info']),
  line: isOptional(isNumber),
  column: isOptional(isNumber),
  message: isText,
  fix: isOptional(isText),
  zh: isObject<Diagnostic['zh']>({ message: isText, fix: isOptional(isText) }),
});

const isManifestOrNull = isEither(isManifest, isNull);
const isTextOrNull = isEither(isText, isNull);
const areDiagnostics = isListOf(isDiagnostic);

/** Undefined for anything else: then the file is parsed again. */
export function readCachedEntry(text: string): CachedEntry | undefined {
  const value = jsonIfValid(text);
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [manifest, diagnostics, name]: unknown[] = value;
  const isEntry = isManifestOrNull(manifest) && areDiagnostics(diagnostics) && isTextOrNull(name);
  return isEntry ? [manifest, diagnostics, name] : undefined;
}
