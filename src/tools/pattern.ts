// Patterns from outside: RE2 finds one match in linear time; many matches, large patterns and large texts are bounded.
import type { RE2JS } from 're2js';
import { Fault } from '../base/errors.ts';

const LIMITS = {
  /** Characters of the pattern. */
  length: 1000,
  /** A repeat count makes a short pattern large. */
  steps: 2000,
  /** Steps of the pattern times characters of the text; the slowest patterns do this in about three seconds. */
  work: 100_000_000,
  /** The most that replacing in a text of so many characters may take, however many matches there are. */
  milliseconds: (characters: number) => Math.min(300 + characters / 1000, 3000),
  /** Characters of a result. */
  result: 64 * 1024 * 1024,
};

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  /** `^` and `$` stand for the ends of the whole text, and JavaScript's own notation is understood. */
  readonly isWhole?: boolean;
}

/** `^` and `$` stand for line ends unless told otherwise. */
export async function compilePattern(pattern: string, options: PatternOptions = {}): Promise<RE2JS> {
  const { ignoreCase = false, isWhole = false } = options;
  if (pattern.length > LIMITS.length) throw tooLarge();
  const { RE2JS } = await import('re2js');
  const flags = (isWhole ? 0 : RE2JS.MULTILINE) | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const compiled = compile(() => RE2JS.compile(isWhole ? RE2JS.translateRegExp(pattern) : pattern, flags), pattern);
  if (compiled.programSize() > LIMITS.steps) throw tooLarge();
  return compiled;
}

export function isTooMuchWork(pattern: RE2JS, text: string): boolean {
  return pattern.programSize() * text.length > LIMITS.work;
}

/** All matches replaced, or undefined where there is none; what was matched is named as in JavaScript or as in Python. */
export function replaceMatches(pattern: RE2JS, text: string, replacement: string): string | undefined {
  if (isTooMuchWork(pattern, text)) throw tooLarge();
  const deadline = performance.now() + LIMITS.milliseconds(text.length);
  let matches = 0;
  let size = text.length;
  const replaced = pattern.matcher(text).replaceAll((...parts: unknown[]) => {
    matches++;
    const piece = expand(replacement, pattern, parts);
    size += piece.length;
    // A pattern can make each match look at the whole rest of the text.
    if (performance.now() > deadline) throw new Fault('LIMIT_CPU', 'regex');
    if (size > LIMITS.result) throw new Fault('LIMIT_FILE_SIZE', 'regex');
    return piece;
  });
  return matches === 0 ? undefined : replaced;
}

// `$1`, `$<name>`, `$&` and `$$`; or `\1`, `\g<name>`, `\g<0>`, and `\\1` for the text `\1`.
const REFERENCE = /\$(?:\$|&|(\d\d?)|<([^>]*)>)|\\(?:\\(?=\d|g<)|(\d\d?)|g<([^>]*)>)/g;

function expand(replacement: string, pattern: RE2JS, parts: readonly unknown[]): string {
  const groups = parts.slice(0, pattern.groupCount() + 1).map((part) => String(part ?? ''));
  return replacement.replace(
    REFERENCE,
    (found, digits?: string, name?: string, pythonDigits?: string, pythonName?: string) => {
      if (found === '$$') return '$';
      if (found === '\\\\') return '\\';
      if (found === '$&') return groups[0] ?? '';
      if (name !== undefined) return groups[groupNamed(pattern, name)] ?? found;
      if (digits !== undefined) return groupWithDigits(groups, digits) ?? found;
      const group =
        pythonName === undefined
          ? groupWithDigits(groups, pythonDigits ?? '')
          : pythonGroup(groups, pattern, pythonName);
      if (group === undefined) throw noGroup(found);
      return group;
    },
  );
}

/** `\g<0>` is the whole match. */
function pythonGroup(groups: readonly string[], pattern: RE2JS, name: string): string | undefined {
  return groups[/^\d+$/.test(name) ? Number(name) : groupNamed(pattern, name)];
}

/** Python refuses it, too; text that only looks like a reference is written with another backslash. */
function noGroup(reference: string): Fault {
  return new Fault(
    'ParamInvalid',
    { en: `the pattern has no group ${reference}`, zh: `模式中没有分组 ${reference}` },
    { hint: { en: `Write \\${reference} for the text itself.`, zh: `若指文本本身，请写成 \\${reference}。` } },
  );
}

// With one group, $10 is that group and a zero; $0 is no group.
function groupWithDigits(groups: readonly string[], digits: string): string | undefined {
  const whole = Number(digits) > 0 ? groups[Number(digits)] : undefined;
  if (whole !== undefined || digits.length < 2) return whole;
  const first = digits[0] === '0' ? undefined : groups[Number(digits[0])];
  return first === undefined ? undefined : first + digits.slice(1);
}

function groupNamed(pattern: RE2JS, name: string): number {
  const names: Record<string, number> = pattern.namedGroups();
  return Object.hasOwn(names, name) ? (names[name] ?? -1) : -1;
}

function compile<Compiled>(make: () => Compiled, pattern: string): Compiled {
  try {
    return make();
  } catch (error) {
    const written = `pattern ${JSON.stringify(pattern)}`;
    if (looksAround(pattern)) throw noLookaround(written, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Fault('ParamInvalid', `${written}: ${reason}`, { cause: error });
  }
}

/** What a linear engine cannot do: lookahead, lookbehind, atomic groups, references inside the pattern. */
function looksAround(pattern: string): boolean {
  return /\(\?(?:<?[=!]|>)|\\[1-9]|\(\?P=/.test(pattern);
}

function noLookaround(written: string, cause: unknown): Fault {
  return new Fault(
    'ParamInvalid',
    {
      en: `${written}: lookahead, lookbehind and references inside a pattern are not supported`,
      zh: `${written}: 不支持前瞻、后顾及模式内的引用`,
    },
    {
      cause,
      hint: {
        en: 'Match the surroundings too and put them back: `(a)X` replaced by `$1Y` is `(?<=a)X` replaced by `Y`.',
        zh: '请连同上下文一起匹配再写回: 以 `$1Y` 替换 `(a)X`，等同于以 `Y` 替换 `(?<=a)X`。',
      },
    },
  );
}

function tooLarge(): Fault {
  return new Fault(
    'ParamInvalid',
    { en: 'the pattern is too large for this text', zh: '模式对该文本过于复杂' },
    { hint: { en: 'Use a shorter pattern with smaller repeat counts.', zh: '请使用更短、重复次数更少的模式。' } },
  );
}
