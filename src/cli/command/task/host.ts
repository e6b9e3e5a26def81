// What a task needs from a command: our own commands by their words, and the store that results are shared in.
import type { OpenDoor } from '../../../app/open-door.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Outcome } from '../../../base/outcome.ts';
import type { Model } from '../../../model/model.ts';
import type { Store } from '../../../store/store.ts';
import type { TaskHost } from '../../../task/task.ts';
import type { CommandContext } from '../../frame/command.ts';
import { findCommand, parseArguments } from '../../frame/parse.ts';

export async function withTaskHost(
  context: CommandContext,
  door: OpenDoor,
  act: (host: Omit<TaskHost, 'fresh'>) => Promise<Outcome>,
): Promise<Outcome> {
  const { runtime } = context;
  let store: Store | undefined;
  try {
    return await act({
      door,
      ...(runtime.config.interrupts.decideWith === 'model' && { decide: await openDecider(runtime, door) }),
      trusted: runtime.trusted,
      runOwn: (words) => runOwn(words, context),
      async flightControl() {
        const { createFlightControl } = await import('../../../task/flight.ts');
        store = await runtime.openStore();
        return createFlightControl(store.flights);
      },
    });
  } finally {
    store?.close();
  }
}

async function openDecider(runtime: Runtime, door: OpenDoor): Promise<NonNullable<TaskHost['decide']>> {
  const { decideWithModel } = await import('../../../task/model-decision.ts');
  return decideWithModel(() => openModelOf(runtime), door);
}

async function openModelOf({ config, env, project }: Runtime): Promise<Model> {
  const { chooseModel } = await import('../../../model/choice.ts');
  return await chooseModel({
    settings: config.model,
    written: config.model.provider,
    folder: project,
    answered: 0,
    offline: () => Promise.reject(noModel()),
    remote: async (settings) => (await import('../../../model/open.ts')).openModel(settings, { env }),
  });
}

function noModel(): Fault {
  return new Fault('ConfigInvalid', {
    en: 'interrupts.decide_with is model, but model.provider is offline, which answers no questions',
    zh: 'interrupts.decide_with 为 model，但 model.provider 为 offline，无法回答问题',
  });
}

/** The very command a person would type, with nobody to ask. */
async function runOwn(words: readonly string[], { runtime, commands }: CommandContext): Promise<Outcome> {
  const found = findCommand(words, commands);
  if (!found) throw new Error(`no command: ${words.join(' ')}`);
  const { command } = await found.entry.load();
  const { positionals, options } = parseArguments(found.rest, command);
  const terminal = { interactive: false, color: false, width: Number.POSITIVE_INFINITY };
  const { outcome } = await command.run({ positionals, options, runtime, terminal, commands });
  return outcome;
}
