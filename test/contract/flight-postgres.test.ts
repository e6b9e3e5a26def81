// PostgreSQL keeps the promises of single-flight; its own clock decides, whatever the date of the processes that ask.
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresFlights } from '../../src/store/postgres/flight.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { newSchema } from '../support/server/postgres-server.ts';
import { sharedPostgres } from '../support/server/postgres-shared.ts';
import { testFlightContract } from './flight-contract.ts';

testFlightContract('PostgreSQL', async (t) => {
  const schema = newSchema();
  const [one, other] = [await open(t, schema), await open(t, schema)];
  return { one, other, wait: (milliseconds) => sleep(milliseconds) };
});

async function open(t: TestContext, schema: string) {
  const { url } = await sharedPostgres();
  const { database, sql } = await openPostgresStore({ url, schema });
  t.after(() => database.close());
  return postgresFlights(database, sql);
}
