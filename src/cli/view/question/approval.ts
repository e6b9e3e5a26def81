// A question at a terminal: its facts within the width of the screen, a diff in colour, the choices on lines of their own.
import { grantFacts } from '../../../app/view/grant.ts';
import type { Language } from '../../../base/language.ts';
import { wrapHard } from '../../../base/text/hard-wrap.ts';
import { paint, type Style, type Terminal } from '../../../base/text/terminal.ts';
import { displayWidth, visible } from '../../../base/text.ts';
import { scopesFor } from '../../../policy/approval.ts';
import type { Offers } from '../../../policy/question/answer.ts';
import type { ApprovalQuestion, OfferedGrant } from '../../../policy/question/facts.ts';
import { explainChoices, renderFacts, sayChoices, saySince } from '../../../policy/render-approval.ts';
import type { CallView } from '../../../tools/call-view.ts';

export interface Screen extends Pick<Terminal, 'color' | 'width'> {
  readonly language: Language;
}

export function offersOf(question: ApprovalQuestion): Offers {
  const { subject, always, offersEffects = false, view } = question;
  return {
    run: scopesFor(subject).includes('run'),
    always: always !== undefined,
    effects: offersEffects,
    file: view !== undefined && 'head' in view && view.head.lines.length > 0,
    diff: view?.kind === 'write' && (view.diff?.lines.length ?? 0) > 0,
  };
}

/** All but the choices. */
export function questionLines(question: ApprovalQuestion, screen: Screen): string[] {
  const { language } = screen;
  const { note, since } = question;
  const notes = [...(note ? [note] : []), ...(since ? [saySince(since)] : [])].map((text) => text[language]);
  const [heading = '', ...facts] = renderFacts(question, language);
  return [
    ...notes.flatMap((line) => wrapHard(line, screen.width)).map((line) => paint(line, 'yellow', screen)),
    ...wrapHard(heading, screen.width).map((line) => paint(line, 'bold', screen)),
    ...facts.flatMap((line) =>
      wrapHard(line, screen.width).map((part) => paint(part, styleOf(line, question), screen)),
    ),
  ];
}

/** No choice is broken in two. */
export function choiceLines(offers: Offers, { language, width }: Screen): string[] {
  const [comma, start] = { en: [', ', 'Allow it? '], zh: ['，', '允许吗？'] }[language] as [string, string];
  const lines: string[] = [];
  let line = start;
  for (const item of sayChoices(offers, language)) {
    const isFirst = line === start;
    // Behind it stands a comma, or the cursor.
    if (!isFirst && displayWidth(line + comma + item + comma) > width) {
      lines.push(`${line}${comma.trimEnd()}`);
      line = `  ${item}`;
    } else line += `${isFirst ? '' : comma}${item}`;
  }
  return [...lines, line];
}

export function helpLines(question: ApprovalQuestion, { language, width }: Screen): string[] {
  return explainChoices(offersOf(question), question, language).flatMap((line) => wrapHard(line, width));
}

/** What "always" would write, word for word. */
export function grantLines(grant: OfferedGrant, { language, width }: Screen): string[] {
  const [, ...rows] = grantFacts({ ...grant, id: '', project: '' }, language);
  const about = {
    en: `A grant for ${visible(grant.skill)} in this project:`,
    zh: `在此项目中授权 ${visible(grant.skill)}:`,
  };
  const all = [about[language], ...rows.map(([name, meaning]) => `  ${name}: ${meaning}`)];
  return all.flatMap((line) => wrapHard(line, width));
}

/** The whole script or file, or the whole diff; control characters are shown, not obeyed. */
export function* wholeLines(view: CallView, what: 'file' | 'diff', screen: Screen): Generator<string> {
  const lines = what === 'diff' && view.kind === 'write' ? view.diff?.lines : 'head' in view ? view.head.lines : [];
  for (const line of lines ?? []) {
    const style = what === 'diff' ? signStyle(line) : undefined;
    for (const part of wrapHard(visible(line.replaceAll('\t', '    ')), screen.width)) yield paint(part, style, screen);
  }
}

/** Only what stands for a part of a diff: a script may have lines that begin like one. */
function styleOf(line: string, { view }: ApprovalQuestion): Style | undefined {
  const isDiff = (view?.kind === 'write' || view?.kind === 'delete') && line.startsWith('    ');
  return isDiff ? signStyle(line.slice(4)) : undefined;
}

function signStyle(line: string): Style | undefined {
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'red';
  return line.startsWith('@@') ? 'cyan' : undefined;
}
