import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../../../test/support/server/postgres-server.ts';
import { sharedPostgres } from '../../../test/support/server/postgres-shared.ts';
import { randomId } from '../../base/ids.ts';
import { openPostgres } from './database.ts';
import { openPgNotifier } from './notifier.ts';

test('closed while it begins to listen, whenever that is, it leaves no connection', async () => {
  const { url } = await sharedPostgres();
  const channel = `notifier_${randomId(6)}`;
  const listening = async () => {
    const rows = await ask(url, `SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN "${channel}"'`);
    return rows.length;
  };
  for (let round = 0; round < 60; round++) {
    const database = await openPostgres(url);
    const notifier = openPgNotifier(database);
    notifier.subscribe(channel);
    const waiting = notifier.wait(50, new AbortController().signal, notifier.count());
    await sleep(round / 4);
    notifier.close();
    await waiting;
    await database.close();
  }
  for (const end = Date.now() + 10_000; (await listening()) > 0 && Date.now() < end; ) await sleep(50);
  assert.equal(await listening(), 0);
});
