// A change set for people: one line a file, what other tools obey marked, and the diff of what is text.
import { readFileSync } from 'node:fs';
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

const WORDS: Record<ChangeKind, Text & { readonly style: Style }> = {
  new: { en: 'new', zh: '新增', style: 'green' },
  changed: { en: 'overwrites', zh: '覆盖', style: 'yellow' },
  deleted: { en: 'deletes', zh: '删除', style: 'red' },
};

/** What was applied, what waits, and how to decide about it. */
export function renderSettled(
  { run, applied, waiting, conflict }: Settled,
  language: Language,
  terminal: Terminal,
): string {
  const parts: string[] = [];
  if (applied.length > 0) {
    const count = applied.length;
    const done = {
      en: `applied ${count} ${count === 1 ? 'change' : 'changes'}; \`skillwright runs undo ${run}\` takes them back`,
      zh: `已应用 ${count} 项更改；\`skillwright runs undo ${run}\` 可撤销`,
    };
    parts.push(done[language]);
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

const MOST_LINES = 40;

/** Folders are told by what is in them. */
export function listChanges(judged: readonly Judged[], language: Language, terminal: Terminal): string[] {
  const files = judged.filter(({ change }) => isTold(change, judged));
  const lines = files.slice(0, MOST_LINES).map((one) => describe(one, language, terminal));
  const more = files.length - lines.length;
  return more > 0 ? [...lines, { en: `… and ${more} more`, zh: `… 另有 ${more} 项` }[language]] : lines;
}

function isTold({ path, before, after }: FileChange, judged: readonly Judged[]): boolean {
  if ((after ?? before)?.kind !== 'folder') return true;
  return !judged.some(({ change }) => change.path.startsWith(`${path}/`));
}

function describe(judged: Judged, language: Language, terminal: Terminal): string {
  const { change } = judged;
  const word = WORDS[changeKind(change)];
  const size = change.after?.kind === 'file' ? ` (${formatOutputSize(change.after.size)})` : '';
  return `  ${paint(word[language], word.style, terminal)} ${visible(change.path)}${size}${remark(judged, language)}`;
}

function remark(judged: Judged, language: Language): string {
  if (judged.verdict === 'guarded') {
    const by = judged.by[language];
    return { en: ` — obeyed by ${by}`, zh: ` — 由 ${by} 执行` }[language];
  }
  return judged.verdict === 'refused' ? ` — ${judged.why[language]}` : '';
}

const DIFF_BYTES = 64 * 1024;

/** The diff of a change; undefined where it is no text, too large, or a secret. */
export function renderDiff(
  { path, before, after }: FileChange,
  project: string,
  layer: ShownChanges['layer'],
  terminal: Terminal,
): string | undefined {
  if (isHiddenFile(path) || before?.kind === 'folder' || after?.kind === 'folder') return undefined;
  const old = before?.kind === 'file' ? readText(`${project}/${path}`, before.size) : '';
  const fresh = after?.kind === 'file' ? readText(layer.content(path), after.size) : '';
  if (old === undefined || fresh === undefined) return undefined;
  const lines = visibleLines(unifiedDiff(old, fresh, path)).split('\n');
  return lines.map((line) => paint(line, styleOf(line), terminal)).join('\n');
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
