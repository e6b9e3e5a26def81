// The queue on PostgreSQL at work, and beside it pg-boss alone with the same options on the same server.
import { PgBoss } from 'pg-boss';
import { openPgBossQueue } from '../src/store/postgres/queue.ts';
import { type Contender, JOB } from './jobs-ours.ts';

const RESULT = { state: 'success', data: { items: 10 }, meta: { time: 0.1 } };
const CONNECTIONS = 4;
const WISH = { worker: 'bench', leaseMs: 10_000 };

export async function oursOnPostgres(name: string, url: string, schema: string, limit: number): Promise<Contender> {
  const queue = await openPgBossQueue({ url, schema }, { connections: CONNECTIONS });
  const result = JSON.stringify(RESULT);
  let claims = 0;
  return {
    name,
    async fill(jobs) {
      for (let at = 0; at < jobs; at += limit) {
        await Promise.all(Array.from({ length: limit }, () => queue.enqueue(JOB)));
      }
    },
    async work() {
      for (;;) {
        const jobs = await queue.claim({ ...WISH, tag: `bench ${claims++}`, limit });
        if (jobs.length === 0) return;
        await Promise.all(jobs.map(({ id, fence }) => queue.complete({ id, fence }, { result })));
      }
    },
    close: async () => queue.close(),
  };
}

/** `together`: a batch is completed by one statement when all of it is done, as its own work loop does. */
export async function plainPgBoss(
  name: string,
  url: string,
  schema: string,
  { limit, together = false }: { readonly limit: number; readonly together?: boolean },
): Promise<Contender> {
  const boss = new PgBoss({
    connectionString: url,
    schema,
    max: CONNECTIONS,
    useListenNotify: true,
    schedule: false,
    supervise: false,
  });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('jobs', { notify: true, retryLimit: 3, heartbeatSeconds: 10, retentionSeconds: 86_400 });
  return {
    name,
    async fill(jobs) {
      for (let at = 0; at < jobs; at += limit) {
        await Promise.all(Array.from({ length: limit }, () => boss.send('jobs', JSON.parse(JOB.payload))));
      }
    },
    async work() {
      for (;;) {
        const jobs = await boss.fetch('jobs', { batchSize: limit });
        if (jobs.length === 0) return;
        const ids = jobs.map(({ id }) => id);
        if (together) await boss.complete('jobs', ids, RESULT);
        else await Promise.all(ids.map((id) => boss.complete('jobs', id, RESULT)));
      }
    },
    close: () => boss.stop({ graceful: false }),
  };
}
