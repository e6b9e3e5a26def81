// `runs prune`: throws old records away, by age or by number.
import { pruneRuns } from '../audit/run-archive.ts';
import type { Text } from '../base/language.ts';
import { makeOutcome } from '../base/outcome.ts';
import type { Runtime } from '../runtime.ts';
import { type Command, type OptionValues, textOption } from './command.ts';
import { readCount } from './count.ts';
import { DAY_MS, readDuration } from './duration.ts';
import { findRuns } from './find-run.ts';

// Older than this is every run, also one that began this very second.
const EVERY_AGE = -DAY_MS;

export const command: Command = {
  about: {
    en: 'Without options the settings decide: retention.runs_days for whole runs, retention.observations_days for the texts they kept.',
    zh: '不带选项时按配置执行：retention.runs_days 决定整次运行，retention.observations_days 决定保留的文本。',
  },
  positionals: [],
  options: [
    {
      name: 'older-than',
      value: 'SPAN',
      summary: { en: 'remove runs older than this, such as 30d', zh: '删除早于此时长的运行，如 30d' },
    },
    {
      name: 'keep',
      value: 'N',
      summary: { en: 'keep the latest N; alone, remove all others', zh: '保留最近 N 次；单独使用时删除其余全部' },
    },
  ],
  examples: ['skillwright runs prune', 'skillwright runs prune --older-than 30d --keep 20'],
  async run({ options, runtime }) {
    runtime.requireConfig();
    // Refuses a linked folder before anything is removed.
    findRuns(runtime.project);
    const { removed, emptied } = pruneRuns(runtime.project, readPlan(options, runtime));
    const kept = findRuns(runtime.project).length;
    const data = { removed, emptied, kept };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summarize(removed, emptied, kept), data),
      human: removed.map((id) => `  ${id}`).join('\n'),
    };
  },
};

function readPlan(options: OptionValues, { clock, config }: Runtime) {
  const { runsDays, observationsDays } = config.retention;
  const span = textOption(options, 'older-than');
  const number = textOption(options, 'keep');
  const keep = number === undefined ? 0 : readCount('keep', number);
  const byNumber = number === undefined ? runsDays * DAY_MS : EVERY_AGE;
  const runsMs = span === undefined ? byNumber : readDuration('older-than', span);
  return { now: clock.now(), runsMs, observationsMs: observationsDays * DAY_MS, keep };
}

function summarize(removed: readonly string[], emptied: readonly string[], kept: number): Text {
  return {
    en: `${removed.length} runs removed, ${emptied.length} lost their texts, ${kept} stay`,
    zh: `已删除 ${removed.length} 次运行，${emptied.length} 次的文本已清理，保留 ${kept} 次`,
  };
}
