// Messages of one JSON object a line over the streams of a process, bounded: a line without end and a flood end it.
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord, parseJson } from '../../base/json.ts';

export interface LineStreams {
  readonly input: Writable;
  readonly output: Readable;
}

/** A file of 16 MiB, which a skill may have, and what its writing as text adds. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** Of all it may say before it is asked again; what is short costs as much to read as this. */
const MOST_UNASKED = 64 * 1024 * 1024;
const LEAST_COST = 1024;

export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onerror?: Transport['onerror'];
  onclose?: Transport['onclose'];
  readonly #streams: LineStreams;
  #parts: Buffer[] = [];
  #length = 0;
  #unasked = 0;
  #isClosed = false;

  constructor(streams: LineStreams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    const { output } = this.#streams;
    output.on('data', (chunk: Buffer) => this.#read(chunk));
    output.once('end', () => this.#end());
    output.once('close', () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // An answer to a request of its own asks it for nothing.
    if ('method' in message) this.#unasked = 0;
    const { input } = this.#streams;
    if (this.#isClosed || !input.writable) throw new Error('the server has ended');
    await new Promise<void>((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#end();
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#unasked += Math.max(this.#length, LEAST_COST);
      this.#take();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    if (this.#length > LONGEST_LINE) this.#refuse(`a line of more than ${LONGEST_LINE} bytes`);
    else if (this.#unasked > MOST_UNASKED) this.#refuse(`more than ${MOST_UNASKED} bytes that nobody asked for`);
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }

  /** What is no message is passed over: programs print greetings. */
  #take(): void {
    const line = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#length = 0;
    if (line.trim() === '') return;
    try {
      const message = parseJson(line);
      if (isMessage(message)) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #refuse(why: string): void {
    this.onerror?.(new Error(why));
    this.#end();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts = [];
    this.#streams.output.destroy();
    this.#streams.input.end();
    this.onclose?.();
  }
}

/** What is in it is checked by whoever it is for. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isRecord(value) && value.jsonrpc === '2.0';
}
