// Runs a task for whoever asks, a command or code: the same checks, the same door, the same shared results.
import { type FlatOutcome, flatten } from '../../base/flat-outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import { requireWords, type TaskRequest } from '../../task/request.ts';
import type { Caller } from '../open-door.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import type { TaskWishes } from './host.ts';

/** Where a task runs and who is asked, for `task`. */
export interface TaskOptions extends TaskWishes, Pick<Caller, 'ask' | 'signal' | 'onProgress' | 'private'> {
  /** The project of the working folder unless given. */
  readonly runtime?: Runtime;
}

/** How a task given as words is run, and the key that runs it once. */
export interface TaskCallOptions extends TaskOptions {
  readonly idempotency_key?: string;
}

/**
 * Hands a task to a worker, as `skillwright task` does. Never throws for what a task can say: every end is an outcome.
 * Without `ask`, a script runs on a grant.
 * @example
 * const outcome = await task('worker_agent', 'list the skills', 'run python bin/skill_manager.py list');
 */
export async function runTask(...given: InOne | InWords): Promise<FlatOutcome> {
  if (!isInWords(given)) return await runRequest(given[0], given[1] ?? {});
  const [agent, description, prompt, { idempotency_key: key, ...options } = {}] = given;
  return await runRequest({ agent, description, prompt, ...(key !== undefined && { idempotency_key: key }) }, options);
}

type InOne = readonly [request: TaskRequest, options?: TaskOptions];
type InWords = readonly [agent: string, description: string, prompt: string, options?: TaskCallOptions];

function isInWords(given: InOne | InWords): given is InWords {
  return typeof given[0] === 'string';
}

async function runRequest(request: TaskRequest, { runtime: given, ...rest }: TaskOptions): Promise<FlatOutcome> {
  const runtime = given ? given.derive() : await createRuntime();
  const outcome = await performTask(request, runtime, rest);
  // Nobody else can; and nobody waits for it.
  if (!given) void runtime.telemetry?.close();
  return flatten(outcome);
}

/** For a person's words. Throws a Fault of the type Usage where the words themselves are wrong. */
export async function performTypedTask(
  request: TaskRequest,
  runtime: Runtime,
  caller: TaskWishes & Caller,
): Promise<Outcome> {
  requireWords(request);
  return await performTask(request, runtime, caller);
}

async function performTask(
  request: TaskRequest,
  runtime: Runtime,
  { fresh, decide, ...caller }: TaskWishes & Caller,
): Promise<Outcome> {
  // Loaded by the first call, so that importing the library costs little.
  const [{ openDoor }, { concludeChanges }, { task }, { openTaskHost }] = await Promise.all([
    import('../open-door.ts'),
    import('../workspace/conclude.ts'),
    import('../../task/task.ts'),
    import('./host.ts'),
  ]);
  using door = openDoor(runtime, { ...caller, kind: 'task', request: request.prompt, version: VERSION });
  using host = await openTaskHost(runtime, door, { ...(fresh && { fresh }), ...(decide && { decide }) });
  const outcome = await concludeChanges(await task(request, host), door, runtime);
  door.finish(outcome);
  return outcome;
}
