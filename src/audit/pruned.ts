// Which texts of a run were pruned, under seal: a text missing without such a note was removed by somebody else.
import { writeFileAtomic } from '../base/files.ts';
import { jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isListOf, isObject, isText } from '../base/value/shape.ts';
import { keyFor, sealJson, unsealJson } from './seal.ts';

export interface Pruned {
  readonly run: string;
  /** As the record names them: observations/00001.txt. */
  readonly files: readonly string[];
}

export function writePruned(file: string, pruned: Pruned, key: Uint8Array): void {
  writeFileAtomic(file, `${sealJson(JSON.stringify(pruned), keyFor('pruned', key))}\n`, { durable: true });
}

/** Undefined without a note, or with a seal that is not ours. */
export function readPruned(file: string, run: string, key: Uint8Array): readonly string[] {
  const json = unsealJson(readTextIfThere(file)?.trimEnd() ?? '', keyFor('pruned', key));
  const note = json === undefined ? undefined : jsonIfValid(json);
  return isPruned(note) && note.run === run ? note.files : [];
}

const isPruned = isObject<Pruned>({ run: isText, files: isListOf(isText) });
