// The journal of one transaction: what it changes and how far it came; sealed, under home, beside the content it replaced.
import path from 'node:path';
import { keyFor, openAuditKey, sealJson, unsealJson } from '../../audit/seal.ts';
import { makeFolder, removeTree, touchFile, writeFileAtomic } from '../../base/files.ts';
import { jsonIfValid } from '../../base/json.ts';
import { namesIfThere, readTextIfThere } from '../../base/read-file.ts';
import { isListOf, isNumber, isObject, isOptional, isText, isWord } from '../../base/value/shape.ts';
import { ifUnlocked, withLock } from '../../store/sqlite/lock.ts';
import type { FileChange } from '../change.ts';
import { isEntry } from '../entry.ts';
import { openMark } from './unfinished.ts';

export interface ApplyJournal {
  readonly id: string;
  /** When it began, in milliseconds: ids of one second sort by chance. */
  readonly at: number;
  readonly kind: 'apply' | 'undo';
  readonly project: string;
  /** Whose changes these are. */
  readonly run: string;
  /** Of an undo: the transaction it takes back. */
  readonly of: string | undefined;
  /** Until `committing` nothing has changed; from then on everything it needs is staged. */
  readonly state: 'preparing' | 'committing' | 'done';
  readonly changes: readonly FileChange[];
  /** Folders to be opened for the commit, and the mode they get back. */
  readonly closed: readonly { readonly path: string; readonly mode: number }[];
  /** What was not reached, because somebody or the disk was in the way. */
  readonly skipped?: readonly string[] | undefined;
}

/** All transactions of one project, in a private folder under home. */
export interface JournalStore {
  write(journal: ApplyJournal): void;
  read(id: string): ApplyJournal | undefined;
  /** Oldest first; what is not sealed by us is left out. */
  list(): ApplyJournal[];
  remove(id: string): void;
  /** Where the replaced content of a transaction lies, by the place of the change in its list. */
  savedFile(id: string, index: number): string;
  savedFolder(id: string): string;
  /** Waits for the transaction of another process. */
  exclusively<Result>(work: () => Result): Result;
  /** Not at all while another process has a transaction under way. */
  ifNobodyWorks(work: () => void): void;
}

export function openJournals(home: string, folder: string): JournalStore {
  const key = keyFor('apply', openAuditKey(home));
  const folderOf = (id: string) => path.join(folder, id);
  const lockFile = path.join(folder, 'lock');
  const read = (id: string): ApplyJournal | undefined => {
    const text = isPlainId(id) ? readTextIfThere(path.join(folderOf(id), 'journal.json')) : undefined;
    const journal = jsonIfValid((text !== undefined && unsealJson(text, key)) || '');
    return isJournal(journal) && journal.id === id ? journal : undefined;
  };
  return {
    read,
    write(journal) {
      // Whoever starts next sees at a glance that something is not finished.
      if (journal.state === 'preparing') touchFile(openMark(folder, journal.id), Date.now());
      const sealed = sealJson(JSON.stringify(journal), key);
      writeFileAtomic(path.join(folderOf(journal.id), 'journal.json'), sealed, { durable: true });
      if (journal.state === 'done') removeTree(openMark(folder, journal.id));
    },
    list: () =>
      idsIn(folder)
        .flatMap((id) => read(id) ?? [])
        .sort((a, b) => a.at - b.at),
    remove(id) {
      removeTree(folderOf(id));
      removeTree(openMark(folder, id));
    },
    savedFile: (id, index) => path.join(folderOf(id), 'before', String(index)),
    savedFolder(id) {
      const saved = path.join(folderOf(id), 'before');
      makeFolder(saved);
      return saved;
    },
    exclusively: (work) => withLock(lockFile, work),
    ifNobodyWorks: (work) => ifUnlocked(lockFile, work),
  };
}

function idsIn(folder: string): string[] {
  return namesIfThere(folder).filter(isPlainId);
}

function isPlainId(id: string): boolean {
  return /^[0-9TZa-f-]{1,64}$/.test(id);
}

const isJournal = isObject<ApplyJournal>({
  id: isText,
  at: isNumber,
  kind: isWord(['apply', 'undo']),
  project: isText,
  run: isText,
  of: isOptional(isText),
  state: isWord(['preparing', 'committing', 'done']),
  changes: isListOf(isObject<FileChange>({ path: isText, before: isOptional(isEntry), after: isOptional(isEntry) })),
  closed: isListOf(isObject<ApplyJournal['closed'][number]>({ path: isText, mode: isNumber })),
  skipped: isOptional(isListOf(isText)),
});
