// A change set for people: one line a piece, what other tools obey marked, and what became of it.
import type { Judged } from '../../app/workspace/judge.ts';
import { isToldAlways, piecesOf } from '../../app/workspace/piece.ts';
import type { Settled } from '../../app/workspace/settle.ts';
import { applyCommand } from '../../app/workspace/tell.ts';
import type { Language, Text } from '../../base/language.ts';
import type { Terminal } from '../../base/text/terminal.ts';
import { pieceLine } from './change/line.ts';
import { countCommits, listCommits } from './commits.ts';

/** What was applied, what waits, and how to decide about it. */
export function renderSettled(
  { run, applied, waiting, commits, tookCommits = false, conflict }: Settled,
  language: Language,
  terminal: Terminal,
): string {
  const parts = listCommits(commits, language, terminal);
  if (commits?.state === 'made') parts.push(sayTaken(run, commits.commits.length, tookCommits)[language]);
  if (applied.length > 0) {
    const count = countChanges(applied.length);
    const done = {
      en: `applied ${count.en}; \`skillwright runs undo ${run}\` takes ${applied.length === 1 ? 'it' : 'them'} back`,
      zh: `已应用 ${count.zh}；\`skillwright runs undo ${run}\` 可撤销`,
    };
    const plain = applied.map((change) => ({ change, verdict: 'plain' }) as const);
    parts.push(...listChanges(plain, language, terminal), done[language]);
  }
  if (conflict) parts.push(conflict.message);
  const stuck = waiting.filter(({ verdict }) => verdict === 'refused').length;
  const open = waiting.length - stuck;
  const waits = {
    en: `${open} waiting, nothing of it is in the project: \`${applyCommand(run)}\``,
    zh: `${open} 项更改等待决定，尚未写入项目: \`${applyCommand(run)}\``,
  };
  const never = {
    en: `${stuck} can never be applied: \`skillwright runs discard ${run}\` throws away what is left`,
    zh: `${stuck} 项无法应用: \`skillwright runs discard ${run}\` 可丢弃剩余更改`,
  };
  parts.push(...listChanges(waiting, language, terminal));
  if (open > 0) parts.push(waits[language]);
  if (stuck > 0) parts.push(never[language]);
  return parts.join('\n');
}

function sayTaken(run: string, commits: number, isTaken: boolean): Text {
  const { en, zh } = countCommits(commits);
  const command = isTaken ? `skillwright runs undo ${run}` : applyCommand(run);
  if (isTaken)
    return { en: `took ${en}; \`${command}\` removes the branch`, zh: `已接收 ${zh}；\`${command}\` 可删除该分支` };
  return { en: `${en} waiting: \`${command}\``, zh: `${zh}等待接收: \`${command}\`` };
}

export function countChanges(count: number): Text {
  return { en: `${count} ${count === 1 ? 'change' : 'changes'}`, zh: `${count} 项更改` };
}

const MOST_LINES = 40;

/** What others execute or obey comes first, and is never left out. */
export function listChanges(judged: readonly Judged[], language: Language, terminal: Terminal): string[] {
  const pieces = piecesOf(judged);
  const isKept = (piece: (typeof pieces)[number]) => piece.ignored || isToldAlways(piece.head);
  const room = Math.max(0, MOST_LINES - pieces.filter(isKept).length);
  const plain = pieces.filter((piece) => !isKept(piece));
  const left = new Set(plain.slice(room));
  const more = { en: `… and ${left.size} more`, zh: `… 另有 ${left.size} 项` };
  const lines = pieces.filter((piece) => !left.has(piece)).map((piece) => pieceLine(piece, language, terminal));
  return [...lines.map((line) => `  ${line}`), ...(left.size > 0 ? [more[language]] : [])];
}
