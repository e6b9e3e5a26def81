// A reply as text: for people, as one JSON document, or on two lines.

import { ERRORS } from '../../base/error/catalogue.ts';
import { findErrorType } from '../../base/errors.ts';
import { type FlatOutcome, flatten } from '../../base/flat-outcome.ts';
import { inLanguage, type Language } from '../../base/language.ts';
import { type Failure, icon, type Outcome } from '../../base/outcome.ts';
import { renderCompact } from '../../base/text/compact.ts';
import { paint, type Terminal } from '../../base/text/terminal.ts';
import { replaceHidden, visible, visibleLines } from '../../base/text.ts';
import { refusedResults } from '../view/refused-result.ts';
import type { Reply } from './command.ts';
import type { Format } from './global-options.ts';

/** How the answer is to look. */
export interface Page {
  readonly format: Format;
  readonly language: Language;
  readonly terminal: Terminal;
}

export interface RenderedOutput {
  /** In blocks, each made when it is asked for: a long answer is never held whole. */
  readonly stdout: Iterable<string>;
  readonly stderr: string;
}

const BLOCK = 64 * 1024;

export function renderReply(reply: Reply, page: Page): RenderedOutput {
  switch (page.format) {
    case 'json':
      return { stdout: [`${renderJson(flatten(reply.outcome), page.terminal)}\n`], stderr: '' };
    case 'compact':
      return { stdout: [`${renderCompact(flatten(reply.outcome))}\n`], stderr: '' };
    case 'human':
      return renderHuman(reply, page);
  }
}

function renderJson(outcome: FlatOutcome, terminal: Terminal): string {
  return jsonText(outcome, terminal.interactive ? 2 : 0);
}

/** One document; what could steer a terminal is written as the escapes JSON has for it. */
export function jsonText(value: object, indent = 0): string {
  const text = JSON.stringify(value, undefined, indent);
  return replaceHidden(text.toWellFormed(), (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, index) => `\\u${hidden.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** A failure with nothing else to show goes to stderr, so that a pipe or a redirected file never holds it. */
function renderHuman(reply: Reply, { language, terminal }: Page): RenderedOutput {
  if (reply.document !== undefined) return { stdout: reply.document === '' ? [] : [`${reply.document}\n`], stderr: '' };
  const { outcome } = reply;
  const failed = 'failure' in outcome;
  const heading = paint(`${icon(outcome)} ${visible(withoutCode(outcome))}`, failed ? 'red' : 'bold', terminal);
  const body = reply.lines ?? (reply.human ? [reply.human] : []);
  const hint = reply.hint ?? (failed ? catalogueHint(outcome.failure, language) : undefined);
  const foot = hint ? `${hintLine(hint, language, terminal)}\n` : '';
  const warnings = [...(reply.warnings ?? []), ...refusedResults(outcome, language)];
  const noticed = warnings.map((text) => `${warningLine(text, language, terminal)}\n`).join('');
  if (failed && !reply.lines && !reply.human) return { stdout: [], stderr: `${heading}\n${foot}${noticed}` };
  return { stdout: inBlocks(`${heading}\n`, body, foot), stderr: noticed };
}

/** Codes are for programs: people read the name of the failure in their place, and `--json` keeps the code. */
function withoutCode(outcome: Outcome): string {
  const { summary } = outcome;
  const { type } = 'failure' in outcome ? outcome.failure : {};
  const isCode = type !== undefined && /^[A-Z_]+$/.test(type) && summary.startsWith(`${type}: `);
  const known = isCode ? findErrorType(type) : undefined;
  return known === undefined ? summary : `${known}${summary.slice(type?.length)}`;
}

/** The body apart from the rest: without icons it is often plain ASCII, which is quicker to write. */
function* inBlocks(heading: string, body: Iterable<string>, foot: string): Generator<string> {
  yield heading;
  let block = '';
  for (const line of body) {
    block += `${line}\n`;
    if (block.length < BLOCK) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
  if (foot !== '') yield foot;
}

function catalogueHint({ code = '' }: Failure, language: Language): string | undefined {
  const type = findErrorType(code);
  return type && inLanguage(ERRORS[type].hint, language);
}

/** A hint of many lines, such as the help of a script, keeps them, each indented so that none looks like ours. */
function hintLine(hint: string, language: Language, terminal: Terminal): string {
  const lines = visibleLines(hint).split('\n');
  const said = lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n${`    ${line}`.trimEnd()}`).join('');
  return paint(inLanguage({ en: `  hint:${said}`, zh: `  提示:${said}` }, language), 'dim', terminal);
}

function warningLine(text: string, language: Language, terminal: Terminal): string {
  const shown = visible(text);
  return paint(inLanguage({ en: `  warning: ${shown}`, zh: `  警告: ${shown}` }, language), 'yellow', terminal);
}
