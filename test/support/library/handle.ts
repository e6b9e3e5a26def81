// What tests of the library share: a project with a skill of their own, and a handle that is closed after the test.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenOptions, openSkillwright, type Skillwright } from '../../../src/index.ts';
import { type Files, home, makeProject, skillFiles } from '../door-support.ts';

/** A shell script that needs a yes, writes into the project, and can be told to fail or to wait. */
export const WRITER: Files = skillFiles(
  'writer',
  'name: writer\ndescription: Writes a line into a file. Use to note a line.',
  {
    'scripts/write.sh': 'echo "$1" > note.txt\necho "wrote $1"\n',
    'scripts/fail.sh': 'echo broken >&2\nexit 7\n',
    'scripts/wait.sh': 'sleep "$1" &\nwait\n',
  },
);

export interface OpenedIn {
  readonly project: string;
  readonly sw: Skillwright;
  open(options?: OpenOptions): Promise<Skillwright>;
}

/** Whatever else is opened there is closed, too. */
export async function openIn(t: TestContext, files: Files = WRITER, options: OpenOptions = {}): Promise<OpenedIn> {
  const project = makeProject(t, files);
  const open = async (more: OpenOptions = {}) => {
    const sw = await openSkillwright({
      project,
      home,
      env: { PATH: process.env.PATH },
      language: 'en',
      ...options,
      ...more,
    });
    t.after(() => sw.close());
    return sw;
  };
  return { project, sw: await open(), open };
}

const LONGEST_MS = 60_000;

/** As long as nothing else sleeps, and known by it. */
export function oddTime(): string {
  return `600.${Math.floor(Math.random() * 1e9)}`;
}

/** Processes of this machine that have the word in their command line. */
export function processesWith(word: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(word));
}

/** Waits until one is there: what starts it has the word, too, and may not be ready for anything yet. */
export async function sightOf(word: string, program?: string): Promise<void> {
  const isThere = () =>
    processesWith(word).some((pid) => program === undefined || path.basename(commandOf(pid)[0] ?? '') === program);
  await until(isThere, `no process with ${word}`);
}

/** Waits until none is left. */
export async function endOf(word: string): Promise<void> {
  await until(() => processesWith(word).length === 0, `still there: ${word}`);
}

async function until(isTrue: () => boolean, why: string): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(why);
    await sleep(50);
  }
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
