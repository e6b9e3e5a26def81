// Cuts code of JavaScript, TypeScript and Python into tokens: enough to tell strings from comments and calls from names.
import { HOLE_END, HOLE_START } from './host.ts';

export type CodeLanguage = 'javascript' | 'python';

export interface CodeToken {
  readonly kind: 'name' | 'string' | 'sign' | 'number' | 'pattern';
  /** Of a string: its text, with holes. */
  readonly text: string;
  readonly line: number;
  /** Names in the holes of a string. */
  readonly names?: readonly string[];
  /** The first of its line. */
  readonly first: boolean;
}

const MOST_TOKENS = 400_000;
const LONGEST_PATTERN = 500;
/** Templates in templates. */
const DEEPEST = 20;
const NAME_START = /[\p{L}_$]/u;
const NAME = /[\p{L}\p{N}_$]+/uy;
const NUMBER = /\d[\w.]*/y;
const PREFIX = /^(?:[rbuf]|rb|br|fr|rf)$/i;
/** Behind these a slash starts a pattern, not a division. */
const BEFORE_PATTERN =
  /^(?:[=(,:[!&|?{};+\-*%~^<>]|=>|return|typeof|case|in|of|void|delete|throw|else|do|await|yield)$/;

/** Never throws; what is not closed ends with the text. */
export function lexCode(text: string, language: CodeLanguage): CodeToken[] {
  return new Lexer(text, language).run();
}

class Lexer {
  readonly #text: string;
  readonly #isPython: boolean;
  readonly #depth: number;
  readonly #tokens: CodeToken[] = [];
  #at = 0;
  #line = 1;
  #first = true;

  constructor(text: string, language: CodeLanguage, depth = 0) {
    this.#text = text;
    this.#depth = depth;
    this.#isPython = language === 'python';
  }

  run(): CodeToken[] {
    while (this.#at < this.#text.length && this.#tokens.length < MOST_TOKENS) this.#step();
    return this.#tokens;
  }

  #step(): void {
    const text = this.#text;
    const sign = text.charAt(this.#at);
    if (sign === '\n') {
      this.#line++;
      this.#first = true;
      this.#at++;
    } else if (/\s/.test(sign)) this.#at++;
    else if (this.#isComment(sign)) this.#skipComment();
    else if (sign === '"' || sign === "'" || (sign === '`' && !this.#isPython)) this.#string(sign, '');
    else if (NAME_START.test(sign)) this.#name();
    else if (/\d/.test(sign)) this.#take('number', NUMBER);
    else if (sign === '/' && !this.#isPython && this.#isPattern()) this.#pattern();
    else this.#sign(sign);
  }

  #isComment(sign: string): boolean {
    if (this.#isPython) return sign === '#';
    const next = this.#text.charAt(this.#at + 1);
    return (sign === '/' && (next === '/' || next === '*')) || (sign === '#' && next === '!' && this.#at === 0);
  }

  #skipComment(): void {
    const isBlock = this.#text.startsWith('/*', this.#at) && !this.#isPython;
    const end = this.#text.indexOf(isBlock ? '*/' : '\n', this.#at + (isBlock ? 2 : 0));
    const stop = end < 0 ? this.#text.length : end + (isBlock ? 2 : 0);
    this.#countLines(this.#at, stop);
    this.#at = stop;
  }

  #countLines(from: number, to: number): void {
    for (let at = this.#text.indexOf('\n', from); at >= 0 && at < to; at = this.#text.indexOf('\n', at + 1))
      this.#line++;
  }

  #add(kind: CodeToken['kind'], text: string, line: number, names?: readonly string[]): void {
    this.#tokens.push({ kind, text, line, first: this.#first, ...(names && { names }) });
    this.#first = false;
  }

  #take(kind: CodeToken['kind'], shape: RegExp): void {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#text)?.[0] ?? this.#text.charAt(this.#at);
    this.#add(kind, found, this.#line);
    this.#at += found.length;
  }

  #name(): void {
    NAME.lastIndex = this.#at;
    const found = NAME.exec(this.#text)?.[0] ?? this.#text.charAt(this.#at);
    const quote = this.#text.charAt(this.#at + found.length);
    if (this.#isPython && (quote === '"' || quote === "'") && PREFIX.test(found)) {
      this.#at += found.length;
      this.#string(quote, found.toLowerCase());
      return;
    }
    this.#add('name', found, this.#line);
    this.#at += found.length;
  }

  #sign(sign: string): void {
    const three = this.#text.slice(this.#at, this.#at + 3);
    const found = /^(?:=>|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\.\.\.|:=|->)/.exec(three)?.[0] ?? sign;
    this.#add('sign', found, this.#line);
    this.#at += found.length;
  }

  #isPattern(): boolean {
    const last = this.#tokens.at(-1);
    return last === undefined || (last.kind !== 'string' && BEFORE_PATTERN.test(last.text));
  }

  /** Ends in its line, so that a division taken for a pattern costs one line at most. */
  #pattern(): void {
    const near = this.#text.slice(this.#at, this.#at + LONGEST_PATTERN);
    const pattern = /^\/(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.exec(near)?.[0];
    if (pattern === undefined) {
      this.#sign('/');
      return;
    }
    this.#add('pattern', pattern, this.#line);
    this.#at += pattern.length;
  }

  #string(quote: string, prefix: string): void {
    if (quote === '`') {
      this.#template();
      return;
    }
    const isTriple = this.#isPython && this.#text.startsWith(quote.repeat(3), this.#at);
    const end = isTriple ? quote.repeat(3) : quote;
    const line = this.#line;
    const body = this.#body(this.#at + end.length, end, isTriple);
    const holes: string[] = [];
    const keep = (_: string, inner: string) => hole(inner, holes);
    this.#addText(prefix.includes('f') ? body.replace(/(?<!\{)\{([^{}]*)\}/g, keep) : body, line, holes);
  }

  #template(): void {
    const end = endOfTemplate(this.#text, this.#at);
    const holes: string[] = [];
    let body = '';
    for (let at = this.#at + 1; at < end - 1; at++) {
      const stop = this.#text.startsWith('${', at) ? endOfHole(this.#text, at + 2) : undefined;
      body += stop === undefined ? this.#text.charAt(at) : hole(this.#text.slice(at + 2, stop - 1), holes);
      at = stop === undefined ? at : stop - 1;
    }
    const line = this.#line;
    this.#countLines(this.#at, end);
    this.#at = end;
    this.#addText(body.replace(/\\([`\\/$])/g, '$1'), line, holes);
  }

  /** The text, and behind it what stands in its holes, in brackets of its own. */
  #addText(text: string, line: number, holes: readonly string[]): void {
    const names = holes.flatMap((inner) => inner.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).slice(0, 40);
    this.#add('string', text, line, names);
    for (const inner of holes) {
      if (!/\benv|[('"`]/.test(inner) || inner.length > 2000 || this.#depth > DEEPEST) continue;
      this.#add('sign', '(', line);
      for (const one of new Lexer(inner, this.#isPython ? 'python' : 'javascript', this.#depth + 1).run())
        this.#tokens.push({ ...one, line: one.line + line - 1, first: false });
      this.#add('sign', ')', line);
    }
  }

  #body(start: number, end: string, mayWrap: boolean): string {
    const text = this.#text;
    let at = start;
    for (; at < text.length; at++) {
      const sign = text.charAt(at);
      if (sign === '\\') {
        if (text.charAt(at + 1) === '\n') this.#line++;
        at++;
      } else if (sign === '\n') {
        if (!mayWrap) break;
        this.#line++;
      } else if (sign === end.charAt(0) && text.startsWith(end, at)) break;
    }
    const body = text.slice(start, at);
    this.#at = Math.min(text.length, text.startsWith(end, at) ? at + end.length : at);
    return body.includes('\\') ? body.replace(/\\(["'`\\/])/g, '$1') : body;
  }
}

/** The last name of a hole names it, if it is nothing but a path of names. */
function hole(inner: string, holes: string[]): string {
  holes.push(inner);
  const [, name] = /^[\w$.?\s]*?([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(inner.slice(0, 200)) ?? [];
  return HOLE_START + (name ?? '') + HOLE_END;
}

/** Behind the closing backtick; a template may hold others in its holes. */
function endOfTemplate(text: string, start: number, depth = 0): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '`') {
    if (text.charAt(at) === '\\') at += 2;
    else if (text.startsWith('${', at)) at = endOfHole(text, at + 2, depth + 1);
    else at++;
  }
  return Math.min(text.length, at + 1);
}

/** Behind the closing brace. */
function endOfHole(text: string, start: number, depth = 0): number {
  let open = 1;
  let at = start;
  for (; at < text.length && open > 0; at++) {
    const sign = text.charAt(at);
    if (sign === '{') open++;
    else if (sign === '}') open--;
    else if (sign === '`' && depth < DEEPEST) at = endOfTemplate(text, at, depth + 1) - 1;
    else if (sign === "'" || sign === '"') at = endOfQuote(text, at);
  }
  return at;
}

/** The closing quote, if it is in the same line; else the place itself. */
function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length && text.charAt(at) !== '\n'; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === text.charAt(start)) return at;
  }
  return start;
}
