// The state of a project in a process that needs it all the time: opened with the first use, lent to every use, closed once.
import type { InStore } from '../store/postgres/interrupts.ts';
import type { Store } from '../store/store.ts';
import { openProjectState, type ProjectState, type StoreWish } from './open-store.ts';

export interface KeptState {
  /** Closing what was lent closes nothing. */
  openStore(): Promise<Store>;
  /** Only for a project whose state is on a server. */
  readonly inServer: InStore;
  close(): Promise<void>;
}

export function keepState(wish: StoreWish, stop?: AbortSignal): KeptState {
  let opening: Promise<ProjectState> | undefined;
  const opened = () => {
    // A server that could not be reached is tried again by the next use.
    opening ??= openProjectState(wish, stop).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    openStore: async () => lend((await opened()).store),
    async inServer(work) {
      const { server } = await opened();
      if (!server) throw new Error('the state of this project is on no server');
      return await work(server);
    },
    async close() {
      const state = await opening?.catch(() => undefined);
      state?.store.close();
    },
  };
}

function lend({ usage, scanned, flights }: Store): Store {
  return { usage, scanned, flights, close() {}, [Symbol.dispose]() {} };
}
