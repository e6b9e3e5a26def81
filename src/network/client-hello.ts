// The server name in the first message of a TLS client, read before anything of it is passed on.

/**
 * `more`: it is not whole yet. `other`: this is not TLS. `unclear`: it begins as TLS does, and is damaged or longer than
 * any real one: a server could read another name in it.
 */
export type FirstBytes = 'more' | 'other' | 'unclear' | { readonly serverName: string | undefined };

const HANDSHAKE = 0x16;
const VERSION = 3;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const LONGEST_HELLO = 64 * 1024;

export function readClientHello(bytes: Uint8Array): FirstBytes {
  const hello = joinRecords(bytes);
  if (typeof hello === 'string') return hello;
  try {
    return { serverName: serverNameIn(new Cursor(hello)) };
  } catch (error) {
    if (error instanceof RangeError) return 'unclear';
    throw error;
  }
}

/** One message can be spread over several records. */
function joinRecords(bytes: Uint8Array): Uint8Array | 'more' | 'other' | 'unclear' {
  const parts: Uint8Array[] = [];
  let wanted = 4;
  let got = 0;
  for (let at = 0; got < wanted; ) {
    const isOther =
      (bytes.length > at && bytes[at] !== HANDSHAKE) || (bytes.length > at + 1 && bytes[at + 1] !== VERSION);
    if (isOther) return at === 0 ? 'other' : 'unclear';
    if (bytes.length < at + 5) return 'more';
    const length = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
    if (length === 0) return 'unclear';
    const part = bytes.subarray(at + 5, at + 5 + length);
    parts.push(part);
    got += part.length;
    at += 5 + length;
    if (wanted === 4 && got >= 4) {
      const start = Buffer.concat(parts);
      if (start[0] !== CLIENT_HELLO) return 'unclear';
      wanted = 4 + start.readUIntBE(1, 3);
      if (wanted > LONGEST_HELLO) return 'unclear';
    }
    if (got < wanted && at > bytes.length) return 'more';
  }
  return Buffer.concat(parts).subarray(4, wanted);
}

/** Undefined where the client names none. Throws a RangeError for what no client sends. */
function serverNameIn(hello: Cursor): string | undefined {
  hello.skip(2 + 32);
  hello.take(1);
  hello.take(2);
  hello.take(1);
  if (hello.isAtEnd()) return undefined;
  const extensions = new Cursor(hello.take(2));
  let found: string | undefined;
  while (!extensions.isAtEnd()) {
    const kind = extensions.number(2);
    const content = extensions.take(2);
    if (kind !== SERVER_NAME) continue;
    // Of two names, a server may take the other one.
    if (found !== undefined) throw new RangeError('two server names');
    found = nameIn(new Cursor(content));
  }
  return found;
}

function nameIn(extension: Cursor): string {
  const list = new Cursor(extension.take(2));
  if (list.number(1) !== HOST_NAME) throw new RangeError('kind of server name');
  const name = Buffer.from(list.take(2)).toString('latin1');
  if (!list.isAtEnd() || !extension.isAtEnd()) throw new RangeError('more than one server name');
  return name;
}

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  skip(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('shorter than it says');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  number(size: number): number {
    return this.skip(size).reduce((value, byte) => value * 256 + byte, 0);
  }

  /** What follows its own length of that many bytes. */
  take(size: number): Uint8Array {
    return this.skip(this.number(size));
  }
}
