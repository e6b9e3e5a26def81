// One PostgreSQL for all tests of a file, ended after the last of them.
import { after } from 'node:test';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let running: Promise<PostgresServer> | undefined;
after(async () => (await running)?.stop());

export function sharedPostgres(): Promise<PostgresServer> {
  running ??= startPostgres();
  return running;
}
