// Runs one script of a skill in the workspace: any script, the arguments as they stand, and what it changes as a change set.
import { type Outcome, tell } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { RunScript } from '../../door/call.ts';
import { perform } from '../../door/perform.ts';
import type { Ended } from '../../process/order.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { type ApplyChoice, type Settled, type Settling, settleChanges } from '../workspace/settle.ts';
import { tellChanges } from '../workspace/tell.ts';

export interface ExecRequest
  extends Pick<RunScript, 'skill' | 'source' | 'script' | 'args' | 'stdin' | 'ownInput' | 'timeoutSeconds'> {
  /** As it was asked for, for the record. */
  readonly text: string;
  readonly apply: ApplyChoice;
  readonly askChanges?: Settling['ask'];
}

export interface ExecutedScript {
  readonly outcome: Outcome;
  /** How the script ended; absent where it was not started. */
  readonly ended: Ended | undefined;
  readonly changes: Settled | undefined;
}

export async function execScript(request: ExecRequest, runtime: Runtime, caller: Caller): Promise<ExecutedScript> {
  const { text, apply, askChanges, ...call } = request;
  let ended: Ended | undefined;
  const onEnded = (it: Ended) => {
    ended = it;
  };
  using door = openDoor(runtime, { ...caller, kind: 'exec', request: text, version: VERSION, layered: true, onEnded });
  const { context, workspace } = door;
  const done = await perform({ kind: 'run_script', ...call, byPerson: true, context }, door);
  const wentWell = done.state === 'success' || done.state === 'partial';
  const settling = { run: door.begin().id, apply, wentWell, yes: caller.yes ?? false, ask: askChanges };
  const changes = workspace && (await settleChanges(settling, workspace, runtime));
  const outcome = changes ? tell(done, { changes: tellChanges(changes) }) : done;
  door.finish(outcome);
  return { outcome, ended, changes };
}
