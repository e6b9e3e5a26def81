// `executeSkill` for whoever calls it from code: one action of a role's skill, now, on a grant or with whoever is asked.
import { randomId } from './base/ids.ts';
import { VERSION } from './base/version.ts';
import type { SkillOrder, SkillResult } from './jobs/skill-order.ts';
import type { DoorOptions } from './open-door.ts';
import { createRuntime, type Runtime } from './runtime.ts';

export interface ExecuteOptions extends Pick<DoorOptions, 'ask' | 'yes' | 'onProgress' | 'private'> {
  /** The project of the working folder unless given. */
  readonly runtime?: Runtime;
}

/** Never throws for what a skill or its order can say: every end is a result. Nobody is asked unless `ask` is given. */
export async function executeSkill(
  order: SkillOrder & { readonly signal?: AbortSignal },
  options: ExecuteOptions = {},
): Promise<SkillResult> {
  // Loaded by the first call, so that importing the library costs little.
  const [{ performSkill, toResult }, { openDoor }] = await Promise.all([
    import('./jobs/executor.ts'),
    import('./open-door.ts'),
  ]);
  const { runtime = await createRuntime(), ...rest } = options;
  const { signal, agent_role, skill_name, action } = order;
  const context = { request_id: randomId(), agent_id: agent_role, ...order.context };
  const request = `${agent_role}/${skill_name} ${action}`;
  const identity = { kind: 'job', request, version: VERSION, context };
  const door = openDoor(runtime, { ...rest, ...identity, ...(signal && { signal }) });
  const outcome = await performSkill(order, door, context);
  door.finish(outcome);
  // Nobody else can; and nobody waits for it.
  if (!options.runtime) void runtime.telemetry?.close();
  return toResult(outcome, action);
}
