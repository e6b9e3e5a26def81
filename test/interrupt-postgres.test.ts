// PostgreSQL keeps the promises about questions; what only one machine can go on with is shown everywhere and answered there.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createRedactor } from '../src/audit/redact.ts';
import { openInterrupts } from '../src/policy/interrupt-file.ts';
import { openPostgresStore } from '../src/store/postgres.ts';
import { type InStore, postgresInterrupts } from '../src/store/postgres-interrupts.ts';
import { APPROVAL, answer, ask, testInterruptContract } from './interrupt-contract.ts';
import { ask as askServer, newSchema } from './postgres-server.ts';
import { sharedPostgres } from './postgres-shared.ts';
import { temporaryFolder } from './support.ts';

testInterruptContract('PostgreSQL, of one machine,', async (t) => {
  const { machine } = await openSchema(t);
  const home = temporaryFolder(t);
  return { one: machine('a', home), other: machine('a', home) };
});

testInterruptContract('PostgreSQL, of any machine,', async (t) => {
  const { machine } = await openSchema(t);
  const roaming = (host: string) => {
    const store = machine(host, temporaryFolder(t));
    return { ...store, save: (question: Parameters<typeof store.save>[0]) => store.save({ ...question, roams: true }) };
  };
  return { one: roaming('a'), other: roaming('b') };
});

test('what one machine holds is listed on all, answered there alone, and its payload never leaves it', async (t) => {
  const { machine, rows } = await openSchema(t);
  const [here, there] = [machine('here', temporaryFolder(t)), machine('there', temporaryFolder(t))];
  const secret = `sk-${'x'.repeat(40)}`;
  const saved = await ask(here, { ...APPROVAL, question: `run it with ${secret}?`, payload: { args: ['private'] } });
  const [listed] = await there.list();
  assert.deepEqual([listed?.id, listed?.isHere, listed?.holder], [saved.id, false, { host: 'here', folder: '/here' }]);
  assert.ok(!JSON.stringify(await rows()).match(/private|sk-/), 'neither payload nor key on the server');
  await assert.rejects(async () => there.get(saved.id), /here:\/here/);
  await assert.rejects(async () => answer(there, saved.id, ['approve']), /here:\/here/);
  const decided = await answer(here, saved.id, ['approve']);
  assert.equal(decided.ok && JSON.stringify(decided.interrupt.payload), '{"args":["private"]}');
  assert.deepEqual(await there.list(), []);
  assert.equal(await there.get(saved.id), undefined);
});

test('a server that cannot be reached decides nothing, and leaves no half of a question behind', async (t) => {
  const home = temporaryFolder(t);
  const away: InStore = async () => {
    throw new Error('away');
  };
  const own = openInterrupts(home, home);
  const store = postgresInterrupts({ inStore: away, own, here: { host: 'a', folder: '/a' }, redact: (text) => text });
  await assert.rejects(ask(store), /away/);
  assert.deepEqual(await own.list(), []);
  await assert.rejects(answer(store, 'ffffffffffff', ['approve']), /away/);
});

test('a machine whose date is wrong neither ends a question early nor keeps it open', async (t) => {
  const { machine } = await openSchema(t);
  const home = temporaryFolder(t);
  const { id } = await ask(machine('a', home), APPROVAL, 60_000);
  const real = Date.now;
  t.after(() => {
    Date.now = real;
  });
  for (const jump of [-86_400_000, 86_400_000]) {
    Date.now = () => real() + jump;
    const [listed] = await machine('a', home).list();
    const left = (listed?.expires ?? 0) - Date.now();
    assert.ok(left > 0 && left <= 60_000, String(left));
  }
  assert.ok((await answer(machine('a', home), id, ['approve'])).ok);
});

async function openSchema(t: TestContext) {
  const { url } = await sharedPostgres();
  const schema = newSchema();
  const store = await openPostgresStore({ url, schema });
  t.after(() => store.database.close());
  const inStore: InStore = (work) => work(store);
  const { text: redact } = createRedactor([], { keyShapes: true });
  return {
    machine: (host: string, home: string) =>
      postgresInterrupts({ inStore, own: openInterrupts(home, home), here: { host, folder: `/${host}` }, redact }),
    rows: () => askServer(url, `SELECT * FROM "${schema}".interrupt`),
  };
}
