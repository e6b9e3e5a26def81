// Runs a task for whoever asks, a command or code: the same checks, the same door, the same shared results.
import { type FlatOutcome, flatten } from '../../base/flat-outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import type { TaskRequest } from '../../task/task.ts';
import type { Caller } from '../open-door.ts';
import { createRuntime, type Runtime } from '../runtime.ts';
import type { TaskWishes } from './host.ts';

export interface TaskOptions extends TaskWishes, Pick<Caller, 'ask' | 'signal' | 'onProgress' | 'private'> {
  /** The project of the working folder unless given. */
  readonly runtime?: Runtime;
}

/** For code. Never throws for what a task can say: every end is an outcome. Without `ask`, a script runs on a grant. */
export async function runTask(request: TaskRequest, options: TaskOptions = {}): Promise<FlatOutcome> {
  const { runtime: given, ...rest } = options;
  const runtime = given ? given.derive() : await createRuntime();
  const outcome = await performTask(request, runtime, rest);
  // Nobody else can; and nobody waits for it.
  if (!given) void runtime.telemetry?.close();
  return flatten(outcome);
}

export async function performTask(
  request: TaskRequest,
  runtime: Runtime,
  { fresh, decide, ...caller }: TaskWishes & Caller,
): Promise<Outcome> {
  // Loaded by the first call, so that importing the library costs little.
  const [{ openDoor }, { task }, { openTaskHost }] = await Promise.all([
    import('../open-door.ts'),
    import('../../task/task.ts'),
    import('./host.ts'),
  ]);
  using door = openDoor(runtime, { ...caller, kind: 'task', request: request.prompt, version: VERSION });
  using host = await openTaskHost(runtime, door, { ...(fresh && { fresh }), ...(decide && { decide }) });
  const outcome = await task(request, host);
  door.finish(outcome);
  return outcome;
}
