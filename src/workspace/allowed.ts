// Changes that somebody has allowed one by one, as they were then: of these nobody is asked again.
import path from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import { canonicalJson, jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isFlag, isMapOf, isObject, isText } from '../base/value/shape.ts';
import type { FileChange } from './change.ts';

/** `obeyed`: it was said that other tools obey the file. */
export interface AllowedAs {
  readonly obeyed: boolean;
}

export interface Allowed {
  add(changes: readonly FileChange[], as: AllowedAs): void;
  /** How this very result was allowed; undefined where it was not. */
  find(change: FileChange): AllowedAs | undefined;
}

export function openAllowed(folder: string): Allowed {
  const file = path.join(folder, 'allowed.json');
  const stored = jsonIfValid(readTextIfThere(file) ?? '{}');
  const results = new Map(isResults(stored) ? Object.entries(stored) : []);
  return {
    add(changes, { obeyed }) {
      for (const change of changes) results.set(change.path, { result: resultOf(change), obeyed });
      writeFileAtomic(file, JSON.stringify(Object.fromEntries(results)));
    },
    find(change) {
      const found = results.get(change.path);
      return found?.result === resultOf(change) ? found : undefined;
    },
  };
}

const isResults = isMapOf(isObject<AllowedAs & { readonly result: string }>({ result: isText, obeyed: isFlag }));

function resultOf({ after }: FileChange): string {
  return canonicalJson(after ?? null);
}
