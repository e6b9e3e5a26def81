// Ends a command whose call worked in a layer: what it changed is applied or waits, and the outcome says so.
import path from 'node:path';
import { isRecordFile } from '../../base/hidden-files.ts';
import { interruptedOutcome, type Outcome, tell } from '../../base/outcome.ts';
import type { OpenDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { isWaiting, type Settled, type Settling, settleChanges } from './settle.ts';
import { applyCommand, tellChanges } from './tell.ts';
import { tellCommits } from './tell-commits.ts';

export interface ConcludedCall {
  readonly outcome: Outcome;
  /** Absent where the call changed nothing, or had no layer. */
  readonly changes: Settled | undefined;
  /** What a call in a layer could not read, as the project names it. */
  readonly hidden: readonly string[];
}

export async function concludeChanges(
  done: Outcome,
  wish: Pick<Settling, 'apply' | 'yes' | 'ask'>,
  door: OpenDoor,
  runtime: Runtime,
): Promise<ConcludedCall> {
  const wentWell = done.state === 'success' || done.state === 'partial';
  if (!door.workspace.isOpen()) return { outcome: done, changes: undefined, hidden: [] };
  const hidden = await hiddenNames(door, runtime);
  const changes = await settleChanges({ run: door.begin().id, ...wish, wentWell }, door.workspace, runtime);
  const seen = hidden.length > 0 ? tell(done, { hidden }) : done;
  if (!changes) return { outcome: seen, changes, hidden };
  const told = tell(seen, { changes: tellChanges(changes), ...tellCommits(changes.commits, changes.tookCommits) });
  const waits = wentWell && wish.apply !== 'never' && isWaiting(changes);
  return { outcome: waits ? waiting(told, changes, runtime) : told, changes, hidden };
}

async function hiddenNames({ workspace }: OpenDoor, runtime: Runtime): Promise<string[]> {
  const { hidden } = await workspace.open((await runtime.sandbox()).layers);
  return hidden.map((file) => path.relative(runtime.project, file)).filter((name) => !isRecordFile(name));
}

/** A decision is needed, and not about whether it may run. */
function waiting({ data, product }: Outcome, { run, waiting: left }: Settled, runtime: Runtime): Outcome {
  const count = left.length;
  const changes = {
    en: `${count} ${count === 1 ? 'change waits' : 'changes wait'} to be applied`,
    zh: `${count} 项更改等待应用`,
  };
  const summary = count > 0 ? changes : { en: 'commits wait to be taken', zh: '提交等待接收' };
  const next = applyCommand(run);
  const asks = { waitsFor: 'changes', next, ...(product && { product }) } as const;
  return interruptedOutcome(runtime.answering('skills', 'invoke'), summary, asks, { ...data, resume_command: next });
}
