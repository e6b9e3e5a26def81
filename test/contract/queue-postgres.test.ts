// The queue on PostgreSQL keeps the same promises as the embedded one.
import { openPgBossQueue } from '../../src/store/postgres/queue.ts';
import { newSchema } from '../support/server/postgres-server.ts';
import { sharedPostgres } from '../support/server/postgres-shared.ts';
import { queueContract } from './queue-contract.ts';

queueContract('PostgreSQL', async (t) => {
  const { url } = await sharedPostgres();
  const schema = newSchema();
  return {
    async open() {
      const queue = await openPgBossQueue({ url, schema });
      t.after(() => queue.close());
      return queue;
    },
  };
});
