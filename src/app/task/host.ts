// What a task needs beside the door: looking at skills, the store that results are shared in, a model that may decide.
import { Fault } from '../../base/errors.ts';
import type { Model } from '../../model/model.ts';
import type { Store } from '../../store/store.ts';
import type { TaskHost } from '../../task/task.ts';
import type { OpenDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { lookAtSkills } from './look.ts';

export interface TaskWishes {
  /** Do not take a stored result. */
  readonly fresh?: boolean;
  /** A model that answers a script's question before a person is asked; the settings decide without it. */
  readonly decide?: NonNullable<TaskHost['decide']>;
}

/** Whoever opens it closes it. */
export async function openTaskHost(
  runtime: Runtime,
  door: OpenDoor,
  { fresh = false, decide }: TaskWishes = {},
): Promise<TaskHost & Disposable> {
  const decider = decide ?? (await deciderOf(runtime, door));
  let store: Store | undefined;
  return {
    door,
    isTrusted: runtime.isTrusted,
    fresh,
    ...(decider && { decide: decider }),
    look: (at) => lookAtSkills(at, runtime, door.yes),
    async flightControl() {
      const { createFlightControl } = await import('../../task/flight.ts');
      store = await runtime.openStore();
      return createFlightControl(store.flights);
    },
    [Symbol.dispose]: () => store?.close(),
  };
}

async function deciderOf(runtime: Runtime, door: OpenDoor): Promise<TaskHost['decide']> {
  if (runtime.config.interrupts.decideWith !== 'model') return undefined;
  const { decideWithModel } = await import('../../task/model-decision.ts');
  return decideWithModel(() => openModelOf(runtime), door);
}

async function openModelOf({ config, env, project }: Runtime): Promise<Model> {
  const { chooseModel } = await import('../../model/choice.ts');
  return await chooseModel({
    settings: config.model,
    written: config.model.provider,
    folder: project,
    answered: 0,
    offline: () => Promise.reject(noModel()),
    remote: async (settings) => (await import('../../model/open.ts')).openModel(settings, { env }),
  });
}

function noModel(): Fault {
  return new Fault('ConfigInvalid', {
    en: 'interrupts.decide_with is model, but model.provider is offline, which answers no questions',
    zh: 'interrupts.decide_with 为 model，但 model.provider 为 offline，无法回答问题',
  });
}
