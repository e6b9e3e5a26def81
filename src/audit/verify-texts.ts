// Verifies the texts beside a log: each by its hash, and of an ended run every byte around them.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { sha256 } from '../base/ids.ts';
import { namesIfThere, readPartIfThere } from '../base/read-file.ts';
import type { AuditRecord } from './event.ts';
import { type KeptText, keptIn, readKeptBytes, titleOf } from './observation.ts';

export interface Change {
  /** Number of the event that references what was changed. */
  readonly seq: number;
  readonly why: string;
}

export interface TextRules {
  readonly ended: boolean;
  /** Whether the removal of this file is recorded. */
  readonly isPruned: (file: string) => boolean;
}

export interface TextVerification {
  readonly changed?: Change;
  /** Texts that were pruned by age. */
  readonly pruned: number;
  /** Texts that were probably never written: the run was killed before they reached the disk. */
  readonly missing: number;
}

/** Texts are pruned with their whole file: of a file that exists, every part must exist. */
export function verifyTexts(folder: string, records: readonly AuditRecord[], rules: TextRules): TextVerification {
  const files = keptIn(records);
  const texts = [...files.values()].flat().toSorted((a, b) => a.seq - b.seq);
  const mayWait = !rules.ended && !isWrittenAtOnce(records);
  let [pruned, missing] = [0, 0];
  for (const text of texts) {
    const state = stateOf(folder, text);
    if (state === 'whole') continue;
    if (state === 'gone' && rules.isPruned(text.file)) pruned++;
    else if (state !== 'changed' && mayWait) missing++;
    else return { changed: { seq: text.seq, why: WHY[state](text) }, pruned, missing };
  }
  const changed = rules.ended ? findUnrecorded(folder, files, records.length - 1) : undefined;
  return { ...(changed && { changed }), pruned, missing };
}

type TextState = 'whole' | 'changed' | 'cut' | 'gone';

const WHY: Record<Exclude<TextState, 'whole'>, (text: KeptText) => string> = {
  changed: ({ ref }) => `${ref} was changed`,
  cut: ({ ref }) => `${ref} was cut`,
  gone: ({ file }) => `${file} is missing, and no pruning is recorded`,
};

function stateOf(folder: string, text: KeptText): TextState {
  const found = readKeptBytes(folder, text);
  if (found) return sha256(found) === text.sha256 ? 'whole' : 'changed';
  return lstatSync(path.join(folder, text.file), { throwIfNoEntry: false }) ? 'cut' : 'gone';
}

/** A resumable run flushes its texts before the event that references them; those of others may come later. */
function isWrittenAtOnce(records: readonly AuditRecord[]): boolean {
  return records.some(
    (record) => record.type === 'run-resumed' || (record.type === 'run-start' && record.kind === 'run'),
  );
}

/** While a run lasts, a text can exist before the event that references it; at its end there is nothing else. */
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

/** The event before whose text, or after whose last one, there is something other than a title. */
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
