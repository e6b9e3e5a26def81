// A journal of finished attempts, one line each, so that an interrupted suite can be resumed.

import { jsonIfValid } from '../base/json.ts';
import { type AppendFile, openForAppend } from '../base/open-file.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { isObject, isText } from '../base/value/shape.ts';
import { type Attempt, isNotBegun } from './attempt.ts';
import { isAttempt } from './stored-attempt.ts';

export interface Journal {
  readonly done: ReadonlyMap<string, Attempt>;
  add(key: string, attempt: Attempt): void;
  close(): void;
}

interface JournalEntry {
  readonly key: string;
  readonly attempt: Attempt;
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

/** A line truncated by a kill, or otherwise damaged, is ignored: its attempt is made again. */
function readLine(line: string): JournalEntry | undefined {
  const value = jsonIfValid(line);
  return isEntry(value) ? value : undefined;
}

const isEntry = isObject<JournalEntry>({ key: isText, attempt: isAttempt });
