// `task` for whoever calls it from code: the same checks, door and shared results as on the command line.
import type { DoorOptions } from '../../../app/open-door.ts';
import { createRuntime, type Runtime } from '../../../app/runtime.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { VERSION } from '../../../base/version.ts';
import type { TaskHost, TaskRequest } from '../../../task/task.ts';
import { LOOK_COMMANDS } from '../../look-commands.ts';

export interface TaskOptions extends Pick<DoorOptions, 'ask' | 'signal' | 'onProgress' | 'private'> {
  /** The project of the working folder unless given. */
  readonly runtime?: Runtime;
  /** Do not take a stored result. */
  readonly fresh?: boolean;
  /** A model that answers a script's question before a person is asked. */
  readonly decide?: NonNullable<TaskHost['decide']>;
}

/** Never throws for what a task can say: every end is an outcome. Without `ask`, a script runs on a grant. */
export async function runTask(request: TaskRequest, options: TaskOptions = {}): Promise<Outcome> {
  // Loaded by the first call, so that importing the library costs little.
  const [{ openDoor }, { task }, { withTaskHost }] = await Promise.all([
    import('../../../app/open-door.ts'),
    import('../../../task/task.ts'),
    import('./host.ts'),
  ]);
  const { runtime = await createRuntime(), fresh = false, decide, ...rest } = options;
  const door = openDoor(runtime, { ...rest, kind: 'task', request: request.prompt, version: VERSION });
  const terminal = { interactive: false, color: false, width: Number.POSITIVE_INFINITY };
  const context = { positionals: [], options: {}, runtime, terminal, commands: LOOK_COMMANDS };
  const outcome = await withTaskHost(context, door, (host) =>
    task(request, { ...host, fresh, ...(decide && { decide }) }),
  );
  door.finish(outcome);
  // Nobody else can; and nobody waits for it.
  if (!options.runtime) void runtime.telemetry?.close();
  return outcome;
}
