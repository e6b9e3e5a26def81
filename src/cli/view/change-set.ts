// A change set for people: one line a file, what other tools obey marked, and the diff of what is text.
import { readFileSync } from 'node:fs';
import { isExecuted } from '../../app/workspace/executed.ts';
import type { Judged } from '../../app/workspace/judge.ts';
import type { Settled, ShownChanges } from '../../app/workspace/settle.ts';
import { applyCommand } from '../../app/workspace/tell.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import type { Language, Text } from '../../base/language.ts';
import { paint, type Style, type Terminal } from '../../base/text/terminal.ts';
import { visible, visibleLines } from '../../base/text.ts';
import { formatOutputSize } from '../../door/output/name.ts';
import { unifiedDiff } from '../../tools/diff.ts';
import { type ChangeKind, changeKind, type FileChange } from '../../workspace/change.ts';
import { countCommits, listCommits } from './commits.ts';

const WORDS: Record<ChangeKind, Text & { readonly style: Style }> = {
  new: { en: 'new', zh: '新增', style: 'green' },
  changed: { en: 'overwrites', zh: '覆盖', style: 'yellow' },
  deleted: { en: 'deletes', zh: '删除', style: 'red' },
};

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
  if (waiting.length > 0) {
    const waits = {
      en: `${waiting.length} waiting, nothing of it is in the project: \`${applyCommand(run)}\``,
      zh: `${waiting.length} 项更改等待决定，尚未写入项目: \`${applyCommand(run)}\``,
    };
    parts.push(...listChanges(waiting, language, terminal), waits[language]);
  }
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

/** Folders are told by what is in them. What others execute or obey comes first, and is never left out. */
export function listChanges(judged: readonly Judged[], language: Language, terminal: Terminal): string[] {
  const filled = new Set(judged.flatMap(({ change }) => foldersAbove(change.path)));
  const files = judged.filter(({ change }) => !isFolder(change) || !filled.has(change.path));
  const [told, plain] = [files.filter(isToldAlways), files.filter((one) => !isToldAlways(one))];
  const shown = [...told, ...plain.slice(0, Math.max(0, MOST_LINES - told.length))];
  const more = files.length - shown.length;
  const rest = more > 0 ? [{ en: `… and ${more} more`, zh: `… 另有 ${more} 项` }[language]] : [];
  return [...shown.map((one) => describe(one, language, terminal)), ...rest];
}

function isFolder({ before, after }: FileChange): boolean {
  return (after ?? before)?.kind === 'folder';
}

function foldersAbove(below: string): string[] {
  return below.split('/').map((_, at, steps) => steps.slice(0, at).join('/'));
}

function isToldAlways({ change, verdict }: Judged): boolean {
  return verdict !== 'plain' || isExecuted(change);
}

function describe(judged: Judged, language: Language, terminal: Terminal): string {
  const { change } = judged;
  const word = WORDS[changeKind(change)];
  const size = change.after?.kind === 'file' ? ` (${formatOutputSize(change.after.size)})` : '';
  return `  ${paint(word[language], word.style, terminal)} ${visible(change.path)}${size}${remark(judged, language)}`;
}

function remark(judged: Judged, language: Language): string {
  if (judged.verdict === 'plain' && judged.change.after?.kind === 'link')
    return ` → ${visible(judged.change.after.target ?? '')}`;
  if (judged.verdict === 'plain' && isExecuted(judged.change))
    return { en: ' — executed', zh: ' — 会被执行' }[language];
  if (judged.verdict === 'guarded') {
    const by = judged.by[language];
    return { en: ` — obeyed by ${by}`, zh: ` — 由 ${by} 执行` }[language];
  }
  return judged.verdict === 'refused' ? ` — ${judged.why[language]}` : '';
}

const DIFF_BYTES = 64 * 1024;

export interface DiffPlace extends Pick<ShownChanges, 'project' | 'layer'> {
  readonly language: Language;
  readonly terminal: Terminal;
}

/** The diff of a change, or why there is none; nothing for folders and deletions of secrets. */
export function renderDiff(change: FileChange, { project, layer, language, terminal }: DiffPlace): string[] {
  const { path, before, after } = change;
  if (isFolder(change)) return [];
  const notShown = (why: Text) => [`${visible(path)}: ${why[language]}`];
  if (isHiddenFile(path)) return notShown({ en: 'not shown, it is a secret', zh: '未展示，属于机密' });
  const modes = before && after && before.mode !== after.mode ? [describeModes(change, language)] : [];
  const old = before?.kind === 'file' ? readText(`${project}/${path}`, before.size) : '';
  const fresh = after?.kind === 'file' ? readText(layer.content(path), after.size) : '';
  if (old === undefined || fresh === undefined)
    return [...modes, ...notShown({ en: 'not shown, it is no text or too large', zh: '未展示，非文本或过大' })];
  // A bare return would move what follows to another line of the diff than it has in the file.
  const [from, to] = [old, fresh].map((text) => text.replaceAll('\r', '\\r'));
  const lines = visibleLines(unifiedDiff(from ?? '', to ?? '', path)).split('\n');
  return [...modes, lines.map((line) => paint(line, styleOf(line), terminal)).join('\n')];
}

function describeModes({ path, before, after }: FileChange, language: Language): string {
  const [from, to] = [before, after].map((entry) => (entry?.mode ?? 0).toString(8).padStart(4, '0'));
  return { en: `${visible(path)}: mode ${from} → ${to}`, zh: `${visible(path)}: 权限 ${from} → ${to}` }[language];
}

function styleOf(line: string): Style | undefined {
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'red';
  return line.startsWith('@@') ? 'cyan' : undefined;
}

function readText(file: string, size: number): string | undefined {
  if (size > DIFF_BYTES) return undefined;
  const bytes = readFileSync(file);
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}
