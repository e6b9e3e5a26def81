// Inspects the text of one file: patterns in what it says, and everything it hides from its reader.
import type { Text } from '../../base/language.ts';
import { findHidden, type Hidden, removeHidden, truncate, visible } from '../../base/text.ts';
import type { VetSeverity } from '../../config/severity.ts';
import { HIDDEN_ORDER, INJECTION, RULES, type Rule } from './rule.ts';

export interface VetFinding {
  readonly id: string;
  readonly severity: VetSeverity;
  readonly file: string;
  readonly line: number;
  /** Safe to print. */
  readonly excerpt: string;
  readonly says: Text;
  /** How often it occurs in this file; the line is that of the first. */
  readonly count: number;
}

export type FileKind = 'script' | 'prose';

interface Sighting {
  readonly id: string;
  readonly severity: VetSeverity;
  readonly index: number;
  readonly says: Text;
}

const EXCERPT_WIDTH = 160;
const BLANK_LINES = 60;
/** Limit of one rule in one file; more matches add nothing. */
const COUNTED = 10_000;
const NEAR = 400;
// A single {300,} would need the stack of a word for every blank of a long run; so would {40,} below.
const WIDE_GAP = /(?<=\S)[ \t]{300}[ \t]*(?=[^\s|])/g;

export function inspectText(file: string, kind: FileKind, text: string): VetFinding[] {
  // Line breaks stay, so that lines keep their numbers; hidden characters between letters are removed.
  const plain = removeHidden(text).normalize('NFKC');
  const inPlain = [
    ...RULES.flatMap((rule) => look(rule, kind, plain)),
    ...INJECTION.flatMap((rule) =>
      look(rule, kind, plain).map((sighting) => (isQuoted(plain, sighting.index) ? weaken(sighting) : sighting)),
    ),
    ...(kind === 'prose' ? unseenOrders(plain) : []),
    ...padding(plain),
    ...encodedText(plain),
  ];
  const inText = hiddenCharacters(text);
  return [...gather(file, plain, inPlain), ...gather(file, text, inText)];
}

function look({ id, severity, where, pattern, says, weigh }: Rule, kind: FileKind, text: string): Sighting[] {
  if (where !== 'any' && where !== kind) return [];
  const found: Sighting[] = [];
  for (const { index, 0: words } of text.matchAll(pattern)) {
    if (found.push({ id, severity: weigh?.(words, kind) ?? severity, index, says }) === COUNTED) break;
  }
  return found;
}

// Warnings quote attacks; on an endless line only the near context is considered.
function isQuoted(text: string, index: number): boolean {
  const before =
    text
      .slice(Math.max(0, index - NEAR), index)
      .split('\n')
      .at(-1) ?? '';
  const line = before + (text.slice(index, index + NEAR).split('\n', 1)[0] ?? '');
  return (
    /["“”'‘`「『|>]\s*(?:[\w ,.!]{0,40})$/.test(before) ||
    /\b(?:detect|attack|injection|malicious|example|e\.g\.|such as|like|pattern|phrase|suspicious|refuse|attempts?|jailbreak)\b|攻击|注入|检测|例如/i.test(
      line,
    )
  );
}

function weaken(sighting: Sighting): Sighting {
  return { ...sighting, severity: 'MEDIUM' };
}

const UNSEEN = [
  /<!--([\s\S]*?)(?:-->|$)/g,
  /^\[(?:\/\/|comment)\]:\s*#?\s*[("']([^\n]*)/gim,
  /\]\([^()\s]{1,500}\s+["']([^"'\n]{20,2000})["']\)/g,
  /<(?:span|div|p|font)[^>\n]{0,200}(?:display:\s*none|visibility:\s*hidden|font-size:\s*0|color:\s*(?:white|#fff\w*|transparent))[^>\n]{0,200}>([^<]{1,2000})/gi,
];

function unseenOrders(text: string): Sighting[] {
  const says = { en: 'gives an order where a reader of the page sees nothing', zh: '在读者看不到的位置给出指令' };
  return UNSEEN.flatMap((pattern) =>
    Array.from(text.matchAll(pattern))
      .filter(([, inside = '']) => HIDDEN_ORDER.test(inside))
      .map(({ index, 1: inside = '' }) => ({ id: 'unseen-order', severity: gravityOf(inside), index, says })),
  );
}

// Authors leave notes in comments; what only an attacker writes there is more severe.
function gravityOf(inside: string): VetSeverity {
  const isGrave =
    INJECTION.some(({ pattern }) => inside.search(pattern) !== -1) ||
    RULES.some(({ pattern, severity }) => severity !== 'LOW' && inside.search(pattern) !== -1) ||
    /\b(?:curl|wget|exfiltrate|secretly|silently|credentials|api[_ -]?keys?|(?:ai|llm)\s+(?:agent|assistant|model)s?\b[^\n]{0,60}\b(?:must|should|run|execute|send))/i.test(
      inside,
    );
  return isGrave ? 'HIGH' : 'LOW';
}

function padding(text: string): Sighting[] {
  const says = { en: 'puts text where nobody scrolls', zh: '用大量空白隐藏文字' };
  const across = Array.from(text.matchAll(WIDE_GAP), ({ index }) => index);
  return [...longGaps(text), ...across].map((index) => ({ id: 'padding', severity: 'HIGH', index, says }));
}

/** Text after many empty lines; a loop, because a pattern would backtrack on every line of them. */
function longGaps(text: string): number[] {
  const found: number[] = [];
  let blank = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const isBlank = text.slice(at, end).trim() === '';
    if (!isBlank && blank >= BLANK_LINES) found.push(at);
    blank = isBlank ? blank + 1 : 0;
    at = end + 1;
  }
  return found;
}

const BASE64 = /(?<![A-Za-z0-9+/=,;:_-])[A-Za-z0-9+/]{40}[A-Za-z0-9+/]*={0,2}(?![A-Za-z0-9+/=])/g;

/** Encoded text: decoded and inspected like the rest. */
function encodedText(text: string): Sighting[] {
  const says = { en: 'holds an encoded text that says what it should not', zh: '含有编码后的可疑内容' };
  return Array.from(text.matchAll(BASE64)).flatMap(({ index, 0: blob }): Sighting[] => {
    const decoded = Buffer.from(blob, 'base64').toString('latin1');
    if (!/^[\t\n\r\x20-\x7e]+$/.test(decoded.slice(0, 64))) return [];
    const isBad = [...RULES, ...INJECTION].some(
      ({ pattern, severity }) => severity !== 'LOW' && decoded.search(pattern) !== -1,
    );
    return isBad || /\b(?:curl|wget|bash|powershell|import os|subprocess)\b/.test(decoded)
      ? [{ id: 'encoded-text', severity: isBad ? 'CRITICAL' : 'HIGH', index, says }]
      : [];
  });
}

function hiddenCharacters(text: string): Sighting[] {
  const says = { en: 'holds characters nobody sees', zh: '含有不可见字符' };
  return findHidden(text).flatMap((hidden): Sighting[] => {
    const severity = gravityOfHidden(text, hidden);
    return severity ? [{ id: `hidden-${hidden.kind}`, severity, index: hidden.index, says }] : [];
  });
}

function gravityOfHidden(text: string, { kind, index, codePoint }: Hidden): VetSeverity | undefined {
  switch (kind) {
    case 'tag':
      // Regional flags are spelled with them, after a black flag.
      return /\u{1f3f4}[\u{e0000}-\u{e007f}]*$/u.test(text.slice(Math.max(0, index - 16), index))
        ? undefined
        : 'CRITICAL';
    case 'bidi':
      return codePoint === 0x200e || codePoint === 0x200f || codePoint === 0x061c ? 'LOW' : 'HIGH';
    case 'selector-run':
      return 'HIGH';
    case 'control':
      return codePoint === 0x1b || codePoint === 0 ? 'HIGH' : 'LOW';
    case 'zero-width':
      return gravityOfZeroWidth(text, index, codePoint);
  }
}

const JOINING_SCRIPT =
  /[\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}]/u;

// Joiners belong to emoji and to some scripts; a long run of them encodes something.
function gravityOfZeroWidth(text: string, index: number, codePoint: number): VetSeverity | undefined {
  if (/^[\u200b-\u200d\u2060-\u2064\ufeff]{6}/.test(text.slice(index, index + 6))) return 'HIGH';
  if (codePoint === 0xfeff && index === 0) return undefined;
  const around = text.slice(Math.max(0, index - 3), index + 3);
  if ((codePoint === 0x200d || codePoint === 0x200c) && (JOINING_SCRIPT.test(around) || around.includes('\ufe0f')))
    return undefined;
  return 'LOW';
}

/** One finding for each rule, at its first and most severe place, with the number of the others. */
function gather(file: string, text: string, sightings: readonly Sighting[]): VetFinding[] {
  const groups = Map.groupBy(sightings, ({ id, severity }) => `${id} ${severity}`);
  return [...groups.values()].flatMap((group) => {
    const first = group.reduce((a, b) => (b.index < a.index ? b : a));
    const { id, severity, says, index } = first;
    return [
      { id, severity, file, line: lineOf(text, index), excerpt: excerptAt(text, index), says, count: group.length },
    ];
  });
}

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function excerptAt(text: string, index: number): string {
  const start = Math.max(text.lastIndexOf('\n', index - 1) + 1, index - 40);
  const from = text.slice(start, start + EXCERPT_WIDTH * 3).trimStart();
  return truncate(visible(from.split('\n', 1)[0] ?? ''), EXCERPT_WIDTH);
}
