// Finds results and changed files that hold the value of a variable, so that they wait for a question of their own.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import type { Redactor } from '../../audit/redact.ts';
import { LONGEST_MATCH } from '../../base/redact/finder.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Secrets } from '../secret.ts';
import { redactorOf } from './without-secrets.ts';

/** Looks at what a call that was given variables leaves behind. */
export interface SecretWatch {
  /** Whether a name would carry one out. */
  isSpelledIn(name: string): boolean;
  /** The names of those whose value a file holds. */
  namesIn(file: string): readonly string[];
}

const PART = 4 * 1024 * 1024;
/** More than that is not looked through, and waits. */
const MOST_BYTES = 512 * 1024 * 1024;
/** A commit packs what it holds. */
const GIT_OBJECT = /(?:^|\/)\.git\/objects\/[0-9a-f]{2}\/[0-9a-f]{38,62}$/;
const LARGEST_OBJECT = 64 * 1024 * 1024;

/** Undefined where there are none. */
export function watchFor(secrets: Secrets): SecretWatch | undefined {
  const redactor = redactorOf(secrets);
  if (!redactor) return undefined;
  const told = Object.keys(secrets).filter((name) => !redactor.tooShort.includes(name));
  let left = MOST_BYTES;
  return {
    isSpelledIn: (name) => redactor.text(name) !== name,
    namesIn(file) {
      if (told.length === 0) return [];
      const look = (descriptor: number, size: number) => {
        left -= size;
        if (left < 0) return told;
        if (GIT_OBJECT.test(file)) return redactor.namesIn(unpacked(descriptor, size));
        return namesInParts(descriptor, size, redactor);
      };
      try {
        return withFile(file, look);
      } catch {
        // What cannot be looked through may hold any of them.
        return told;
      }
    },
  };
}

/** Marks what is in the layer now; names that spell a value are taken away altogether by `withhold`. */
export function markHolding(layer: ProjectLayer, watch: SecretWatch): void {
  const changes = layer.changes().changes.filter(layer.variables.isOpen);
  layer.variables.note(changes.map((change) => ({ change, names: watch.namesIn(layer.content(change.path)) })));
}

/** After a tool of our own, which may have moved or changed what a script wrote. */
export function markChanged(layer: ProjectLayer | undefined, secrets: Secrets): void {
  const watch = layer && !layer.isTooMuch() ? watchFor(secrets) : undefined;
  if (layer && watch) markHolding(layer, watch);
}

function withFile(file: string, use: (descriptor: number, size: number) => readonly string[]): readonly string[] {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? use(descriptor, stats.size) : [];
  } finally {
    closeSync(descriptor);
  }
}

function namesInParts(descriptor: number, size: number, redactor: Redactor): string[] {
  const found = new Set<string>();
  const part = Buffer.alloc(Math.min(size, PART + LONGEST_MATCH));
  for (let from = 0; from < size; from += PART) {
    const read = readSync(descriptor, part, 0, part.length, from);
    for (const name of redactor.namesIn(part.subarray(0, read))) found.add(name);
  }
  return [...found];
}

/** Throws where it is no object, or too large a one. */
function unpacked(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(Math.min(size, LARGEST_OBJECT));
  readSync(descriptor, bytes, 0, bytes.length, 0);
  return inflateSync(bytes, { maxOutputLength: LARGEST_OBJECT });
}
