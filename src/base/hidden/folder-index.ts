// Looks through a tree of folders for names that somebody picks, and remembers each folder: only what changed since is read again.
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../files.ts';
import { isRecord, isTextList, jsonIfValid } from '../json.ts';
import { errorCode, readTextIfThere } from '../read-file.ts';
import { isFlag, isListOf, isNumber, isText } from '../value/shape.ts';

export interface TreePlace {
  readonly name: string;
  /** Of the folder it is in; empty for the root. */
  readonly parent: string;
  /** How many folders lie between it and the root. */
  readonly depth: number;
  /** Below the root, with / between the parts. */
  readonly below: string;
}

/** `look`: its content decides, and is judged again when the file has changed. */
export type NameVerdict = 'pick' | 'leave' | 'look';

export interface TreeSearch {
  judge(place: TreePlace, isFolder: boolean): NameVerdict;
  /** Whether a file that was to be looked at is picked. */
  judgeFile(file: string): boolean;
  /** Whether the folders in this one are looked into. */
  isSearched(name: string): boolean;
  /** Called with the number of all entries so far: throws where they are too many. */
  count(entries: number): void;
  /** What the answers depend on beside the tree: with other rules nothing is remembered. */
  readonly rules: string;
  /** Where it is remembered; nowhere unless given. */
  readonly memory?: string | undefined;
}

/** Paths below the root, those in a folder before those deeper in it. Links are not followed. */
export function searchTree(root: string, search: TreeSearch): string[] {
  const known = search.memory === undefined ? undefined : recall(search.memory, search.rules);
  const walk = new Walk(root, search);
  const found = walk.folder({ name: '', parent: '', depth: 0, below: '' }, known);
  if (search.memory !== undefined && found && walk.isNew) keep(search.memory, search.rules, found);
  return walk.picked;
}

/** A folder as it was when it was read. Lists, because a name may be any word, also one that objects have of their own. */
interface FolderRecord {
  /** Empty: to be read again. */
  readonly stamp: string;
  readonly entries: number;
  readonly picked: readonly string[];
  readonly looked: readonly LookedAt[];
  readonly folders: readonly (readonly [name: string, FolderRecord])[];
}

/** A file whose content was judged. */
type LookedAt = readonly [name: string, stamp: string, isPicked: boolean];

class Walk {
  readonly picked: string[] = [];
  /** Something is to be remembered that was not. */
  isNew = false;
  readonly #root: string;
  readonly #search: TreeSearch;
  readonly #now = Date.now();
  #entries = 0;

  constructor(root: string, search: TreeSearch) {
    this.#root = root;
    this.#search = search;
  }

  folder(place: TreePlace, known: FolderRecord | undefined): FolderRecord | undefined {
    // Before it is read: what changes meanwhile is noticed the next time.
    const stats = unlessClosed(() => lstatSync(this.#at(place.below), { throwIfNoEntry: false }));
    if (!stats?.isDirectory()) return undefined;
    const stamp = this.#stampOf(stats);
    return known && stamp !== '' && known.stamp === stamp ? this.#again(place, known) : this.#read(place, stamp, known);
  }

  /** The names in it are those of last time; what is in its files and folders may have changed. */
  #again(place: TreePlace, known: FolderRecord): FolderRecord {
    this.#count(known.entries);
    this.#pick(place, known.picked);
    const looked = known.looked.map((one) => this.#lookAt(place, one[0], one));
    const folders = known.folders.flatMap(([name, one]) => this.#enter(place, name, one));
    return { ...known, looked, folders };
  }

  #read(place: TreePlace, stamp: string, known: FolderRecord | undefined): FolderRecord {
    const entries = entriesOf(this.#at(place.below));
    this.#count(entries?.length ?? 0);
    const sorted = Map.groupBy(entries ?? [], (entry) => this.#judge(place, entry));
    const named = (answer: Answer) => (sorted.get(answer) ?? []).map(({ name }) => name);
    const picked = named('pick');
    this.#pick(place, picked);
    const files = new Map(known?.looked.map((one) => [one[0], one]));
    const looked = named('look').map((name) => this.#lookAt(place, name, files.get(name)));
    const inside = new Map(known?.folders);
    const folders = named('enter').flatMap((name) => this.#enter(place, name, inside.get(name)));
    if (entries && stamp !== '') this.isNew = true;
    return { stamp: entries ? stamp : '', entries: entries?.length ?? 0, picked, looked, folders };
  }

  #judge(place: TreePlace, entry: Dirent): Answer {
    const isFolder = entry.isDirectory();
    const verdict = this.#search.judge(placeIn(place, entry.name), isFolder);
    return verdict === 'leave' && isFolder && this.#search.isSearched(place.name) ? 'enter' : verdict;
  }

  #pick(place: TreePlace, names: readonly string[]): void {
    for (const name of names) this.picked.push(join(place.below, name));
  }

  #lookAt(place: TreePlace, name: string, known: LookedAt | undefined): LookedAt {
    const file = this.#at(join(place.below, name));
    const stats = unlessClosed(() => statSync(file, { throwIfNoEntry: false }));
    const stamp = stats ? this.#stampOf(stats) : '';
    const isSame = known !== undefined && stamp !== '' && known[1] === stamp;
    const isPicked = isSame ? known[2] : this.#search.judgeFile(file);
    if (!isSame && stamp !== '') this.isNew = true;
    if (isPicked) this.#pick(place, [name]);
    return [name, stamp, isPicked];
  }

  #enter(place: TreePlace, name: string, known: FolderRecord | undefined): (readonly [string, FolderRecord])[] {
    const found = this.folder(placeIn(place, name), known);
    return found ? [[name, found]] : [];
  }

  #count(entries: number): void {
    this.#entries += entries;
    this.#search.count(this.#entries);
  }

  #at(below: string): string {
    return below === '' ? this.#root : `${this.#root}/${below}`;
  }

  /** Empty where it changed so lately that a later change could carry the same time. */
  #stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
    if (Math.max(mtimeMs, ctimeMs) > this.#now - COARSEST_CLOCK_MS) return '';
    return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  }
}

type Answer = NameVerdict | 'enter';

/** There are file systems that know no times between two seconds. */
const COARSEST_CLOCK_MS = 2_000;

function placeIn({ name, depth, below }: TreePlace, entry: string): TreePlace {
  return { name: entry, parent: name, depth: below === '' ? 0 : depth + 1, below: join(below, entry) };
}

function join(below: string, name: string): string {
  return below === '' ? name : `${below}/${name}`;
}

/** Undefined where it may not be read: neither may whoever runs as we do, or as less. */
function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** Whatever cannot be used is not there: then everything is read again. */
function recall(file: string, rules: string): FolderRecord | undefined {
  try {
    const stored = jsonIfValid(readTextIfThere(file) ?? '');
    return isRecord(stored) && stored.rules === rules && isFolder(stored.root) ? stored.root : undefined;
  } catch {
    return undefined;
  }
}

function keep(file: string, rules: string, root: FolderRecord): void {
  makeFolder(path.dirname(file));
  writeFileAtomic(file, JSON.stringify({ rules, root }));
}

function isFolder(value: unknown): value is FolderRecord {
  if (!isRecord(value)) return false;
  const { stamp, entries, picked, looked, folders } = value;
  return isText(stamp) && isNumber(entries) && isTextList(picked) && isListOf(isLook)(looked) && areFolders(folders);
}

function isLook(value: unknown): value is LookedAt {
  return Array.isArray(value) && isText(value[0]) && isText(value[1]) && isFlag(value[2]);
}

function areFolders(value: unknown): value is FolderRecord['folders'] {
  return Array.isArray(value) && value.every((one) => Array.isArray(one) && isText(one[0]) && isFolder(one[1]));
}

/** In a folder that may be listed and not entered there are only names. */
function unlessClosed<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    return undefined;
  }
}
