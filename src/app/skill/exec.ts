// Runs one script of a skill in the workspace: any script, the arguments as they stand, and what it changes as a change set.
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { RunScript } from '../../door/call.ts';
import { perform } from '../../door/perform.ts';
import type { Ended } from '../../process/order.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { concludeChanges } from '../workspace/conclude.ts';
import { refuseRoleSkill } from './refuse-role-skill.ts';

export interface ExecRequest
  extends Pick<
    RunScript,
    'skill' | 'source' | 'script' | 'asModule' | 'args' | 'stdin' | 'ownInput' | 'timeoutSeconds' | 'byPerson'
  > {
  /** As it was asked for, for the record. */
  readonly text: string;
  /** Called when the script has ended, before anybody is asked about its changes. */
  readonly onEnded?: ((ended: Ended) => void) | undefined;
}

export interface ExecutedScript {
  readonly outcome: Outcome;
  /** How the script ended; absent where it was not started. */
  readonly ended: Ended | undefined;
}

export async function execScript(request: ExecRequest, runtime: Runtime, caller: Caller): Promise<ExecutedScript> {
  const { text, onEnded, ...call } = request;
  await refuseRoleSkill(call, runtime);
  let ended: Ended | undefined;
  const remember = (it: Ended) => {
    ended = it;
    onEnded?.(it);
  };
  using door = openDoor(runtime, { ...caller, kind: 'exec', request: text, version: VERSION, onEnded: remember });
  const { context } = door;
  const done = await perform({ kind: 'run_script', ...call, context }, door);
  const outcome = await concludeChanges(done, door, runtime);
  door.finish(outcome);
  return { outcome, ended };
}
