// `runs replay`: a recorded run once more with its own decisions and results; nothing is executed.

import type { Difference } from '../../../agent/resume/compare-runs.ts';
import { replayNamed } from '../../../app/record/replay.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language, Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { renderTable, type Terminal } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { pipedCell } from '../../view/piped-cell.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  about: {
    en: 'Shows whether the skills, prompts and steps of a run are still what they were. Nothing is executed and no model is asked.',
    zh: '检查运行所用的技能、提示与步骤是否仍与当时一致。不执行任何操作，也不询问模型。',
  },
  positionals: [
    {
      name: 'id',
      required: true,
      summary: { en: 'as `runs list` shows it, or latest', zh: '`runs list` 所示的 id，或 latest' },
    },
  ],
  options: [],
  examples: ['skillwright runs replay latest'],
  async run({ positionals: [written = ''], runtime, terminal }) {
    const { id, turns, ending, differences } = await replayNamed(written, runtime);
    const by = runtime.answering('skillwright', 'own');
    const data = { run_id: id, turns, ending, same: differences.length === 0, differences };
    if (differences.length === 0)
      return {
        outcome: makeOutcome(
          by,
          'success',
          { en: `${counted(turns, 'turn')}, as recorded`, zh: `${turns} 轮，与记录一致` },
          data,
        ),
      };
    const count = { en: counted(differences.length, 'difference'), zh: `${differences.length} 处差异` };
    return {
      outcome: failedOutcome(by, new Fault('CheckFailed', count), data),
      human: renderDifferences(differences, runtime.language, terminal),
      hint: CHANGED[runtime.language],
    };
  },
};

const CHANGED: Text = {
  en: 'The record is unbroken; what differs was changed since: skills, their order, prompts or settings.',
  zh: '记录完整；差异来自此后的变化: 技能、其顺序、提示或配置。',
};

const TITLES: readonly Text[] = [
  { en: 'EVENT', zh: '事件' },
  { en: 'WHAT', zh: '内容' },
  { en: 'RECORDED', zh: '记录' },
  { en: 'NOW', zh: '现在' },
];
// Two texts stand side by side.
const HALF_LINE = 50;

function renderDifferences(differences: readonly Difference[], language: Language, terminal: Terminal): string {
  const rows = differences.map(({ at, what, recorded, replayed }) => {
    const sides = fromDifference(recorded, replayed).map((text) => pipedCell(text, terminal, HALF_LINE));
    return [String(at), what, ...sides];
  });
  return renderTable(titledColumns(TITLES, language), rows, terminal);
}

// How much of what is the same is shown before the difference.
const CONTEXT = 12;

/** Both from a little before the first character that differs: long lines often begin alike. */
function fromDifference(recorded: string, replayed: string): [string, string] {
  const [old, now] = [[...recorded], [...replayed]];
  const same = old.findIndex((character, at) => character !== now[at]);
  const start = (same === -1 ? old.length : same) - CONTEXT;
  const cut = (text: readonly string[]) => (start > 1 ? `…${text.slice(start).join('')}` : text.join(''));
  return [cut(old), cut(now)];
}
