// One piece of a change set on one line: what happens to which path, how large, who executes or obeys it.
import { isExecuted } from '../../../app/workspace/executed.ts';
import type { Judged } from '../../../app/workspace/judge.ts';
import type { ChangePiece } from '../../../app/workspace/piece.ts';
import type { Language, Text } from '../../../base/language.ts';
import { paint, type Style, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { formatOutputSize } from '../../../door/output/name.ts';
import { type ChangeKind, changeKind, type FileChange } from '../../../workspace/change.ts';
import { links, modes, turned } from './diff.ts';

type Word = Text & { readonly style: Style };

const WORDS: Record<ChangeKind, Word> = {
  new: { en: 'new', zh: '新增', style: 'green' },
  changed: { en: 'overwrites', zh: '覆盖', style: 'yellow' },
  deleted: { en: 'deletes', zh: '删除', style: 'red' },
};
const MODE_ONLY: Word = { en: 'changes the mode of', zh: '更改权限', style: 'yellow' };

export function pieceLine(piece: ChangePiece, language: Language, terminal: Terminal): string {
  if (piece.ignored) return ignoredLine(piece, language, terminal);
  const { change } = piece.head;
  const word = isSameContent(change) ? MODE_ONLY : WORDS[changeKind(change)];
  const inside = factsOf(piece).map((fact) => fact[language]);
  const facts = inside.length > 0 ? ` (${inside.join(', ')})` : '';
  return `${paint(word[language], word.style, terminal)} ${visible(change.path)}${facts}${remark(piece.head, language)}`;
}

function factsOf({ head: { change }, all }: ChangePiece): Text[] {
  const below = all.length - 1;
  const more = { en: `with ${below} below`, zh: `连同其下 ${below} 项` };
  return [...turned(change), ...sizes(change), ...modes(change), ...links(change), ...(below > 0 ? [more] : [])];
}

function sizes({ before, after }: FileChange): Text[] {
  if (after?.kind !== 'file') return [];
  const [was, is] = [before?.kind === 'file' ? before.size : after.size, after.size].map(formatOutputSize);
  const size = was === is ? `${is}` : `${was} → ${is}`;
  return [{ en: size, zh: size }];
}

function isSameContent({ before, after }: FileChange): boolean {
  return (
    before !== undefined && before.kind === after?.kind && before.kind !== 'link' && before.digest === after.digest
  );
}

function remark(judged: Judged, language: Language): string {
  if (judged.verdict === 'refused') return ` — ${judged.why[language]}`;
  if (judged.verdict === 'guarded') {
    const [by, holds] = [judged.by?.[language], judged.holds?.join(', ')];
    const held = { en: ` — holds the value of ${holds}`, zh: ` — 包含变量 ${holds} 的值` }[language];
    const obeyed = { en: ` — obeyed by ${by}`, zh: ` — 由 ${by} 执行` }[language];
    return (holds === undefined ? '' : held) + (by === undefined ? '' : obeyed);
  }
  return isExecuted(judged.change) ? { en: ' — executed', zh: ' — 会被执行' }[language] : '';
}

const MOST_PLACES = 4;

/** Counted, with the topmost names and what of it is executed. */
function ignoredLine({ all }: ChangePiece, language: Language, terminal: Terminal): string {
  const changes = all
    .map(({ change }) => change)
    .filter((change) => (change.after ?? change.before)?.kind !== 'folder');
  const bytes = changes.reduce((sum, { after }) => sum + (after?.size ?? 0), 0);
  const places = [...new Set(changes.map(({ path }) => path.split('/', 1)[0] ?? ''))];
  const named = places.slice(0, MOST_PLACES).map(visible).join(', ') + (places.length > MOST_PLACES ? ', …' : '');
  const runs = changes.filter(isExecuted).length;
  const [count, size] = [changes.length, formatOutputSize(bytes)];
  const marked = runs > 0 ? { en: ` — ${runs} executed`, zh: ` — 其中 ${runs} 项会被执行` } : { en: '', zh: '' };
  const word = paint({ en: 'ignored by git', zh: '被 git 忽略' }[language], 'dim', terminal);
  const told = {
    en: `${count} ${count === 1 ? 'file' : 'files'} in ${named} (${size})${marked.en}`,
    zh: `${named} 中 ${count} 个文件 (${size})${marked.zh}`,
  };
  return `${word}: ${told[language]}`;
}
