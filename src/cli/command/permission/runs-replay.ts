// `runs replay`: a recorded run once more with its own decisions and results; nothing is executed.
import type { Difference } from '../../../agent/resume/compare-runs.ts';
import { findRun } from '../../../app/find-run.ts';
import type { Runtime } from '../../../app/runtime.ts';
import type { AuditRecord } from '../../../audit/event.ts';
import { readVerified } from '../../../audit/run-archive.ts';
import { readSavedState } from '../../../audit/saved-state.ts';
import { Fault } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import type { Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

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
    const { id, folder } = findRun(runtime.project, written);
    const { verified, records } = readVerified(runtime.project, runtime.home, id);
    if (!verified.ok) throw new Fault('IntegrityMismatch', visible(`${id}: ${verified.why ?? ''}`));
    const { turns, ending, differences } = await replay(runtime, folder, records);
    const by = runtime.answering('skillwright', 'own');
    const data = { run_id: id, turns, ending, same: differences.length === 0, differences };
    if (differences.length === 0)
      return {
        outcome: makeOutcome(
          by,
          'success',
          { en: `${turns} ${turns === 1 ? 'turn' : 'turns'}, as recorded`, zh: `${turns} 轮，与记录一致` },
          data,
        ),
      };
    const count = { en: `${differences.length} differences`, zh: `${differences.length} 处差异` };
    return {
      outcome: failedOutcome(by, new Fault('CheckFailed', count, { hint: CHANGED }), data),
      human: renderDifferences(differences, terminal),
    };
  },
};

const CHANGED: Text = {
  en: 'The record is unbroken; what differs was changed since: skills, their order, prompts or settings.',
  zh: '记录完整；差异来自此后的变化: 技能、其顺序、提示或配置。',
};

async function replay(runtime: Runtime, folder: string, records: readonly AuditRecord[]) {
  const { replayRun } = await import('../../../agent/resume/replay.ts');
  const { digestSkill } = await import('../../../skill/digest.ts');
  const { config, clock } = runtime;
  const index = runtime.index();
  const digestNow = (skillId: string) => {
    const skill = index.skills.find((one) => one.skillId === skillId);
    return skill && digestSkill(skill.folder).digest;
  };
  return await replayRun(
    { folder, records, state: readState(folder, records), digestNow },
    {
      index,
      search: () => runtime.searchIndex(index, 'remembered'),
      context: { request_id: 'replay' },
      clock,
      bodyLines: config.security.maxSkillBodyLines,
      catalogTokens: config.budgets.catalogTokens,
    },
  );
}

function readState(folder: string, records: readonly AuditRecord[]): Json {
  try {
    return readSavedState(folder, records).state;
  } catch (error) {
    if (!(error instanceof Fault) || error.type !== 'DataNotFound') throw error;
    throw new Fault(
      'DataNotFound',
      { en: 'this run has no decisions of a model to go through again', zh: '此运行没有可重放的模型决定' },
      {
        hint: {
          en: 'Only what `skillwright run` did can be gone through, and not with --private; `runs show` tells the rest.',
          zh: '只有 `skillwright run` 的运行可以重放，--private 除外；其余请用 `runs show` 查看。',
        },
      },
    );
  }
}

function renderDifferences(differences: readonly Difference[], terminal: Parameters<typeof renderTable>[2]): string {
  const columns = ['EVENT', 'WHAT', 'RECORDED', 'NOW'].map((title) => ({ title }));
  const rows = differences.map(({ at, what, recorded, replayed }) => [String(at), what, recorded, replayed]);
  return renderTable(columns, rows, terminal);
}
