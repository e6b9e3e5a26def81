// A run with a scripted model at a real terminal: what the questions showed, line by line, and what was answered.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Script, World } from '../agent-support.ts';
import { atTerminal, type Shown } from '../terminal.ts';

export type Answer = readonly [until: string, type: string];

export const QUESTION = { en: 'Enter = no', zh: '回车 = 否' } as const;
export const APPLY = 'Apply these changes? [y/c/N/v/?] ';

export interface AskedRun extends Shown {
  /** From each heading to its choices, without what a terminal obeys. */
  readonly questions: readonly (readonly string[])[];
}

export function caseFile({ home }: World, steps: Script): string {
  const file = path.join(home, 'case.json');
  writeFileSync(file, JSON.stringify(steps));
  return `mock:${file}`;
}

export async function askedRun(
  world: World,
  steps: Script,
  [first, ...more]: readonly [Answer, ...Answer[]],
  { words = [], columns = 60 }: { readonly words?: readonly string[]; readonly columns?: number } = {},
): Promise<AskedRun> {
  return await askedAt(world, ['run', 'do it', '--model', caseFile(world, steps), ...words], [first, ...more], columns);
}

export async function askedAt(
  { project: cwd, home }: World,
  words: readonly string[],
  [first, ...more]: readonly [Answer, ...Answer[]],
  columns = 60,
): Promise<AskedRun> {
  const shown = await atTerminal(words, { cwd, home, columns, until: first[0], type: first[1], more });
  return { ...shown, questions: questionsIn(shown.shown) };
}

const HEADING = /wants to use|请求使用/;

function questionsIn(shown: string): string[][] {
  const lines = plain(shown).split('\n');
  return lines.flatMap((line, at) => {
    if (!HEADING.test(line)) return [];
    const last = lines.findIndex(
      (one, index) => index >= at && Object.values(QUESTION).some((end) => one.includes(end)),
    );
    return [lines.slice(at, last + 1)];
  });
}

const ESCAPE = String.fromCharCode(27);
const CLEAR = `\r${ESCAPE}\\[K`;
const CLOCK = new RegExp(`${CLEAR}[^\r\n]*(?=${CLEAR})`, 'g');
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');

/** Colours and the clock of whoever waits are no part of a line. */
export function plain(shown: string): string {
  const still = shown.replace(CLOCK, '').replace(COLOUR, '');
  return still.replace(/\r+\n/g, '\n').replace(/^.*\r(?!\n)/gm, '');
}
