// What surrounds a place in a file: whether it quotes an attack to warn of it, is a remark that never runs, or stands
// in a test. Whoever shows an attack says so, and what says so to the reader says so to the model.
import type { VetSeverity } from '../../config/severity.ts';
import { type Lines, lastUpTo } from './line.ts';
import type { FileKind } from './rule/rule.ts';
import type { Sighting } from './search.ts';

const NEAR = 300;
/** Names that only a text about attacks uses, and uses several of. */
const ATTACK =
  /\b(?:attack(?:er|ers|s|ing)?|malicious(?:ly)?|malware|exploit(?:s|ed|ing|ation)?|vulnerab(?:le|ility|ilities)|payloads?|injections?|injected|adversar(?:y|ial|ies)|threats?|suspicious|red\s+flags?|phishing|backdoors?|exfiltrat(?:e|es|ed|ion)|jailbreaks?|obfuscat(?:ed|ion)|reverse\s+shells?|social\s+engineering|trojans?|compromised|evil|pentest\w*|credential\s+theft)\b|恶意|攻击|注入|漏洞|木马|钓鱼/gi;
const SHOWS =
  /\b(?:attack(?:er|ers|s|ing)?|malicious|malware|exploit(?:s|ed|ing|ation)?|vulnerab(?:le|ility)|payloads?|injections?|injected|adversarial|threats?|suspicious|red\s+flags?|detect(?:s|ed|ion)?|flag(?:s|ged)?|unsafe|insecure|dangerous|backdoors?|exfiltrat\w+|jailbreaks?|obfuscated|reverse\s+shells?|evil|bad|compromised|refuse|reject)\b|❌|🚫|⛔|恶意|攻击|注入|漏洞|检测|可疑|危险/i;
/** Whoever wants it done is not showing it. */
const DEMANDS =
  /\b(?:prerequisites?|before\s+(?:using|proceeding|you|continuing)|must\s+(?:be\s+)?(?:run|install|download|execute|complete)\w*|required\s+(?:to|for|before|step)|(?:will|does)\s+not\s+work|first,?\s+(?:run|install|download)|quick\s+start|getting\s+started)\b|先决条件|使用前/i;
const WARNS =
  /\b(?:detect\w*|attacks?|injections?|malicious|suspicious|refuse|attempts?|jailbreak\w*|treat\w*|flag\w*)\b|攻击|注入|检测/i;
const NAMES = /\b(?:examples?|e\.g\.|such\s+as|like|patterns?|phrases?)\b|例如/i;
const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|evals?|fixtures|testdata|spec)\/|(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|spec|evals?))\.\w+$|(?:^|\/)evals?\.\w+$/i;
const REMARK = /^\s{0,200}(?:#(?!!)|REM\s|::)/i;
const SLASH_REMARK = /^\s{0,200}(?:\/\/|\*\s|\/\*)/;
/** Printed as it stands: nothing in it is expanded, and nothing else is on the line. */
const PRINTED =
  /^\s{0,200}(?:echo\s+(?:'[^']*'|"(?:[^"$`\\]|\\")*")|(?:print|console\.(?:log|error))\(\s*(?:'[^'\\]*'|"[^"\\]*"|`(?:[^`$\\]|\$\{[\w.]+\})*`)\s*\);?)\s*(?:>&2)?\s*$/;
const SLASHES = /\.(?:[cm]?[jt]sx?|go|rs|java|php|kt|swift|c|h|cpp|cs)$/i;

export interface FindingContext {
  /** As severe as the sighting is where it stands. */
  weigh(sighting: Sighting, lines: Lines): VetSeverity;
}

/** `plain` are the lines of the text as it stands: marks of quotation are gone in other views of it. */
export function contextOf(file: string, kind: FileKind, plain: Lines): FindingContext {
  const isTest = TEST_FILE.test(file);
  const shows = showing(file, plain);
  return {
    weigh(sighting, lines) {
      const { severity, isWords, index } = sighting;
      const line = lines.at(index);
      if (kind === 'script' && !isWords) {
        if (isRemark(file, plain, line) && isRemark(file, plain, lines.at(sighting.end))) return 'LOW';
        return isTest && isInString(lines, index) ? oneLess(severity) : severity;
      }
      if (shows(line, lines, index)) return 'LOW';
      if (!isWords) return severity;
      const quoted = isWords ? quotation(plain, line, lines, index) : 0;
      if (quoted > 0) return quoted === 2 ? 'LOW' : mildest(severity, 'MEDIUM');
      return isTest ? oneLess(severity) : severity;
    },
  };
}

function oneLess(severity: VetSeverity): VetSeverity {
  if (severity === 'CRITICAL') return 'HIGH';
  return severity === 'HIGH' ? 'MEDIUM' : 'LOW';
}

function mildest(severity: VetSeverity, other: VetSeverity): VetSeverity {
  return severity === 'LOW' || severity === 'INFO' ? severity : other;
}

function isRemark(file: string, plain: Lines, line: number): boolean {
  const start = plain.start(line);
  const text = plain.text.slice(start, Math.min(plain.end(line), start + NEAR));
  return PRINTED.test(text) || (SLASHES.test(file) ? SLASH_REMARK : REMARK).test(text);
}

function isInString({ text, at, start }: Lines, index: number): boolean {
  return /["'`]/.test(text.slice(Math.max(start(at(index)), index - NEAR), index));
}

/** Whether the place shows an attack, in a text that is about attacks. Answers are kept for a line. */
function showing(file: string, plain: Lines): (line: number, lines: Lines, index: number) => boolean {
  let isAboutAttacks: boolean | undefined;
  let headings: Headings | undefined;
  const known = new Map<string, boolean>();
  return (line, lines, index) => {
    isAboutAttacks ??= speaksOfAttacks(plain.text);
    if (!isAboutAttacks) return false;
    headings ??= headingsOf(plain.text, MAIN_FILE.test(file));
    const key = `${line} ${index >> 8}`;
    const answer = known.get(key) ?? isShown(headings, aroundOf(plain, line, lines, index), plain.start(line));
    known.set(key, answer);
    return answer;
  };
}

function isShown(headings: Headings, around: string, at: number): boolean {
  const place = `${headings.title}\n${headings.texts[lastUpTo(headings.starts, at)] ?? ''}\n${around}`;
  return SHOWS.test(place) && !DEMANDS.test(place);
}

function aroundOf(plain: Lines, line: number, lines: Lines, index: number): string {
  const start = plain.start(line);
  const isLong = plain.end(line) - start > 2 * NEAR;
  const own = isLong
    ? lines.text.slice(Math.max(0, index - NEAR), index + NEAR)
    : plain.text.slice(start, plain.end(line));
  return isLong ? own : `${plain.text.slice(Math.max(0, start - NEAR), start)}${own}`;
}

/** What it is called is what it offers, and no reason to trust its steps. */
const MAIN_FILE = /(?:^|\/)skill\.md$/i;

interface Headings {
  /** Of a file beside it, which can be about attacks as a whole. */
  readonly title: string;
  readonly starts: readonly number[];
  readonly texts: readonly string[];
}

function headingsOf(text: string, isMain: boolean): Headings {
  const found = Array.from(text.matchAll(/^#{1,6} [^\n]{1,200}/gm));
  return {
    title: isMain ? '' : (found[0]?.[0] ?? ''),
    starts: found.map(({ index }) => index),
    texts: found.map(([heading]) => heading),
  };
}

function speaksOfAttacks(text: string): boolean {
  const words = new Set<string>();
  for (const [word] of text.matchAll(ATTACK)) {
    words.add(word.toLowerCase().slice(0, 6));
    if (words.size === 3) return true;
  }
  return false;
}

/** 2 where words stand in quotation marks and are said to be an example, 1 where they are marked or warned of. */
function quotation(plain: Lines, line: number, lines: Lines, index: number): 0 | 1 | 2 {
  const around = aroundOf(plain, line, lines, index).split('\n').at(-1) ?? '';
  const isMarked = standsMarked(around, lines.text.slice(index, index + 12).split('\n', 1)[0] ?? '');
  if (isMarked) return NAMES.test(around) || WARNS.test(around) ? 2 : 1;
  return WARNS.test(around) ? 1 : 0;
}

/** In quotation marks, as code, in a table or a quoted paragraph; by the line as it is written. */
function standsMarked(line: string, words: string): boolean {
  if (/^\s{0,8}[>|]/.test(line)) return true;
  const before = line.slice(0, Math.max(0, line.indexOf(words)));
  return /[“'‘「『]\s{0,8}[\w ,.:!-]{0,40}$/.test(before) || isOdd(before, '"') || isOdd(before, '`');
}

function isOdd(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 0;
}
