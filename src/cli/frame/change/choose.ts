// Goes through a change set piece by piece, as `git add -p` does: each with its diff, and a yes or a no.
import type { ChangePiece } from '../../../app/workspace/piece.ts';
import type { Text } from '../../../base/language.ts';
import { renderDiffs } from '../../view/change/diff.ts';
import { pieceLine } from '../../view/change/line.ts';
import type { Desk } from './desk.ts';

const LETTERS = {
  y: { en: 'apply this', zh: '应用此项' },
  n: { en: 'leave it in the layer', zh: '留在层中' },
  a: { en: 'apply this and all the rest', zh: '应用此项及其余全部' },
  d: { en: 'done: leave this and all the rest', zh: '结束: 此项及其余全部留在层中' },
  v: { en: 'show the whole diff of this', zh: '显示此项的完整差异' },
} satisfies Record<string, Text>;

/** Those that are to be applied. */
export async function choosePieces(pieces: readonly ChangePiece[], desk: Desk): Promise<ChangePiece[]> {
  const chosen: ChangePiece[] = [];
  for (const [at, piece] of pieces.entries()) {
    showPiece(piece, `(${at + 1}/${pieces.length})`, desk);
    const letter = await askAbout(piece, desk);
    if (letter === 'a') return [...chosen, ...pieces.slice(at)];
    if (letter === 'd') return chosen;
    if (letter === 'y') chosen.push(piece);
  }
  return chosen;
}

async function askAbout(piece: ChangePiece, desk: Desk): Promise<'y' | 'n' | 'a' | 'd'> {
  for (;;) {
    const letter = await desk.choose({ en: 'Apply this?', zh: '应用此项？' }, LETTERS, 'n');
    if (letter !== 'v') return letter;
    await desk.view([piece]);
  }
}

const FEW_LINES = 40;

/** Its line and the beginning of its diff; of ignored files the line alone. */
function showPiece(piece: ChangePiece, number: string, { shown, language, terminal, tell }: Desk): void {
  tell([`${number} ${pieceLine(piece, language, terminal)}`]);
  if (piece.ignored) return;
  const { project, layer } = shown;
  tell(shorten(renderDiffs(changesOf(piece), { project, layer, language, terminal }), language));
}

function changesOf({ all }: ChangePiece) {
  return all.map(({ change }) => change);
}

/** The first lines of a diff, and whether there are more. */
export function shorten(lines: Iterable<string>, language: keyof Text): string[] {
  const first: string[] = [];
  for (const line of lines) {
    if (first.length === FEW_LINES) return [...first, { en: '… (v shows all of it)', zh: '…（v 显示全部）' }[language]];
    first.push(line);
  }
  return first;
}
