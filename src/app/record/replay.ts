// A recorded run once more with its own decisions and results; nothing is executed.
import type { Replayed } from '../../agent/resume/replay.ts';
import type { AuditRecord } from '../../audit/event.ts';
import { readVerified } from '../../audit/run-archive.ts';
import { readSavedState } from '../../audit/saved-state.ts';
import { Fault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import { findRun } from '../find-run.ts';
import type { Runtime } from '../runtime.ts';

export interface ReplayedRun extends Replayed {
  readonly id: string;
}

/** By its id, or `latest`. */
export async function replayNamed(written: string, runtime: Runtime): Promise<ReplayedRun> {
  const { id, folder } = findRun(runtime.project, written);
  const { verified, records } = readVerified(runtime.project, runtime.home, id);
  if (!verified.ok) throw new Fault('IntegrityMismatch', visible(`${id}: ${verified.why ?? ''}`));
  return { id, ...(await goThrough(runtime, folder, records)) };
}

async function goThrough(runtime: Runtime, folder: string, records: readonly AuditRecord[]): Promise<Replayed> {
  const { replayRun } = await import('../../agent/resume/replay.ts');
  const { digestSkill } = await import('../../skill/digest.ts');
  const { config, clock } = runtime;
  const index = runtime.index();
  const digestNow = (skillId: string) => {
    const skill = index.skills.find((one) => one.skillId === skillId);
    return skill && digestSkill(skill).digest;
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
