// What a task needs from its surroundings, beside the door.
import { Fault } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import type { CallContext } from '../door/call.ts';
import type { Door } from '../door/door.ts';
import type { SkillLook } from './shipped.ts';

export interface WorkerHost {
  readonly door: Door & { readonly context: CallContext };
  /** Whether the user trusts the project; without that no script of it runs. */
  isTrusted(): boolean;
  /** What the commands of that name answer, in this process. Throws a Fault. */
  look(look: SkillLook): Promise<Outcome>;
  /** A model that may answer a script's question before a person is asked: a JSON object or `item=choice` words, or nothing. */
  decide?(asked: Asked): Promise<readonly string[] | undefined>;
}

export interface Asked {
  readonly question: string;
  readonly items: readonly string[];
  readonly choices: readonly string[];
}

export const WORKER = { agent: 'worker_agent', surface: 'task' } as const;

export function requireTrust(host: WorkerHost): void {
  if (!host.isTrusted()) throw new Fault('NotTrusted', visible(host.door.places.project));
}
