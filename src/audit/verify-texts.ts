// Are the texts beside a log still what was written? Each by its hash, and of an ended run every byte around them.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { namesIfThere, readPartIfThere } from '../base/read-file.ts';
import type { AuditRecord } from './event.ts';
import { type KeptText, keptIn, readKeptBytes, titleOf } from './observation.ts';

export interface Change {
  /** Of the event that names what was changed. */
  readonly seq: number;
  readonly why: string;
}

export function findChangedText(folder: string, records: readonly AuditRecord[], ended: boolean): Change | undefined {
  const files = keptIn(records);
  const texts = [...files.values()].flat().toSorted((a, b) => a.seq - b.seq);
  for (const text of texts) {
    if (isPruned(folder, text)) continue;
    const found = readKeptBytes(folder, text);
    if (found && sha256(found) !== text.sha256) return { seq: text.seq, why: `${text.ref} was changed` };
    // A run that never came to its end may have lost what was not yet on disk.
    if (!found && ended) return { seq: text.seq, why: `${text.ref} was cut` };
  }
  return ended ? findUnrecorded(folder, files, records.length - 1) : undefined;
}

export function countPruned(folder: string, records: readonly AuditRecord[]): number {
  return [...keptIn(records).values()].flat().filter((text) => isPruned(folder, text)).length;
}

/** Texts are thrown away with their whole file: of one that is there, every part must be. */
function isPruned(folder: string, { file }: KeptText): boolean {
  return lstatSync(path.join(folder, file), { throwIfNoEntry: false }) === undefined;
}

/** While a run lasts, a text can be there before the event that names it; at its end there is nothing else. */
function findUnrecorded(
  folder: string,
  files: ReadonlyMap<string, readonly KeptText[]>,
  end: number,
): Change | undefined {
  for (const name of namesIfThere(path.join(folder, 'observations'))) {
    const file = `observations/${name}`;
    const texts = files.get(file);
    if (!texts) return { seq: end, why: `${file} was added` };
    const seq = findStrayBytes(path.join(folder, file), texts, end);
    if (seq !== undefined) return { seq, why: `${file} holds something that was not recorded` };
  }
  return undefined;
}

/** The event before whose text, or behind whose last one, there is something else than a title. */
function findStrayBytes(file: string, texts: readonly KeptText[], end: number): number | undefined {
  let covered = 0;
  for (const [index, { at, seq }] of texts.entries()) {
    const title = titleOf(index + 1, covered);
    const [start, length] = at;
    if (start !== covered + title.length) return seq;
    if (!readPartIfThere(file, { at: covered, length: title.length })?.equals(title)) return seq;
    covered = start + length;
  }
  const stats = lstatSync(file);
  return stats.isFile() && stats.size === covered ? undefined : end;
}
