// `interrupts`: what waits for a decision, and the command that gives it.
import { listWaiting } from '../../../app/resume/waiting.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { questionText } from '../../../app/view/saved-question.ts';
import type { Language, Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import type { ListedInterrupt } from '../../../store/interrupt-store.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'Each is decided once, and only if everything is still as it was when the question was asked.',
    zh: '每项只能决定一次，且仅当一切仍与提问时相同时才有效。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright interrupts', 'skillwright interrupts --json'],
  async run({ runtime, terminal }) {
    const waiting = await listWaiting(runtime);
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countWaiting(waiting.length), {
      items: waiting.map(describe),
    });
    return { outcome, human: waiting.map((one) => render(one, runtime, terminal)).join('\n') };
  },
};

function describe(interrupt: ListedInterrupt) {
  const { id, kind, question, items, choices, expires, resumeCommand, holder, isHere, facts } = interrupt;
  return {
    id,
    kind,
    question,
    decides: items,
    choices,
    expires: new Date(expires).toISOString(),
    resume_command: resumeCommand,
    here: isHere,
    ...(facts !== undefined && { facts }),
    ...(holder && { host: holder.host, folder: holder.folder }),
  };
}

function render(interrupt: ListedInterrupt, { language }: Runtime, terminal: Terminal): string {
  const until = { en: 'until', zh: '有效期至' }[language];
  const heading = `${interrupt.id} ${interrupt.kind}, ${until} ${new Date(interrupt.expires).toISOString()}`;
  const question = visibleLines(questionText(interrupt, language)).replaceAll('\n', '\n  ');
  const choices = interrupt.choices.map(visible).join(' | ');
  return [
    paint(heading, 'cyan', terminal),
    `  ${question}`,
    `  ${choices}`,
    `  ${visible(interrupt.resumeCommand)}${whereElse(interrupt, language)}`,
  ].join('\n');
}

/** Where it must be typed, unless that is here. */
function whereElse({ holder, isHere }: ListedInterrupt, language: Language): string {
  if (isHere || !holder) return '';
  const where = visible(`${holder.host}:${holder.folder}`);
  return { en: `  (on ${where})`, zh: `  （在 ${where} 上）` }[language];
}

function countWaiting(number: number): Text {
  if (number === 0) return { en: 'nothing waits for a decision', zh: '没有待决定的事项' };
  const are = number === 1 ? 'one thing waits' : `${number} things wait`;
  return { en: `${are} for a decision`, zh: `${number} 项待决定` };
}
