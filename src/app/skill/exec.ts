// Runs one script of a skill in the workspace: any script, the arguments as they stand, and what it changes as a change set.
import { VERSION } from '../../base/version.ts';
import type { RunScript } from '../../door/call.ts';
import { perform } from '../../door/perform.ts';
import type { Ended } from '../../process/order.ts';
import { type Caller, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { type ConcludedCall, concludeChanges } from '../workspace/conclude.ts';
import type { ApplyChoice, Settling } from '../workspace/settle.ts';
import { refuseRoleSkill } from './refuse-role-skill.ts';

export interface ExecRequest
  extends Pick<
    RunScript,
    'skill' | 'source' | 'script' | 'asModule' | 'args' | 'stdin' | 'ownInput' | 'timeoutSeconds'
  > {
  /** As it was asked for, for the record. */
  readonly text: string;
  readonly apply: ApplyChoice;
  readonly askChanges?: Settling['ask'];
  /** Called when the script has ended, before anybody is asked about its changes. */
  readonly onEnded?: ((ended: Ended) => void) | undefined;
}

export interface ExecutedScript extends ConcludedCall {
  /** How the script ended; absent where it was not started. */
  readonly ended: Ended | undefined;
}

export async function execScript(request: ExecRequest, runtime: Runtime, caller: Caller): Promise<ExecutedScript> {
  const { text, apply, askChanges, onEnded, ...call } = request;
  await refuseRoleSkill(call, runtime);
  let ended: Ended | undefined;
  const remember = (it: Ended) => {
    ended = it;
    onEnded?.(it);
  };
  using door = openDoor(runtime, { ...caller, kind: 'exec', request: text, version: VERSION, onEnded: remember });
  const { context } = door;
  const done = await perform({ kind: 'run_script', ...call, layered: true, byPerson: true, context }, door);
  const wish = { apply, yes: caller.yes ?? false, ask: askChanges };
  const concluded = await concludeChanges(done, wish, door, runtime);
  door.finish(concluded.outcome);
  return { ...concluded, ended };
}
