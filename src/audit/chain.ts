// An append-only file of sealed JSON lines, each bound to the one before, whose length is kept elsewhere, in a sealed head.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { openForAppend } from '../base/open-file.ts';
import { openHead } from './head.ts';
import { keyFor, sealJson } from './seal.ts';
import { bootId, type ChainRecord, firstLink, type LogPlace, type Verification } from './verify.ts';

export interface ChainOptions extends LogPlace {
  /** Names the chain: its seals and its first link are those of no other. */
  readonly run: string;
  readonly key: Uint8Array;
  /** Redacts secrets from every text before it is written. */
  readonly redact?: (text: string) => string;
  /** Where it continues; absent: a new chain. */
  readonly from?: ChainEnd;
}

/** The end of the verified part of a chain. */
export type ChainEnd = Pick<Verification<ChainRecord>, 'events' | 'hash' | 'length' | 'sealedFrom'>;

type Link = Pick<ChainRecord, 'seq' | 'prev'>;

interface LineUse {
  /** Flushed to disk before the work it announces continues. */
  readonly isDurable: boolean;
  /** Nothing may follow. */
  readonly isEnd: boolean;
}

export interface Chain {
  append<One extends ChainRecord>(make: (link: Link) => One, use: LineUse): One;
  close(): void;
}

export function openChain(options: ChainOptions): Chain {
  const { folder, run, project, from, redact } = options;
  const start = from ?? { events: 0, hash: firstLink(run), length: 0, sealedFrom: 0 };
  const lineKey = keyFor(`line ${run}`, options.key);
  const fixed = { run, project, boot: bootId(), sealedFrom: Math.min(start.sealedFrom, start.events) };
  let { events, hash } = start;
  let flushed = events;
  let isWhole = true;
  // The head comes first: a log without one was tampered with, not interrupted.
  const head = openHead(options.head, options.key);
  if (!from) head.write({ ...fixed, events, hash, flushed, ended: false });
  const output = openForAppend(path.join(folder, 'events.jsonl'), start.length);
  return {
    append(make, { isDurable, isEnd }) {
      const record = make({ seq: events, prev: hash });
      const line = sealJson(serialize(record, redact), lineKey);
      // Nothing may follow a partial line: the rest would read as forged.
      if (!isWhole) throw new Fault('Internal', 'the record could not be written');
      isWhole = false;
      output.append(Buffer.from(`${line}\n`));
      isWhole = true;
      hash = sha256(line);
      events++;
      if (isDurable) {
        output.flush();
        flushed = events;
      }
      // After the line: a kill between the two leaves one line that could be cut off, none that could be changed.
      head.write({ ...fixed, events, hash, flushed, ended: isEnd });
      return record;
    },
    close() {
      head.close();
      output.close();
    },
  };
}

// Line breaks inside a text are escaped by JSON, so that no text can look like a line of its own.
function serialize(record: ChainRecord, redact: ((text: string) => string) | undefined): string {
  if (!redact) return JSON.stringify(record);
  return JSON.stringify(record, (key, value: unknown) =>
    typeof value === 'string' && key !== 'prev' ? redact(value) : value,
  );
}
