// Ends what worked in a layer: what it changed is applied or waits, and the outcome says so.
import path from 'node:path';
import { isRecordFile } from '../../base/hidden-files.ts';
import { inLanguage } from '../../base/language.ts';
import { type Outcome, tell } from '../../base/outcome.ts';
import type { OpenDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { isWaiting, type Settled, settleChanges } from './settle.ts';
import { applyCommand, tellChanges } from './tell.ts';
import { tellCommits } from './tell-commits.ts';

export async function concludeChanges(done: Outcome, door: OpenDoor, runtime: Runtime): Promise<Outcome> {
  if (!door.workspace.isMade()) return done;
  const { apply = 'ask', askChanges: ask, onSettled } = door.wishes;
  const hidden = await hiddenNames(door, runtime);
  const wentWell = done.state === 'success' || done.state === 'partial';
  const settling = { run: door.begin().id, apply, ask, yes: door.yes, wentWell };
  const changes = await settleChanges(settling, door.workspace, runtime);
  const seen = hidden.length > 0 ? { ...tell(done, { hidden }), product: { ...done.product, hidden } } : done;
  if (!changes) return seen;
  await onSettled?.(changes);
  const told = tell(seen, { changes: tellChanges(changes), ...tellCommits(changes.commits, changes.tookCommits) });
  const isDone = done.state === 'success' && apply !== 'never';
  return isDone && isWaiting(changes) ? waiting(told, changes, runtime) : told;
}

async function hiddenNames({ workspace }: OpenDoor, runtime: Runtime): Promise<string[]> {
  const { hidden } = await workspace.open((await runtime.sandbox()).layers);
  return hidden.map((file) => path.relative(runtime.project, file)).filter((name) => !isRecordFile(name));
}

/** A decision is needed, and not about whether it may run. */
function waiting(done: Outcome, { run, waiting: left }: Settled, { language }: Runtime): Outcome {
  const count = left.filter(({ verdict }) => verdict !== 'refused').length;
  const changes = {
    en: `${count} ${count === 1 ? 'change waits' : 'changes wait'} to be applied`,
    zh: `${count} 项更改等待应用`,
  };
  const summary = count > 0 ? changes : { en: 'commits wait to be taken', zh: '提交等待接收' };
  const next = applyCommand(run);
  const { agent, meta, product, warnings, run: ended } = done;
  return {
    state: 'interrupted',
    waitsFor: 'changes',
    agent,
    meta,
    summary: inLanguage(summary, language),
    next,
    data: { ...done.data, resume_command: next },
    ...(product && { product }),
    ...(warnings && { warnings }),
    ...(ended && { run: ended }),
  };
}
