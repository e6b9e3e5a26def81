// A person at a change set: what they are shown, page by page where it is long, and the letters they answer with.
import type { ChangePiece } from '../../../app/workspace/piece.ts';
import type { ShownChanges } from '../../../app/workspace/settle.ts';
import type { Language, Text } from '../../../base/language.ts';
import type { Terminal } from '../../../base/text/terminal.ts';
import { renderDiffs } from '../../view/change/diff.ts';
import { askLines, forgetTypedAhead, type OpenEnds } from '../ask-line.ts';
import { type PageEnds, showPages } from '../question/pager.ts';

/** Whom the change set is shown to. */
export interface Onlooker {
  readonly language: Language;
  readonly terminal: Terminal;
  readonly ends: OpenEnds;
}

export interface Desk extends Pick<Onlooker, 'language' | 'terminal'> {
  readonly shown: ShownChanges;
  tell(lines: Iterable<string>): void;
  /** One of the letters; `otherwise` where nothing is typed. `?`, and what is none of them, shows what they mean. */
  choose<Letter extends string>(
    question: Text,
    letters: Record<Letter, Text>,
    otherwise: NoInfer<Letter>,
  ): Promise<Letter>;
  /** The diff of these pieces, page by page. */
  view(pieces: readonly ChangePiece[]): Promise<void>;
}

export async function atDesk<Result>(
  shown: ShownChanges,
  { language, terminal, ends }: Onlooker,
  use: (desk: Desk) => Promise<Result>,
): Promise<Result> {
  const { input, output } = ends();
  await forgetTypedAhead(input);
  return await askLines(ends, (ask, tell) => {
    const place = { project: shown.project, layer: shown.layer, language, terminal };
    return use({
      language,
      terminal,
      shown,
      tell,
      choose: (question, letters, otherwise) => askLetter(question, letters, otherwise, { ask, tell, language }),
      view: (pieces) => showPages(renderDiffs(changesOf(pieces), place), output, { ask, tell, language }),
    });
  });
}

function changesOf(pieces: readonly ChangePiece[]) {
  return pieces.flatMap(({ all }) => all.map(({ change }) => change));
}

async function askLetter<Letter extends string>(
  question: Text,
  letters: Record<Letter, Text>,
  otherwise: Letter,
  { ask, tell, language }: PageEnds,
): Promise<Letter> {
  const known = Object.keys(letters) as Letter[];
  const offered = [...known.map((letter) => (letter === otherwise ? letter.toUpperCase() : letter)), '?'].join('/');
  for (;;) {
    const typed = (await ask(`${question[language]} [${offered}] `)).trim().toLowerCase();
    const letter = typed === '' ? otherwise : known.find((one) => typed === one || typed === SYNONYMS[one]);
    if (letter !== undefined) return letter;
    tell(known.map((one) => `  ${one}  ${letters[one][language]}`));
  }
}

/** Written out, or as `git add -p` has it. */
const SYNONYMS: Record<string, string> = { y: 'yes', n: 'no', d: 'q' };
