// Loaded before each test file: gives it a temporary folder of its own, so that what it leaves behind has its name, and
// notes beside that folder what changed of the machine's own while the file ran. Takes the seed of property tests.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** Short, because the path of a socket may have hardly more than a hundred bytes. */
export function placeOf(places: string, file: string): string {
  return path.join(places, createHash('sha256').update(file).digest('hex').slice(0, 6));
}

export function noteOf(place: string): string {
  return `${place}.changed`;
}

export function modeOf(folder: string): string {
  const { mode, uid, gid } = statSync(folder);
  return `${(mode & 0o7777).toString(8).padStart(4, '0')} ${uid}:${gid}`;
}

const places = process.env.SKILLWRIGHT_TEST_PLACES;
const file = process.argv[1];
// A process that a test forks is given the same flags, and stays where the test is.
if (places && file?.endsWith('.test.ts') && !process.env.TMPDIR?.startsWith(places)) settleIn(placeOf(places, file));

// Named by a failure: the same values once more. Otherwise new ones in the long run only, so that a short one fails for
// the change under test alone.
const seed = Number(process.env.SKILLWRIGHT_SEED ?? (process.env.SKILLWRIGHT_LONG === '1' ? Number.NaN : 1));
if (Number.isInteger(seed)) (await import('fast-check')).configureGlobal({ seed });

function settleIn(place: string): void {
  const watched = [tmpdir(), homedir()].map((folder) => ({ folder, mode: modeOf(folder) }));
  mkdirSync(place, { recursive: true });
  // Like the machine's own: tests become other users.
  chmodSync(place, 0o1777);
  process.env.TMPDIR = place;
  process.on('exit', () => {
    const changed = watched.filter(({ folder, mode }) => modeOf(folder) !== mode);
    const lines = changed.map(({ folder, mode }) => `${folder}: ${mode} became ${modeOf(folder)}`);
    if (lines.length > 0) writeFileSync(noteOf(place), lines.join('\n'));
  });
}
