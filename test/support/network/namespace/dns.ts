// A name server on UDP for tests: A, AAAA and CNAME records, and names that are bound anew with every question.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4, isIPv6 } from 'node:net';

/** By name: each question gets the next set, and the last one for good; an entry that is no address is an alias. */
export type Zone = Readonly<Record<string, readonly (readonly string[])[]>>;

export interface NameServer {
  /** As `A name` and `AAAA name`, in order. */
  readonly asked: readonly string[];
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };
const HEADER = 12;
const [ALIAS, INTERNET] = [5, 1];

export async function serveNames(address: string, zone: Zone): Promise<NameServer> {
  const asked: string[] = [];
  const turns = new Map<string, number>();
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  socket.on('message', (query, { address: from, port }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${TYPES[type] ?? type} ${name}`);
    // A resolver asks for both kinds at once: they are one look-up, told by the first kind.
    const turn = turns.get(name) ?? -1;
    if (type === 1) turns.set(name, turn + 1);
    const sets = zone[name] ?? [];
    const set = sets[Math.min(type === 1 ? turn + 1 : Math.max(turn, 0), sets.length - 1)] ?? [];
    const records = set.flatMap((one) => recordsOf(name, one, type, zone));
    socket.send(answerTo(query.subarray(0, end), records, name in zone), port, from);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return { asked };
}

interface NameRecord {
  readonly name: string;
  readonly type: number;
  readonly data: Buffer;
}

function recordsOf(name: string, value: string, wanted: number, zone: Zone): NameRecord[] {
  if (isIPv4(value)) return wanted === 1 ? [{ name, type: 1, data: Buffer.from(value.split('.').map(Number)) }] : [];
  if (isIPv6(value)) return wanted === 28 ? [{ name, type: 28, data: sixteenBytes(value) }] : [];
  const further = (zone[value]?.[0] ?? []).flatMap((one) => recordsOf(value, one, wanted, zone));
  return [{ name, type: ALIAS, data: labels(value) }, ...further];
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const parts: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    parts.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: parts.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Never to be kept: the time to live is none. */
function answerTo(question: Buffer, records: readonly NameRecord[], isKnown: boolean): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER));
  header.writeUInt16BE(isKnown ? 0x8580 : 0x8583, 2);
  for (const [index, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + index * 2);
  const answers = records.map(({ name, type, data }) => {
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(INTERNET, 2);
    fixed.writeUInt16BE(data.length, 8);
    return Buffer.concat([labels(name), fixed, data]);
  });
  return Buffer.concat([header, question.subarray(HEADER), ...answers]);
}

function labels(name: string): Buffer {
  const parts = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...parts, Buffer.from([0])]);
}

function sixteenBytes(address: string): Buffer {
  const written = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const groups = (text = '') => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail)];
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}
