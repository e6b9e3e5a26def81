// Needs of shell scripts, by their syntax tree: commands with their words, variables nobody sets, and code for other interpreters.
import type { SyntaxNode, Word } from 'unbash';
import type { FoundNeed } from './code-host.ts';
import { homeName } from './code-program.ts';
import { HOLE, hostIn } from './host.ts';
import type { CodeLanguage } from './lex.ts';
import { isBaseProgram, programName } from './program.ts';
import { hostsOfWords } from './sdk.ts';
import { isSetInside, type ShellVariables, variablesInShell } from './shell-variable.ts';
import { WordTexts } from './shell-word.ts';
import { isOwnVariable } from './variable.ts';

/** Code of another language inside a script: a here-document, or behind `-c`. */
export interface EmbeddedCode {
  readonly language: CodeLanguage;
  readonly text: string;
  /** Where it begins. */
  readonly line: number;
}

export interface ShellNeeds {
  readonly needs: readonly FoundNeed[];
  readonly embedded: readonly EmbeddedCode[];
  /** Whether it connects to anything by itself. */
  readonly connects: boolean;
  /** Variables it sets. */
  readonly sets: ReadonlySet<string>;
  /** Whether it reads in other scripts, which may set variables for it. */
  readonly sources: boolean;
  /** Nested deeper than it is read. */
  readonly isDeep: boolean;
}

export type ShellParser = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;

/** Never throws: what the parser cannot read has no needs. */
export function readShell(text: string, parser: ShellParser): ShellNeeds {
  const reading = new ShellReading(text, parser);
  const isDeep = nestsDeep(text);
  try {
    if (!isDeep) reading.run();
  } catch {
    // Deeper nested than the stack is high: what was found so far counts.
  }
  return { ...reading.result(), isDeep };
}

const DEEPEST = 60;

/** The parser reads each level again: whoever nests that deep does it to hold somebody up. */
function nestsDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/\$[({]|[)}]/g)) {
    depth = sign.startsWith('$') ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** In front of the command that is really run. */
const WRAPPERS = /^(?:sudo|env|time|nohup|exec|command|nice|xargs|builtin|timeout|stdbuf|doas)$/;
const LOOKS_UP = /^(?:which|type|hash|need|require|require_cmd|check_command|has|has_command|command_exists|need_cmd)$/;
const CONNECTS = /^(?:curl|wget|http|https|xh|git|yt-dlp|youtube-dl|aria2c|websocat|lynx|w3m|docker|podman|hf|skopeo)$/;
/** Options of these programs whose value is an address nobody connects to. */
const ASIDE = /^(?:-e|--referer|-A|--user-agent|-H|--header|-o|--output|-d|--data.*|-F|--form)$/;
const NEVER_SENT = /doc|help|link|homepage|license|readme|referer|agent/i;

class ShellReading {
  readonly #text: string;
  readonly #parser: ShellParser;
  readonly #needs: FoundNeed[] = [];
  readonly #embedded: EmbeddedCode[] = [];
  readonly #addresses: FoundNeed[] = [];
  readonly #functions = new Set<string>();
  readonly #called: { readonly name: string; readonly line: number; readonly how: string }[] = [];
  readonly #lines: number[] = [0];
  #variables: ShellVariables = { values: new Map(), assigned: new Set() };
  #texts = new WordTexts(new Map());
  #connects = false;

  constructor(text: string, parser: ShellParser) {
    this.#text = text;
    this.#parser = parser;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lines.push(at + 1);
  }

  run(): void {
    const script = this.#parser.parse(this.#text);
    const { variables, read } = variablesInShell(script, this.#parser);
    this.#variables = variables;
    this.#texts = new WordTexts(variables.values);
    for (const { name, pos } of read) if (isOwnVariable(name)) this.#add('variable', name, pos, 'literal', `$${name}`);
    this.#walk(script);
  }

  result(): Omit<ShellNeeds, 'isDeep'> {
    const programs = this.#called
      .filter(({ name }) => !this.#functions.has(name) && !isBaseProgram(name))
      .map(({ name, line, how }): FoundNeed => ({ kind: 'program', name, line, sure: 'literal', how }));
    const needs = [...this.#needs, ...programs, ...(this.#connects ? this.#addresses : [])];
    const sources = this.#called.some(({ name }) => name === 'source');
    return { needs, embedded: this.#embedded, connects: this.#connects, sets: this.#variables.assigned, sources };
  }

  #add(kind: FoundNeed['kind'], name: string, pos: number, sure: FoundNeed['sure'], how: string, port?: number): void {
    this.#needs.push({ kind, name, ...(port !== undefined && { port }), line: this.#lineAt(pos), sure, how });
  }

  #lineAt(pos: number): number {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle] ?? 0) <= pos) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  #walk(node: SyntaxNode): void {
    if (node.type === 'Function') this.#functions.add(node.name.value);
    if (node.type === 'Command') this.#command(node);
    if (node.type === 'Assignment' && node.value.type === 'Word') this.#address(node.name, node.value);
    if (node.type === 'Word') this.#home(node);
    this.#parser.forEachChild(node, (child) => this.#walk(child));
  }

  /** An address that is kept in a variable is probably used where the script connects to something. */
  #address(name: string, value: Word): void {
    const host = hostIn(this.#textOf(value));
    if (host && !NEVER_SENT.test(name))
      this.#addresses.push({ kind: 'host', ...host, line: this.#lineAt(value.pos), sure: 'likely', how: name });
  }

  #home(word: Word): void {
    const text = this.#textOf(word);
    const [, below] = /^~\/([\w.@+-][\w.@+/-]*)/.exec(text) ?? [];
    if (below !== undefined) this.#add('home', homeName(below), word.pos, 'literal', word.text.slice(0, 60));
  }

  /** The text of a word with holes, constants of the script filled in and home as `~`. */
  #textOf(word: Word): string {
    return this.#texts.of(word);
  }

  #command(node: Extract<SyntaxNode, { type: 'Command' }>): void {
    if (!node.name) return;
    const all = [node.name, ...node.args.filter((arg): arg is Word => arg.type === 'Word')];
    const words = all.map((word) => this.#textOf(word));
    const start = behindWrappers(words);
    const [name = '', ...args] = words.slice(start);
    const pos = all[start]?.pos ?? node.pos;
    this.#embed(name, args, node);
    if (words[0] === 'command' && /^-[vV]$/.test(words[1] ?? '')) {
      this.#call(words[2] ?? '', pos, 'command -v');
      return;
    }
    if (LOOKS_UP.test(name)) for (const one of args) if (isLookedUp(one)) this.#call(one, pos, name);
    this.#call(name, pos, name);
    this.#hosts(programName(name) ?? name, args, pos);
  }

  #call(word: string, pos: number, how: string): void {
    const name = word === '.' ? 'source' : programName(word);
    if (name !== undefined && !isSetInside(word)) this.#called.push({ name, line: this.#lineAt(pos), how });
  }

  #hosts(program: string, args: readonly string[], pos: number): void {
    for (const host of hostsOfWords([program, ...args])) this.#add('host', host, pos, 'implied', program);
    const isConnecting = CONNECTS.test(program);
    if (isConnecting && program !== 'git') this.#connects = true;
    args.forEach((arg, at) => {
      if (ASIDE.test(args[at - 1] ?? '')) return;
      const host = hostIn(arg) ?? (program === 'git' ? gitHost(arg) : undefined);
      if (!host) return;
      const found = { kind: 'host', ...host, line: this.#lineAt(pos), how: program } as const;
      if (isConnecting) this.#needs.push({ ...found, sure: 'literal' });
      else if (!isBaseProgram(program) || !/^(?:echo|printf)$/.test(program)) this.#own(found);
    });
    if (/^(?:nvidia-smi)$/.test(program)) this.#add('device', 'gpu', pos, 'likely', program);
  }

  /** An address given to a function or program that may connect to it. */
  #own(found: Omit<FoundNeed, 'sure'>): void {
    if (!/^(?:open|xdg-open|start|grep|sed|awk|log|info|warn|error|die|fail|usage|test|\[|\[\[)$/.test(found.how))
      this.#addresses.push({ ...found, sure: 'likely' });
  }

  #embed(name: string, args: readonly string[], node: Extract<SyntaxNode, { type: 'Command' }>): void {
    const language = languageOf(name);
    if (!language) return;
    for (const one of node.redirects)
      if (one.type === 'HereDoc')
        this.#embedded.push({ language, text: one.body.text, line: this.#lineAt(one.body.pos) });
    const at = args.findIndex((arg) => /^(?:-c|-e|-p|--eval|--print)$/.test(arg));
    const code = at < 0 ? undefined : args[at + 1];
    if (code !== undefined)
      this.#embedded.push({ language, text: code.replace(HOLE, ''), line: this.#lineAt(node.pos) });
  }
}

/** A dot without a number behind it belongs to a name in data: a script may call its own function `need`, too. */
function isLookedUp(word: string): boolean {
  return !word.startsWith('-') && !/\.\D/.test(word);
}

function languageOf(name: string): CodeLanguage | undefined {
  if (/^python[\d.]*$/.test(name)) return 'python';
  return /^(?:node|bun|deno|tsx)$/.test(name) ? 'javascript' : undefined;
}

function behindWrappers(words: readonly string[]): number {
  let start = 0;
  while (WRAPPERS.test(words[start] ?? '') && start < words.length - 1) {
    start++;
    while (/^-|^\w+=|^\d+[smh]?$/.test(words[start] ?? '') && start < words.length - 1) start++;
  }
  return start;
}

/** `git@host:owner/name`. */
function gitHost(word: string): ReturnType<typeof hostIn> {
  const [, name] = /^git@([\w.-]+):/.exec(word) ?? [];
  const host = name === undefined ? undefined : hostIn(`https://${name}`);
  return host && { ...host, port: 22 };
}
