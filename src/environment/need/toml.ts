// Reads TOML as manifests and locks of Python have it: tables, dotted keys, strings, lists, inline tables; numbers and dates stay texts.

const DEEPEST = 40;
const BLANKS = /(?:[ \t]|\r?\n|#[^\n]*)*/y;
const SPACES = /[ \t]*/y;
const BARE = /[A-Za-z0-9_-]+/y;
const OTHER = /[^\s,\]}#]+(?: \d\d:[^\s,\]}#]+)?/y;
const SHORT: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
  '"': '"',
  '\\': '\\',
};

type Growing = Record<string, unknown>;

/** Throws a SyntaxError that names the line. */
export function parseToml(text: string): Record<string, unknown> {
  return new TomlReader(text).run();
}

class TomlReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '');
  }

  run(): Growing {
    const root = table();
    let open = root;
    for (this.#skip(BLANKS); this.#at < this.#text.length; this.#skip(BLANKS)) {
      if (this.#text.charAt(this.#at) === '[') open = this.#header(root);
      else this.#pair(open);
      this.#endLine();
    }
    return root;
  }

  #fail(): never {
    throw new SyntaxError(`line ${this.#text.slice(0, this.#at).split('\n').length}`);
  }

  #take(shape: RegExp): string {
    shape.lastIndex = this.#at;
    const found = shape.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skip(shape: RegExp): void {
    this.#take(shape);
  }

  #expect(sign: string): void {
    if (!this.#text.startsWith(sign, this.#at)) this.#fail();
    this.#at += sign.length;
  }

  #is(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at);
  }

  #endLine(): void {
    this.#skip(SPACES);
    if (this.#is('#')) this.#skip(/[^\n]*/y);
    if (this.#at < this.#text.length && this.#take(/\r?\n/y) === '') this.#fail();
  }

  #header(root: Growing): Growing {
    const isList = this.#is('[[');
    this.#expect(isList ? '[[' : '[');
    const keys = this.#keys();
    this.#expect(isList ? ']]' : ']');
    const last = keys.pop() ?? '';
    const parent = this.#descend(root, keys);
    if (!isList) return this.#descend(parent, [last]);
    const list = parent[last] ?? [];
    if (!Array.isArray(list)) this.#fail();
    const made = table();
    list.push(made);
    parent[last] = list;
    return made;
  }

  /** The last of a list of tables stands for the list. */
  #descend(from: Growing, keys: readonly string[]): Growing {
    let open = from;
    for (const key of keys) {
      const known = open[key] ?? table();
      open[key] = known;
      const next: unknown = Array.isArray(known) ? known.at(-1) : known;
      if (!isGrowing(next)) this.#fail();
      open = next;
    }
    return open;
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#skip(SPACES);
      keys.push(this.#key());
      this.#skip(SPACES);
    } while (this.#take(/\./y) !== '');
    return keys;
  }

  #key(): string {
    if (this.#is('"') || this.#is("'")) return this.#string();
    const key = this.#take(BARE);
    return key === '' ? this.#fail() : key;
  }

  #pair(into: Growing): void {
    const keys = this.#keys();
    this.#expect('=');
    this.#skip(SPACES);
    const last = keys.pop() ?? '';
    const parent = this.#descend(into, keys);
    if (Object.hasOwn(parent, last)) this.#fail();
    parent[last] = this.#value();
  }

  #value(): unknown {
    if (this.#is('"') || this.#is("'")) return this.#string();
    if (this.#is('[')) return this.#nested(() => this.#list());
    if (this.#is('{')) return this.#nested(() => this.#inline());
    const word = this.#take(OTHER);
    if (word === '') this.#fail();
    return word === 'true' || word === 'false' ? word === 'true' : word;
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > DEEPEST) this.#fail();
    const value = read();
    this.#depth--;
    return value;
  }

  #list(): unknown[] {
    const list: unknown[] = [];
    this.#expect('[');
    for (this.#skip(BLANKS); !this.#is(']'); this.#skip(BLANKS)) {
      list.push(this.#value());
      this.#skip(BLANKS);
      if (!this.#is(']')) this.#expect(',');
    }
    this.#expect(']');
    return list;
  }

  #inline(): Growing {
    const made = table();
    this.#expect('{');
    for (this.#skip(BLANKS); !this.#is('}'); this.#skip(BLANKS)) {
      this.#pair(made);
      this.#skip(BLANKS);
      if (!this.#is('}')) this.#expect(',');
    }
    this.#expect('}');
    return made;
  }

  #string(): string {
    const quote = this.#text.charAt(this.#at);
    const isLong = this.#is(quote.repeat(3));
    const end = isLong ? quote.repeat(3) : quote;
    this.#at += end.length;
    const start = isLong ? this.#at + this.#take(/\r?\n/y).length : this.#at;
    for (let at = start; at < this.#text.length; at++) {
      const sign = this.#text.charAt(at);
      if (sign === '\\' && quote === '"') at++;
      else if (sign === '\n' && !isLong) break;
      else if (this.#text.startsWith(end, at)) {
        // Up to two quotes may stand before the closing three.
        while (isLong && this.#text.charAt(at + 3) === quote) at++;
        this.#at = at + end.length;
        const body = this.#text.slice(start, at);
        return quote === '"' ? this.#unescape(body) : body;
      }
    }
    return this.#fail();
  }

  #unescape(body: string): string {
    return body.replace(/\\(?:\s*\n\s*|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g, (whole, four, eight, one) => {
      const code = Number.parseInt(four ?? eight ?? '', 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      if (one === undefined) return whole.startsWith('\\U') ? this.#fail() : '';
      return SHORT[one] ?? this.#fail();
    });
  }
}

function table(): Growing {
  return Object.create(null);
}

function isGrowing(value: unknown): value is Growing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
