// The questions of a project: private files of this machine, or shared through the server the user's settings name.
import { createRedactor } from '../audit/redact.ts';
import { openInterrupts } from '../policy/interrupt/file.ts';
import type { InterruptStore } from '../store/interrupt-store.ts';
import { type InStore, postgresInterrupts } from '../store/postgres/interrupts.ts';
import type { KeptState } from './keep-state.ts';
import { hereOf, isShared, postgresPlace, type StoreWish } from './open-store.ts';

export function openProjectInterrupts(wish: StoreWish & { readonly kept?: KeptState }): InterruptStore {
  const { home, project } = wish;
  const own = openInterrupts(home, project);
  if (!isShared(wish)) return own;
  const { text: redact } = createRedactor([], { keyShapes: true });
  return postgresInterrupts({ inStore: wish.kept?.inServer ?? storeOf(wish), own, here: hereOf(project), redact });
}

function storeOf(wish: StoreWish): InStore {
  return async (work) => {
    const { openPostgresStore } = await import('../store/postgres/open.ts');
    const store = await openPostgresStore(postgresPlace(wish), { connections: 1 });
    try {
      return await work(store);
    } finally {
      await store.database.close();
    }
  };
}
