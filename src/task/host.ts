// What a task needs from its surroundings, beside the door.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
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
  if (host.isTrusted()) return;
  const { project } = host.door.places;
  // Where there are no scripts yet, trust alone would only lead to the next failure.
  const isEmpty = !existsSync(path.join(project, 'bin'));
  throw new Fault('NotTrusted', visible(project), isEmpty ? { hint: NOTHING_THERE } : {});
}

const NOTHING_THERE: Text = {
  en: 'There is no bin/ here: `skillwright init` writes its scripts, and trusts a folder without settings of its own.',
  zh: '此处没有 bin/: `skillwright init` 写入其中的脚本，并信任没有自身配置的目录。',
};
