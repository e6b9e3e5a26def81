// PostgreSQL keeps the promises about questions; what only one machine can go on with is shown everywhere and answered there.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createRedactor } from '../../src/audit/redact.ts';
import { openInterrupts } from '../../src/policy/interrupt/file.ts';
import type { Interrupt } from '../../src/store/interrupt-store.ts';
import { type InStore, postgresInterrupts } from '../../src/store/postgres/interrupts.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { ask as askServer, newSchema } from '../support/server/postgres-server.ts';
import { sharedPostgres } from '../support/server/postgres-shared.ts';
import { temporaryFolder } from '../support/support.ts';
import { APPROVAL, answer, ask, testInterruptContract } from './interrupt-contract.ts';

testInterruptContract('PostgreSQL, of one machine,', async (t) => {
  const { machine } = await openSchema(t);
  const home = temporaryFolder(t);
  return { one: machine('a', home), other: machine('a', home) };
});

testInterruptContract('PostgreSQL, of any machine,', async (t) => {
  const { machine } = await openSchema(t);
  const roaming = (host: string) => {
    const store = machine(host, temporaryFolder(t));
    return {
      ...store,
      save: (question: Parameters<typeof store.save>[0]) => store.save({ ...question, kind: 'job', roams: true }),
    };
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

test('a question that is answered while another answer looks at it is answered, not lost', async (t) => {
  const { machine, inStore } = await openSchema(t);
  const home = temporaryFolder(t);
  const first = machine('a', home);
  const saved = await ask(first);
  const own = openInterrupts(home, home);
  const late = postgresInterrupts({
    inStore,
    // Between the row on the server and the part on this machine, the other answer arrives.
    own: {
      ...own,
      async get(id) {
        await first.take(saved);
        return await own.get(id);
      },
    },
    here: { host: 'a', folder: '/a' },
    redact: (text) => text,
  });
  assert.deepEqual(await answer(late, saved.id, ['deny']), { ok: false, why: 'missing' });
});

test('threat 47 blocked: what others wrote into the store reaches no terminal, and keeps nobody from seeing the rest', async (t) => {
  const { machine, write } = await openSchema(t);
  const store = machine('a', temporaryFolder(t));
  const own = await ask(store);
  const code = '\u001b]0;x\u0007';
  const bad: Partial<Record<string, string | number>>[] = [
    { id: `${code}1` },
    { kind: `job${code}` },
    { kind: 'magic' },
    { items: 'nope' },
    { choices: '3' },
    { items: '[1]' },
    { expires: '9000000000000000000' },
    { host: '', payload: '{' },
  ];
  for (const [at, change] of bad.entries()) await write(own.id, { id: `abc${at}`, ...change });
  await write(own.id, { id: 'abc9', choices: '["approve; rm -rf ~"]', resume_command: 'rm -rf ~' });
  const listed = await store.list();
  assert.deepEqual(
    listed.map(({ id, resumeCommand }) => [id, resumeCommand]),
    [
      ['abc9', "skillwright resume abc9 --decide 'approve; rm -rf ~'"],
      [own.id, own.resumeCommand],
    ].toSorted(),
  );
});

test('threat 49 blocked: a question that others exchange after it was read is not the one that is answered', async (t) => {
  const { url } = await sharedPostgres();
  const { machine, schema } = await openSchema(t);
  const [one, other] = [machine('a', temporaryFolder(t)), machine('b', temporaryFolder(t))];
  const save = async (question: string, digest: string) => {
    const roaming = { ...one, save: (asked: Interrupt) => one.save({ ...asked, kind: 'job', roams: true }) };
    return await ask(roaming, { ...APPROVAL, question, digest });
  };
  const [harmless, evil] = [await save('list files', 'd1'), await save('delete files', 'd2')];
  await askServer(
    url,
    `UPDATE "${schema}".interrupt SET question = 'delete files', digest = 'd2' WHERE id = '${harmless.id}'`,
  );
  assert.equal(await other.get(harmless.id), undefined);
  assert.deepEqual(await answer(other, harmless.id, ['approve'], 'd2'), { ok: false, why: 'missing' });
  await askServer(url, `UPDATE "${schema}".interrupt SET question = 'list files' WHERE id = '${evil.id}'`);
  assert.deepEqual(await other.list(), [], 'nor is it shown in other words');
  await askServer(url, `UPDATE "${schema}".interrupt SET question = 'delete files' WHERE id = '${evil.id}'`);
  assert.ok((await answer(other, evil.id, ['approve'], 'd2')).ok, 'control: as it was asked it is answered');
});

test('threat 49 blocked: what only this machine can go on with is read in its own words, and never as another kind', async (t) => {
  const { url } = await sharedPostgres();
  const { machine, schema } = await openSchema(t);
  const store = machine('a', temporaryFolder(t));
  const saved = await ask(store);
  await askServer(url, `UPDATE "${schema}".interrupt SET question = 'harmless', resume_command = 'rm -rf ~'`);
  const [listed] = await store.list();
  assert.deepEqual([listed?.question, listed?.resumeCommand], [saved.question, saved.resumeCommand]);
  await askServer(
    url,
    `UPDATE "${schema}".interrupt SET kind = 'worker', host = NULL, payload = '{"curation":[]}', question = '${saved.question}'`,
  );
  assert.deepEqual([await store.list(), await store.get(saved.id)], [[], undefined]);
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
    inStore,
    schema,
    /** The row of a question once more, with changes. */
    async write(id: string, change: Partial<Record<string, string | number>>) {
      const copy = `json_populate_record(row, '${JSON.stringify(change).replaceAll("'", "''")}')`;
      await askServer(
        url,
        `INSERT INTO "${schema}".interrupt SELECT (${copy}).* FROM "${schema}".interrupt row WHERE id = '${id}'`,
      );
    },
    rows: () => askServer(url, `SELECT * FROM "${schema}".interrupt`),
  };
}
