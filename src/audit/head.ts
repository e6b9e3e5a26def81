// The sealed head of a log, kept under home: its length, how it ended, and which project it belongs to.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { overwriteFile } from '../base/files.ts';
import { canonicalJson, isRecord, jsonIfValid } from '../base/json.ts';
import { openForOverwrite } from '../base/open-file.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isFlag, isNumber, isObject, isOptional, isText } from '../base/value/shape.ts';
import { keyFor, sealJson, unsealJson } from './seal.ts';

/** A project: its path, and the identity of the folder, which survives a move. */
export interface ProjectMark {
  /** The hash of its real path. */
  readonly path: string;
  /** Inode and birth time of the folder; empty where the file system has neither. */
  readonly folder: string;
}

export interface Head {
  readonly run: string;
  /** The number of events written. */
  readonly events: number;
  /** Hash of the last line. */
  readonly hash: string;
  /** The run has ended; nothing may follow. */
  readonly ended: boolean;
  /** How many of the events survive a power cut. */
  readonly flushed: number;
  /** The first event with a seal; older records have none. */
  readonly sealedFrom: number;
  /** The boot id of the machine when this was written. */
  readonly boot: string;
  /** Undefined in older records: there the path of the head says it. */
  readonly project: ProjectMark | undefined;
}

export interface HeadFile {
  write(head: Head): void;
  close(): void;
}

const FORMAT = 2;
// Longer than any head, so that each overwrites the one before in a single write.
const HEAD_LENGTH = 640;

/** Kept open: an event costs one more write, and no open. */
export function openHead(file: string, key: Uint8Array): HeadFile {
  const sealKey = keyFor('head', key);
  const output = openForOverwrite(file);
  return { write: (head) => output.write(render(head, sealKey)), close: () => output.close() };
}

/** Once, for a run without a writer. */
export function writeHead(file: string, head: Head, key: Uint8Array): void {
  overwriteFile(file, render(head, keyFor('head', key)));
}

function render(head: Head, key: KeyObject): string {
  return `${sealJson(JSON.stringify({ format: FORMAT, ...head }), key).padEnd(HEAD_LENGTH)}\n`;
}

/** The head if its seal is ours; `forged` when it is not, undefined when there is none. */
export function readHead(file: string, key: Uint8Array): Head | 'forged' | undefined {
  const head = readHeadOnce(file, key);
  // A running process may be in the middle of writing it: retried.
  return head === 'forged' ? readHeadOnce(file, key) : head;
}

function readHeadOnce(file: string, key: Uint8Array): Head | 'forged' | undefined {
  const text = readTextIfThere(file)?.trimEnd();
  if (text === undefined) return undefined;
  const json = unsealJson(text, keyFor('head', key));
  if (json === undefined) return readFirstFormat(text, key);
  const value = jsonIfValid(json);
  if (!isRecord(value)) return 'forged';
  const { format, ...head } = value;
  return format === FORMAT && isHead(head) ? head : 'forged';
}

const isMark = isObject<ProjectMark>({ path: isText, folder: isText });

const isHead = isObject<Head>({
  run: isText,
  events: isNumber,
  hash: isText,
  ended: isFlag,
  flushed: isNumber,
  sealedFrom: isNumber,
  boot: isText,
  project: isOptional(isMark),
});

/** The first format: sealed at some of the events, and bound to no project. */
function readFirstFormat(text: string, key: Uint8Array): Head | 'forged' {
  const value = jsonIfValid(text);
  if (!isRecord(value)) return 'forged';
  const { run, events, hash, ended, seal } = value;
  if (typeof run !== 'string' || typeof events !== 'number' || typeof hash !== 'string') return 'forged';
  if (typeof ended !== 'boolean' || typeof seal !== 'string') return 'forged';
  const sealed = `skillwright audit head 1\n${canonicalJson({ run, events, hash, ended })}`;
  const [mine, theirs] = [createHmac('sha256', key).update(sealed).digest('hex'), seal].map((code) =>
    Buffer.from(code),
  );
  if (!mine || !theirs || mine.length !== theirs.length || !timingSafeEqual(mine, theirs)) return 'forged';
  const unknown = { sealedFrom: Number.POSITIVE_INFINITY, boot: '', project: undefined };
  return { run, events, hash, ended, flushed: events, ...unknown };
}
