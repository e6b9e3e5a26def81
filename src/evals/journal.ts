// A journal of finished attempts, one line each, so that an interrupted suite can be resumed.

import { isRecord, parseJson } from '../base/json.ts';
import { type AppendFile, openForAppend } from '../base/open-file.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { type Attempt, isNotBegun } from './attempt.ts';

export interface Journal {
  readonly done: ReadonlyMap<string, Attempt>;
  add(key: string, attempt: Attempt): void;
  close(): void;
}

/** Crashed and skipped attempts are retried. */
export function openJournal(file: string): Journal {
  const done = readDone(readTextIfThere(file) ?? '');
  const output: AppendFile = openForAppend(file);
  return {
    done,
    add(key, attempt) {
      if (!done.has(key) && !isNotBegun(attempt)) output.append(Buffer.from(`${JSON.stringify({ key, attempt })}\n`));
    },
    close: () => output.close(),
  };
}

function readDone(text: string): Map<string, Attempt> {
  const done = new Map<string, Attempt>();
  for (const line of text.split('\n')) {
    const entry = readLine(line);
    if (!entry) continue;
    if (entry.attempt.state === 'passed' || entry.attempt.state === 'failed') done.set(entry.key, entry.attempt);
  }
  return done;
}

/** A last line truncated by a kill is ignored. */
function readLine(line: string): { key: string; attempt: Attempt } | undefined {
  try {
    const value = parseJson(line);
    if (!isRecord(value) || typeof value.key !== 'string' || !isRecord(value.attempt)) return undefined;
    return { key: value.key, attempt: value.attempt as unknown as Attempt };
  } catch {
    return undefined;
  }
}
