// The machine before and after the tests: whatever is different fails the run, with the test file that did it where that can be known.
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { modeOf, noteOf, placeOf } from './test-place.ts';

export interface Difference {
  readonly text: string;
  /** Nobody but a test can have done it; other programs make files and mounts too, where the machine is not ours alone. */
  readonly isOurs: boolean;
}

export interface Guard {
  /** Test files find here where to put theirs. */
  readonly places: string;
  /** After the last one. */
  differences(files: readonly string[]): Promise<Difference[]>;
  close(): void;
}

// What was told to end may need a moment on a loaded machine.
const PATIENCE_MS = 5000;
const PLACE_MODE = '1777';

const IN_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const ROOMY_BYTES = 6 * 1024 ** 3;

export function openGuard(): Guard {
  // A short name: test-place.ts says why.
  const places = mkdtempSync(path.join(quickFolder(), 'sw-'));
  // Tests under another user id come through.
  chmodSync(places, 0o755);
  const watched = [tmpdir(), homedir()];
  const before = { modes: modesOf(watched), entries: watched.map(entriesOf), mounts: mounts(), users: users() };
  return {
    places,
    async differences(files) {
      const isClean = () => processesAt(places).length === 0 && files.every((file) => isEmpty(placeOf(places, file)));
      await settled(isClean);
      const processes = processesAt(places);
      const seen = files.flatMap((file) => leftBy(file, placeOf(places, file), processes));
      const nameless = processes.filter(({ seenAt }) => !files.some((file) => seenAt.includes(placeOf(places, file))));
      seen.push(...nameless.map(({ line }) => ({ text: `a test left a process: ${line}`, isOurs: true })));
      const modes = added('changed', before.modes, modesOf(watched), places);
      seen.push(...modes.map((one) => ({ ...one, isOurs: true })));
      watched.forEach((folder, index) => {
        seen.push(...added(`new in ${folder}`, before.entries[index] ?? [], entriesOf(folder), places));
      });
      seen.push(...added('mounted', before.mounts, mounts(), places));
      seen.push(...added('a user', before.users, users(), places), ...added('no user', users(), before.users, places));
      return seen;
    },
    close: () => rmSync(places, { recursive: true, force: true }),
  };
}

/** In memory where there is plenty: thousands of small projects are written and deleted, and no disk need keep them. */
function quickFolder(): string {
  const isPlain = mountLines().some((line) => /^\S+ \S+ \S+ \S+ \/dev\/shm (?!\S*\bnoexec\b)/.test(line));
  const found = ifThere(() => statfsSync(IN_MEMORY));
  const isRoomy = found?.type === TMPFS && found.bavail * found.bsize >= ROOMY_BYTES;
  const isOpen = ifThere(() => accessSync(IN_MEMORY, constants.W_OK) ?? true) ?? false;
  return isPlain && isRoomy && isOpen ? IN_MEMORY : tmpdir();
}

/** In the folder of one test file: its mode, its entries, and processes that know of it. */
function leftBy(file: string, place: string, processes: readonly Survivor[]): Difference[] {
  if (!lstatSync(place, { throwIfNoEntry: false })) return [];
  const mode = modeOf(place).split(' ')[0];
  const note = ifThere(() => readFileSync(noteOf(place), 'utf8'));
  const texts = [
    ...(note === undefined ? [] : [`while it ran ${note}`]),
    ...(mode === PLACE_MODE ? [] : [`mode of the temporary folder is ${mode}`]),
    ...entriesOf(place).map((name) => `left ${name} in the temporary folder`),
    ...processes.filter(({ seenAt }) => seenAt.includes(place)).map(({ line }) => `left a process: ${line}`),
  ];
  return texts.map((text) => ({ text: `${file}: ${text}`, isOurs: true }));
}

function added(what: string, before: readonly string[], after: readonly string[], places: string): Difference[] {
  const known = new Set(before);
  const own = path.basename(places);
  const news = after.filter((line) => !known.has(line) && line !== own);
  return news.map((line) => ({ text: `${what}: ${line}`, isOurs: line.includes(places) }));
}

interface Survivor {
  readonly line: string;
  /** Everything about it that may name the folder of a test file. */
  readonly seenAt: string;
}

/** Found by where they stand, what they were called with and what they were given: a clean environment has a home, too. */
function processesAt(places: string): Survivor[] {
  const numbers = entriesOf('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return numbers.flatMap((pid) => {
    const words = ifThere(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '';
    const given = ifThere(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '';
    const folder = ifThere(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '';
    const seenAt = [words, given, folder].join('\n');
    const line = `${pid} ${words.replaceAll('\0', ' ').trim().slice(0, 120)}`;
    return seenAt.includes(places) ? [{ line, seenAt }] : [];
  });
}

async function settled(isDone: () => boolean): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !isDone(); ) await sleep(200);
}

function modesOf(folders: readonly string[]): string[] {
  return folders.map((folder) => `${folder} is ${modeOf(folder)}`);
}

function isEmpty(folder: string): boolean {
  return entriesOf(folder).length === 0;
}

function entriesOf(folder: string): string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}

/** Where something is mounted and what; numbers of mounts are given anew. */
function mounts(): string[] {
  return mountLines().map((line) => line.split(' ').slice(3, 5).join(' at '));
}

function mountLines(): string[] {
  return ifThere(() => readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n')) ?? [];
}

function users(): string[] {
  return ifThere(() => readFileSync('/etc/passwd', 'utf8').trim().split('\n')) ?? [];
}

function ifThere<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
