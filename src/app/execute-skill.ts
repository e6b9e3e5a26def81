// `executeSkill` for whoever calls it from code: one action of a role's skill, now, on a grant or with whoever is asked.
import { randomId } from '../base/ids.ts';
import type { Outcome } from '../base/outcome.ts';
import { VERSION } from '../base/version.ts';
import type { SkillOrder, SkillResult } from '../jobs/skill-order.ts';
import type { DoorOptions } from './open-door.ts';
import { createRuntime, type Runtime } from './runtime.ts';

/** Where an order is executed and who is asked, for `executeSkill`. */
export interface ExecuteOptions extends Pick<DoorOptions, 'ask' | 'yes' | 'onProgress' | 'private'> {
  /** The project of the working folder unless given. */
  readonly runtime?: Runtime;
}

/**
 * Runs an action of a skill of a role. Never throws for what a skill or its order can say: every end is a result. Nobody
 * is asked unless `ask` is given.
 * @example
 * const order = { agent_role: 'analyst', skill_name: 'build_analysis', action: 'describe' };
 * const result = await executeSkill(order);
 * if (result.success) console.log(result.data);
 */
export async function executeSkill(
  order: SkillOrder & { readonly signal?: AbortSignal },
  options: ExecuteOptions = {},
): Promise<SkillResult> {
  // Loaded by the first call, so that importing the library costs little.
  const [{ toResult }, { wrongOptions, wrongOrder }, { fail }] = await Promise.all([
    import('../jobs/executor.ts'),
    import('../jobs/order-shape.ts'),
    import('../door/fail.ts'),
  ]);
  const refused = wrongOptions(options);
  const { runtime: given, ...rest }: ExecuteOptions = refused ? {} : options;
  const runtime = given ? given.derive() : await createRuntime();
  const fault = refused ?? wrongOrder(order);
  const outcome = fault ? fail(runtime.answering('jobs', 'call'), fault) : await execute(order, runtime, rest);
  // Nobody else can; and nobody waits for it.
  if (!given) void runtime.telemetry?.close();
  return toResult(outcome, fault ? '' : order.action);
}

async function execute(
  order: SkillOrder & { readonly signal?: AbortSignal },
  runtime: Runtime,
  options: Omit<ExecuteOptions, 'runtime'>,
): Promise<Outcome> {
  const [{ performSkill }, { openDoor }, { concludeChanges }] = await Promise.all([
    import('../jobs/executor.ts'),
    import('./open-door.ts'),
    import('./workspace/conclude.ts'),
  ]);
  const { signal, agent_role, skill_name, action } = order;
  const context = { request_id: randomId(), agent_id: agent_role, ...order.context };
  const request = `${agent_role}/${skill_name} ${action}`;
  const identity = { kind: 'job', request, version: VERSION, context };
  using door = openDoor(runtime, { ...options, ...identity, ...(signal && { signal }) });
  const outcome = await concludeChanges(await performSkill(order, door, context), door, runtime);
  door.finish(outcome);
  return outcome;
}
