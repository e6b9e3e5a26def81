// Shows a person what a run changed, and asks whether it is to reach the project: all, some, or nothing for now.
import { type ChangePiece, pathsOf, piecesOf } from '../../../app/workspace/piece.ts';
import type { ChangesAnswer, ShownChanges } from '../../../app/workspace/settle.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language, Text } from '../../../base/language.ts';
import type { Terminal } from '../../../base/text/terminal.ts';
import { renderDiffs } from '../../view/change/diff.ts';
import { listChanges } from '../../view/change-set.ts';
import { listCommits } from '../../view/commits.ts';
import { type OpenEnds, wasStopped } from '../ask-line.ts';
import { choosePieces, shorten } from './choose.ts';
import { atDesk, type Desk, type Onlooker } from './desk.ts';

const LETTERS = {
  y: { en: 'apply all of it', zh: '全部应用' },
  c: { en: 'choose file by file', zh: '逐个文件选择' },
  n: { en: 'not now: it waits in the layer', zh: '暂不: 留在层中等待' },
  v: { en: 'show the whole diff', zh: '显示完整差异' },
} satisfies Record<string, Text>;

/** For the end of a command; everything but a clear yes is a no. */
export function askAboutChanges(
  language: Language,
  terminal: Terminal,
  ends: OpenEnds,
): (shown: ShownChanges) => Promise<ChangesAnswer> {
  const onlooker = { language, terminal, ends };
  return (shown) => orNothing('no', () => askPerson(shown, onlooker));
}

/** About what other tools obey, by itself: returns the paths of the yes. */
export function askAboutGuarded(
  language: Language,
  terminal: Terminal,
  ends: OpenEnds,
): (shown: ShownChanges) => Promise<readonly string[]> {
  const onlooker = { language, terminal, ends };
  return (shown) =>
    orNothing([], async () => pathsOf(await askGuarded(shown, piecesOf(shown.judged), onlooker), shown.judged));
}

/** The script has run: stopping at a question leaves its changes waiting. */
async function orNothing<Answer>(nothing: Answer, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Fault && wasStopped(error)) return nothing;
    throw error;
  }
}

async function askPerson(shown: ShownChanges, onlooker: Onlooker): Promise<ChangesAnswer> {
  const pieces = piecesOf(shown.judged);
  const plain = pieces.filter(({ head }) => head.verdict === 'plain');
  const guarded = pieces.filter(({ head }) => head.verdict === 'guarded');
  const hasCommits = shown.commits?.state === 'made';
  const isAsked = plain.length > 0 || hasCommits;
  const chosen = isAsked ? await atDesk(shown, onlooker, (desk) => askPlain(plain, desk)) : [];
  if (chosen === 'none') return 'no';
  const obeyed = guarded.length > 0 ? await askGuarded(shown, guarded, onlooker) : [];
  if (chosen === 'all' && obeyed.length === 0) return 'yes';
  const all = [...(chosen === 'all' ? plain : chosen), ...obeyed];
  const takesCommits = chosen === 'all';
  return all.length === 0 ? 'no' : { only: pathsOf(all, shown.judged), guarded: obeyed.length > 0, takesCommits };
}

async function askPlain(pieces: readonly ChangePiece[], desk: Desk): Promise<'all' | 'none' | ChangePiece[]> {
  desk.tell(listCommits(desk.shown.commits, desk.language, desk.terminal));
  desk.tell(listChanges(desk.shown.judged, desk.language, desk.terminal));
  desk.tell(diffOf(pieces, desk));
  const letter = await askWhich({ en: 'Apply these changes?', zh: '应用这些更改？' }, pieces, desk);
  if (letter === 'n') return 'none';
  return letter === 'y' ? 'all' : await choosePieces(pieces, desk);
}

/** Questions of their own: neither --yes nor a yes to the rest answers them. */
async function askGuarded(
  shown: ShownChanges,
  pieces: readonly ChangePiece[],
  onlooker: Onlooker,
): Promise<readonly ChangePiece[]> {
  const holding = pieces.filter(holdsVariable);
  const obeyed = pieces.filter((piece) => !holdsVariable(piece));
  return [
    ...(obeyed.length > 0 ? await askAbout(GUARDED, shown, obeyed, onlooker) : []),
    ...(holding.length > 0 ? await askAbout(HOLDING, shown, holding, onlooker) : []),
  ];
}

function holdsVariable({ all }: ChangePiece): boolean {
  return all.some((one) => one.verdict === 'guarded' && one.holds !== undefined);
}

async function askAbout(
  question: Text,
  shown: ShownChanges,
  pieces: readonly ChangePiece[],
  onlooker: Onlooker,
): Promise<readonly ChangePiece[]> {
  return await atDesk(shown, onlooker, async (desk) => {
    desk.tell(
      listChanges(
        pieces.flatMap(({ all }) => all),
        desk.language,
        desk.terminal,
      ),
    );
    desk.tell(diffOf(pieces, desk));
    const letter = await askWhich(question, pieces, desk);
    if (letter === 'n') return [];
    return letter === 'y' ? pieces : await choosePieces(pieces, desk);
  });
}

const GUARDED: Text = {
  en: 'Other tools execute or obey what is named here, as soon as it is in the project. Apply it?',
  zh: '以上内容一旦写入项目，就会被所列的其他工具执行或遵循。是否应用？',
};

const HOLDING: Text = {
  en: 'What is named here holds the value of a variable; in the project others can read it. Apply it?',
  zh: '以上内容包含变量的值，写入项目后他人可以读取。是否应用？',
};

/** The diff itself where it is short: ignored files have none. */
function diffOf(pieces: readonly ChangePiece[], { shown, language, terminal }: Desk): string[] {
  const changes = pieces.filter(({ ignored }) => !ignored).flatMap(({ all }) => all.map(({ change }) => change));
  const { project, layer } = shown;
  return shorten(renderDiffs(changes, { project, layer, language, terminal }), language);
}

async function askWhich(question: Text, pieces: readonly ChangePiece[], desk: Desk): Promise<'y' | 'c' | 'n'> {
  for (;;) {
    const letter = await desk.choose(question, LETTERS, 'n');
    if (letter !== 'v') return letter;
    await desk.view(pieces);
  }
}
