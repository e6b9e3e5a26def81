// Facts of code from its tokens, for languages without a parser of their own here: which call, key and name a string stands in.

import { type Bracket, isBehindCommand, openBracket } from './bracket.ts';
import {
  COMPARED,
  type CodeCall,
  type CodeFacts,
  type CodeString,
  type CodeWords,
  RAISED,
  READ_VARIABLE,
  SET_VARIABLE,
} from './code-facts.ts';
import { aliasesIn, ENVIRONMENT, READS, takenApart } from './environment-name.ts';
import { type CodeLanguage, type CodeToken, lexCode } from './lex.ts';

type Growing<Facts> = { [Key in keyof Facts]: Facts[Key] extends readonly (infer One)[] ? One[] : never };

const KEYWORDS = new Set(
  `if for while switch catch return const let var function async await new typeof in of else do try finally throw case
  default break continue class extends import export from as def lambda not and or is with elif except pass yield raise
  assert True False None true false null undefined this self void delete static public private readonly`.split(/\s+/),
);
/** Brackets around a string that can matter to it. */
const FARTHEST = 32;
const CONTROL = /^(?:if|for|while|switch|catch|return|with|elif|not|and|or|in|await|typeof|assert|except)$/;

export function tokenFacts(text: string, language: CodeLanguage): CodeFacts {
  const facts = new Walk(lexCode(text, language), aliasesIn(text), language).run();
  return language === 'javascript' ? { ...facts, strings: [...facts.strings, ...takenApart(text)] } : facts;
}

class Walk {
  readonly #tokens: readonly CodeToken[];
  readonly #aliases: ReadonlySet<string>;
  readonly #isPython: boolean;
  readonly #facts: Growing<CodeFacts> = { imports: [], strings: [], calls: [], words: [], assigns: [], functions: [] };
  readonly #stack: Bracket[] = [openBracket('block', '', 1)];
  #closed: Bracket | undefined;
  /** The path of names before the token: `a.b.c`. */
  #path = '';
  #raising = false;

  constructor(tokens: readonly CodeToken[], aliases: ReadonlySet<string>, language: CodeLanguage) {
    this.#tokens = tokens;
    this.#aliases = aliases;
    this.#isPython = language === 'python';
  }

  run(): CodeFacts {
    for (let at = 0; at < this.#tokens.length; at++) this.#step(at);
    while (this.#stack.length > 1) this.#close(this.#tokens.length);
    return this.#facts;
  }

  #top(): Bracket {
    return this.#stack[this.#stack.length - 1] ?? openBracket('block', '', 1);
  }

  #step(at: number): void {
    const token = this.#tokens[at];
    if (!token) return;
    if (token.first && this.#endsStatement(at)) this.#endStatement();
    if (token.kind === 'name') this.#name(token, at);
    else if (token.kind === 'string') this.#string(token, at);
    else if (token.kind === 'sign') this.#sign(token, at);
    if (token.kind !== 'name' && token.text !== '.' && token.text !== '?.') this.#path = '';
  }

  #endsStatement(at: number): boolean {
    if (this.#top().kind !== 'block') return false;
    const before = this.#tokens[at - 1];
    const now = this.#tokens[at]?.text ?? '';
    if (this.#isPython) return true;
    return before?.kind !== 'sign' || (/^[)\]};]$/.test(before.text) && !/^[.?:&|+=]/.test(now));
  }

  #endStatement(): void {
    this.#top().names = [];
    this.#raising = false;
  }

  #name({ text, line }: CodeToken, at: number): void {
    const before = this.#tokens[at - 1]?.text;
    const isMember = before === '.' || before === '?.';
    const holder = isMember ? this.#path : '';
    this.#path = isMember ? `${this.#path}.${text}` : text;
    if (!isMember && KEYWORDS.has(text)) {
      this.#keyword(text, at);
      return;
    }
    if (isMember && this.#isEnvironment(holder) && !(this.#isPython && this.#tokens[at + 1]?.text === '(')) {
      if (/^[A-Za-z_]\w*$/.test(text) && !/^(?:get|pop|copy|items|keys|setdefault|update|toObject|has)$/.test(text))
        this.#found(text, line, this.#isSet(at) ? SET_VARIABLE : READ_VARIABLE);
    }
    this.#assigned(text, at, isMember);
    this.#mention(text);
    if (isMember) this.#mention(`:${text}`);
    this.#aside(text, at);
  }

  #isEnvironment(path: string): boolean {
    return ENVIRONMENT.test(path) || (this.#aliases.has(path) && path !== '');
  }

  #isSet(at: number): boolean {
    return this.#tokens[at + 1]?.text === '=';
  }

  #keyword(text: string, at: number): void {
    if (text === 'raise' || text === 'throw') this.#raising = true;
    if (text === 'import' || text === 'from') this.#import(at);
    if (/^(?:const|let|var|return|if|for|def|class)$/.test(text) && this.#top().kind === 'block')
      this.#top().names = [];
  }

  #import(at: number): void {
    const next = this.#tokens[at + 1];
    if (!next) return;
    if (this.#isPython && next.kind === 'name') this.#pythonImports(at + 1, next.line);
    const literal = next.text === '(' ? this.#tokens[at + 2] : next;
    if (!this.#isPython && literal?.kind === 'string')
      this.#facts.imports.push({ name: literal.text, line: literal.line });
  }

  /** `import a, b.c as d`. */
  #pythonImports(start: number, line: number): void {
    for (let at = start, count = 0; count < 20; count++) {
      this.#facts.imports.push({ name: this.#pathFrom(at), line });
      while (this.#tokens[at]?.line === line && this.#tokens[at]?.text !== ',') at++;
      if (this.#tokens[at]?.line !== line || this.#tokens[start - 1]?.text !== 'import') return;
      at++;
    }
  }

  #pathFrom(at: number): string {
    let path = this.#tokens[at]?.text ?? '';
    for (let next = at + 1; this.#tokens[next]?.text === '.' && path.length < 100; next += 2)
      path += `.${this.#tokens[next + 1]?.text ?? ''}`;
    return path;
  }

  /** `name =`, `name: type =`, `key:`, and an argument that opens with it. */
  #assigned(text: string, at: number, isMember: boolean): void {
    const [before, next] = [this.#tokens[at - 1]?.text ?? '', this.#tokens[at + 1]?.text ?? ''];
    const top = this.#top();
    const opens = before === '(' || before === ',' || before === '{';
    if (top.kind === 'record' && opens && next === ':') top.key = text;
    else if (top.kind === 'call' && this.#isPython && next === '=') {
      top.key = text;
      top.keys.push(text);
    } else if (next === '=' || (next === ':' && !isMember && this.#isTyped(at))) top.names = [text];
    if (top.kind !== 'record' && opens && !isMember) top.params.push(text);
    if (top.kind === 'record' && next === ':' && opens) this.#callFrame()?.keys.push(text);
  }

  /** `const name: Type = …` and `name: type = …`. */
  #isTyped(at: number): boolean {
    for (let next = at + 2; next < at + 12; next++) {
      const text = this.#tokens[next]?.text;
      if (text === '=') return true;
      if (text === undefined || /^[(){};,]$/.test(text)) return false;
    }
    return false;
  }

  #mention(name: string): void {
    for (const one of this.#around()) if (one.kind === 'call') one.args[one.at]?.push(name);
    const names = this.#names();
    if (names.length > 0 && !names.includes(name)) this.#assign(names, name);
  }

  #assign(names: readonly string[], from: string): void {
    if (this.#facts.assigns.length < 50_000) for (const name of names) this.#facts.assigns.push({ name, from: [from] });
  }

  /** `require('x')`, and functions by their keyword. */
  #aside(text: string, at: number): void {
    if (text === 'require' && this.#tokens[at + 1]?.text === '(' && this.#tokens[at + 2]?.kind === 'string') {
      const { text: name = '', line = 1 } = this.#tokens[at + 2] ?? {};
      this.#facts.imports.push({ name, line });
    }
  }

  /** Open brackets from the inside out, up to the body of a function. */
  #around(): Bracket[] {
    const start = this.#body();
    return this.#stack.slice(start + 1).reverse();
  }

  /** The innermost body of a function, or the outermost bracket that is looked at. */
  #body(): number {
    let at = this.#stack.length - 1;
    while (at > 0 && this.#stack.length - at < FARTHEST && this.#stack[at]?.kind !== 'block') at--;
    return at;
  }

  #callFrame(): Bracket | undefined {
    return this.#around().find(({ kind }) => kind === 'call');
  }

  #names(): string[] {
    const start = this.#body();
    return this.#stack
      .slice(start)
      .flatMap(({ names, key, kind }) => (key === '' ? names : [...names, kind === 'record' ? `:${key}` : key]));
  }

  #string(token: CodeToken, at: number): void {
    const next = this.#tokens[at + 1]?.text ?? '';
    const before = this.#tokens[at - 1]?.text ?? '';
    const top = this.#top();
    if (top.kind === 'record' && next === ':') {
      top.key = token.text;
      return;
    }
    // A string that is a whole statement is documentation.
    if (this.#isPython && token.first && top.kind === 'block') return;
    for (const name of token.names ?? []) this.#mention(name);
    if (top.kind === 'list' || top.kind === 'call') top.words.push(/^[[(,]$/.test(before) ? token.text : null);
    const call = this.#callFrame();
    const compared = /^(?:===?|!==?|in|case)$/.test(before) || /^(?:===?|!==?)$/.test(next) || next === 'in';
    const callee = this.#raising ? RAISED : compared ? COMPARED : (call?.callee ?? '');
    if (next === 'in' && this.#isEnvironment(this.#pathFrom(at + 2)))
      this.#found(token.text, token.line, READ_VARIABLE);
    else this.#found(token.text, token.line, callee, call?.key ? -1 : (call?.at ?? -1));
  }

  #found(text: string, line: number, call: string, at = 0): void {
    const one: CodeString = { text, line, call, at, names: this.#names().slice(-4) };
    if (this.#facts.strings.length < 20_000 && text.length <= 2000) this.#facts.strings.push(one);
  }

  #sign({ text, line }: CodeToken, at: number): void {
    if (text === '(' || text === '[' || text === '{') this.#open(text, line, at);
    else if (text === ')' || text === ']' || text === '}') this.#close(at);
    else if (text === ',') this.#comma();
    else if (text === ';') this.#endStatement();
    else if (text === '=>') this.#arrow(at);
  }

  #comma(): void {
    const top = this.#top();
    top.key = '';
    top.at++;
    top.args.push([]);
    if (top.kind === 'block') top.names = [];
  }

  #open(sign: string, line: number, at: number): void {
    const before = this.#tokens[at - 1];
    const callee = this.#path;
    const isCallee = (before?.kind === 'name' && !CONTROL.test(before.text)) || before?.text === ')';
    if (sign === '(')
      return void this.#stack.push(
        openBracket(isCallee && callee !== '' ? 'call' : 'group', this.#spoken(callee), line),
      );
    if (sign === '[') {
      const isKey = this.#isEnvironment(callee) && before?.kind === 'name';
      return void this.#stack.push(openBracket(isKey ? 'call' : 'list', isKey ? READ_VARIABLE : '', line));
    }
    const isRecord = this.#isPython || /^(?:[=(,:[?]|return|&&|\|\||\?\?)$/.test(before?.text ?? '');
    if (!isRecord && before?.text === ')' && this.#closed) this.#function(this.#closed, this.#closed.callee);
    this.#stack.push(openBracket(isRecord ? 'record' : 'block', '', line));
  }

  #spoken(callee: string): string {
    const [holder, method] = [callee.slice(0, callee.lastIndexOf('.')), callee.slice(callee.lastIndexOf('.') + 1)];
    const isRead = READS.test(callee) || (this.#aliases.has(holder) && /^(?:get|pop)$/.test(method));
    return isRead ? READ_VARIABLE : callee;
  }

  #close(at: number): void {
    if (this.#stack.length < 2) return;
    const closed = this.#stack.pop();
    if (!closed) return;
    this.#closed = closed;
    if (closed.kind === 'call') this.#call(closed, at);
    if (closed.kind !== 'list' && closed.kind !== 'call') return;
    const { words } = this.#top();
    // A command that is not known stays in front of its words.
    if (closed.kind === 'list' && isBehindCommand(this.#top()))
      words.push(...(words[0] ? [] : [null]), ...closed.words);
    else if (closed.words[0]) this.#keepWords(closed);
  }

  #call({ callee, line, args, keys }: Bracket, at: number): void {
    const isSet = callee === READ_VARIABLE && this.#tokens[at]?.text === ']' && this.#tokens[at + 1]?.text === '=';
    if (isSet) {
      const last = this.#facts.strings.at(-1);
      if (last?.call === READ_VARIABLE) this.#facts.strings.pop();
      return;
    }
    const call: CodeCall = { callee, line, args: args.map((names) => names.slice(0, 60)), keys };
    if (this.#facts.calls.length < 20_000) this.#facts.calls.push(call);
    if (this.#isPython && this.#tokens[at + 1]?.text === ':') this.#function({ params: [] }, callee);
    if (this.#isPython && this.#closed && /^(?::|->)$/.test(this.#tokens[at + 1]?.text ?? ''))
      this.#function(this.#closed, callee);
  }

  #keepWords({ words, line, callee, kind }: Bracket): void {
    const call = kind === 'call' ? callee : (this.#callFrame()?.callee ?? '');
    const kept: CodeWords = { words: words.slice(0, 40), line, call, names: this.#names() };
    if (this.#facts.words.length < 20_000) this.#facts.words.push(kept);
  }

  #arrow(at: number): void {
    const name = this.#top().names.at(-1) ?? (this.#top().kind === 'record' ? this.#top().key : '');
    const before = this.#tokens[at - 1];
    if (name === '' || !before) return;
    if (before.kind === 'name') this.#function({ params: [before.text] }, name);
    else if (this.#closed) this.#function(this.#closed, name);
  }

  #function({ params }: Pick<Bracket, 'params'>, path: string): void {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (name !== '' && !CONTROL.test(name) && this.#facts.functions.length < 5000)
      this.#facts.functions.push({ name, params: params.filter((one) => one !== 'self' && one !== 'cls') });
  }
}
