// Standing permissions from code: given, listed and taken back on the same record as a person's own commands.
import type { JudgedGrant } from '../grant/list.ts';
import type { Handle } from './handle.ts';
import type { GrantInfo, Grants } from './public/grants.ts';

export function grantsOf(handle: Handle): Grants {
  return {
    async list() {
      const runtime = handle.begin();
      const { listGrants } = await import('../grant/list.ts');
      return await Promise.all((await listGrants(runtime)).map(tell));
    },
    async add(wish) {
      const runtime = handle.begin();
      const [{ addGrant }, { readWish }] = await Promise.all([import('../grant/add.ts'), import('./grant-wish.ts')]);
      const { grant, declared, note } = await addGrant(readWish(wish), runtime);
      return { ...(await tell({ grant, state: 'active', declared })), ...(note && { note: note[runtime.language] }) };
    },
    async revoke(id) {
      const runtime = handle.begin();
      const { revokeGrant } = await import('../grant/list.ts');
      revokeGrant(id, runtime);
    },
  };
}

async function tell({ grant, state, declared }: JudgedGrant): Promise<GrantInfo> {
  const { describeTarget } = await import('../../policy/grant/store.ts');
  const { id, skill, target, network, writes, tier, expires } = grant;
  return {
    ...{ id, skill, what: describeTarget(target), state, declared, network, writes, tier },
    expires: expires === null ? null : new Date(expires).toISOString(),
  };
}
