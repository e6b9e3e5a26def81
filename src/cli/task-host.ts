// What a task needs from a command: our own commands by their words, and the store that results are shared in.
import type { Outcome } from '../base/outcome.ts';
import type { OpenDoor } from '../open-door.ts';
import type { Store } from '../store/store.ts';
import type { TaskHost } from '../worker/task.ts';
import type { CommandContext } from './command.ts';
import { findCommand, parseArguments } from './parse.ts';

export async function withTaskHost(
  context: CommandContext,
  door: OpenDoor,
  act: (host: Omit<TaskHost, 'fresh'>) => Promise<Outcome>,
): Promise<Outcome> {
  let store: Store | undefined;
  try {
    return await act({
      door,
      trusted: context.runtime.trusted,
      runOwn: (words) => runOwn(words, context),
      async flightControl() {
        const { createFlightControl } = await import('../worker/flight.ts');
        store = await context.runtime.openStore();
        return createFlightControl(store.flights);
      },
    });
  } finally {
    store?.close();
  }
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
