import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { repository, temporaryFolder } from '../../../test/support/support.ts';
import { Fault } from '../../base/errors.ts';
import { projectKey, stateFile } from '../location.ts';
import type { ScannedSkill } from '../store.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { withoutSqliteWarning } from './module.ts';
import { LATEST_VERSION, MIGRATIONS } from './sql.ts';
import { checkState, openStore, setStateAside } from './store.ts';

const scanned: ScannedSkill = {
  folder: '/s/a',
  skillId: 'project:a@1',
  name: 'a',
  source: 'project',
  fingerprint: 'f',
  digest: 'd',
};

test('usage counts successes and failures apart, and survives closing', (t) => {
  const place = newPlace(t);
  {
    using store = openStore(place);
    store.usage.record('user:pdf', { ok: true, durationMs: 40.4, at: 1000 });
    store.usage.record('user:pdf', { ok: true, durationMs: 60, at: 2000 });
    store.usage.record('user:pdf', { ok: false, durationMs: 9, at: 3000 });
    store.usage.record('user:csv', { ok: false, durationMs: 9, at: 3000 });
  }
  using store = openStore(place);
  assert.deepEqual(store.usage.of('user:pdf'), { count: 2, failures: 1, totalMs: 100, lastMs: 60, lastUsed: 2000 });
  assert.deepEqual(store.usage.of('user:csv'), { count: 0, failures: 1, totalMs: 0 });
  assert.equal(store.usage.of('none'), undefined);
  assert.deepEqual([...store.usage.all().keys()], ['user:csv', 'user:pdf']);
});

test('a record that arrives late does not turn the last use back', (t) => {
  using store = openStore(newPlace(t));
  store.usage.record('k', { ok: true, durationMs: 5, at: 2000 });
  store.usage.record('k', { ok: true, durationMs: 7, at: 1000 });
  assert.deepEqual(store.usage.of('k'), { count: 2, failures: 0, totalMs: 12, lastMs: 5, lastUsed: 2000 });
});

test('a decision that throws changes nothing', (t) => {
  using store = openStore(newPlace(t));
  store.scanned.reconcile(() => ({ put: [scanned], removeFolders: [] }));
  const broken = { ...scanned, folder: '/s/b', name: null as unknown as string };
  assert.throws(() => store.scanned.reconcile(() => ({ put: [broken], removeFolders: ['/s/a'] })));
  assert.throws(() =>
    store.scanned.reconcile(() => {
      throw new Error('no');
    }),
  );
  assert.deepEqual([...store.scanned.all().values()], [scanned]);
});

test('folder and files are private, also when they were not before and whatever the umask', (t) => {
  const place = newPlace(t);
  const folder = path.dirname(stateFile(place));
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  chmodSync(folder, 0o755);
  const before = process.umask(0);
  t.after(() => process.umask(before));
  using store = openStore(place);
  store.usage.record('k', { ok: true, durationMs: 1, at: 1 });
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const files = readdirSync(folder).sort();
  assert.deepEqual(files, ['state.db', 'state.db-shm', 'state.db-wal']);
  for (const file of files) assert.equal(statSync(path.join(folder, file)).mode & 0o777, 0o600, file);
});

test('threat 62 blocked: state is keyed by the real path under home, so a database in the project decides nothing', (t) => {
  const place = newPlace(t);
  const planted = { home: place.project, project: place.project };
  {
    using theirs = openStore(planted);
    theirs.usage.record('k', { ok: true, durationMs: 1, at: 1 });
  }
  using store = openStore(place);
  assert.equal(store.usage.of('k'), undefined);
  assert.ok(stateFile(place).startsWith(path.join(place.home, '.agent', 'state')));
});

test('threat 62 control: where home itself is the project folder, the planted database is believed', (t) => {
  const place = newPlace(t);
  const planted = { home: place.project, project: place.project };
  {
    using theirs = openStore(planted);
    theirs.usage.record('k', { ok: true, durationMs: 1, at: 1 });
  }
  using store = openStore(planted);
  assert.equal(store.usage.of('k')?.count, 1);
});

test('the key is the same through a link, and differs between folders of the same name', (t) => {
  const root = temporaryFolder(t);
  for (const folder of ['one/app', 'two/app', '项目']) mkdirSync(path.join(root, folder), { recursive: true });
  symlinkSync(path.join(root, 'one/app'), path.join(root, 'link'));
  assert.equal(projectKey(path.join(root, 'link')), projectKey(path.join(root, 'one/app/')));
  assert.notEqual(projectKey(path.join(root, 'one/app')), projectKey(path.join(root, 'two/app')));
  assert.match(projectKey(path.join(root, '项目')), /^project-[0-9a-f]{24}$/);
});

test('a database of a newer program is refused, with both versions named, and left as it is', (t) => {
  const place = newPlace(t);
  openStore(place).close();
  const file = stateFile(place);
  const database = openDatabase(file);
  const future = [...MIGRATIONS, { version: LATEST_VERSION + 1, sql: 'CREATE TABLE later (x)' }];
  migrate(database, future);
  database.close();
  const before = readFileSync(file);
  assert.throws(() => openStore(place), isFault('StateUnusable', new RegExp(`version ${LATEST_VERSION + 1}.*knows`)));
  assert.deepEqual(readFileSync(file), before);
});

test('migrations apply in order, once, and a failing one leaves the version before it', (t) => {
  const file = path.join(temporaryFolder(t), 'state.db');
  const database = openDatabase(file);
  t.after(() => database.close());
  const first = { version: 1, sql: 'CREATE TABLE a (x)' };
  const second = { version: 2, sql: 'ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2)' };
  migrate(database, [first]);
  assert.throws(() => migrate(database, [first, { version: 2, sql: 'CREATE TABLE b (x); nonsense' }]));
  assert.deepEqual(database.rows("SELECT name FROM sqlite_schema WHERE name = 'b'"), []);
  migrate(database, [first, second]);
  migrate(database, [first, second]);
  assert.equal(database.rows('SELECT * FROM a').length, 1);
  assert.deepEqual(
    database.rows('SELECT version FROM migration').map((row) => row.version),
    [1, 2],
  );
});

test('a foreign SQLite file, a text file and a link in its place are refused and keep their bytes', (t) => {
  const root = temporaryFolder(t);
  const cases = ['sqlite', 'text', 'link'] as const;
  for (const kind of cases) {
    const place = { home: path.join(root, kind), project: root };
    const file = stateFile(place);
    mkdirSync(path.dirname(file), { recursive: true });
    const foreign = kind === 'link' ? path.join(root, 'elsewhere') : file;
    if (kind === 'sqlite') new DatabaseSync(foreign).exec('CREATE TABLE theirs (x)');
    else writeFileSync(foreign, 'not a database, and longer than a header would be '.repeat(40));
    if (kind === 'link') symlinkSync(foreign, file);
    const before = readFileSync(foreign);
    assert.throws(() => openStore(place), isFault('StateUnusable', /not a (Skillwright database|regular file)/), kind);
    assert.deepEqual(readFileSync(foreign), before, kind);
  }
});

test('a damaged database is named and kept; set aside on request, a new one starts and the old one stays', (t) => {
  const place = newPlace(t);
  {
    using store = openStore(place);
    store.scanned.reconcile(() => ({ put: manySkills(2000), removeFolders: [] }));
  }
  assert.deepEqual(checkState(place), []);
  const file = stateFile(place);
  const whole = readFileSync(file);
  writeFileSync(file, Buffer.from(whole).fill(0xaa, 4096, whole.length));
  const damaged = readFileSync(file);
  assert.throws(
    () => {
      using store = openStore(place);
      store.scanned.all();
    },
    isFault('StateUnusable', /damaged/),
  );
  assert.deepEqual(readFileSync(file), damaged);

  const aside = setStateAside(place, Date.UTC(2026, 0, 1));
  assert.deepEqual(readFileSync(aside), damaged);
  using store = openStore(place);
  assert.equal(store.scanned.all().size, 0);
});

test('checkState finds a truncated database', (t) => {
  const place = newPlace(t);
  {
    using store = openStore(place);
    store.scanned.reconcile(() => ({ put: manySkills(2000), removeFolders: [] }));
  }
  const file = stateFile(place);
  truncateSync(file, statSync(file).size - 8192);
  let found: string[] | undefined;
  try {
    found = checkState(place);
  } catch (error) {
    assert.ok(error instanceof Fault && error.type === 'StateUnusable');
  }
  assert.notDeepEqual(found, []);
});

test('eight processes that open a new database at the same moment all get it, and every record counts', async (t) => {
  const place = newPlace(t);
  const script = `
    import { openStore } from ${JSON.stringify(path.join(repository, 'src/store/sqlite/store.ts'))};
    await new Promise((go) => process.stdin.once('data', go));
    using store = openStore(${JSON.stringify(place)});
    for (let n = 0; n < 10; n++) store.usage.record('k', { ok: true, durationMs: 1, at: n });
    process.exitCode = 0;
    process.stdin.unref();`;
  const children = Array.from({ length: 8 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'ignore', 'pipe'] }),
  );
  const ended = children.map(async (child) => {
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    return { code, stderr };
  });
  assert.equal(existsSync(stateFile(place)), false);
  for (const child of children) child.stdin.write('go\n');
  for (const result of await Promise.all(ended)) assert.deepEqual(result, { code: 0, stderr: '' });
  using store = openStore(place);
  assert.equal(store.usage.of('k')?.count, 80);
});

test('only the SQLite warning is kept back, and only while node:sqlite loads', (t) => {
  const seen: unknown[] = [];
  const original = process.emitWarning;
  t.after(() => {
    process.emitWarning = original;
  });
  process.emitWarning = (warning: unknown) => void seen.push(warning);
  withoutSqliteWarning(() => {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
    process.emitWarning('something else', 'ExperimentalWarning');
  });
  process.emitWarning('SQLite is an experimental feature, afterwards', 'ExperimentalWarning');
  assert.deepEqual(seen, ['something else', 'SQLite is an experimental feature, afterwards']);
});

function newPlace(t: TestContext) {
  const root = temporaryFolder(t);
  const place = { home: path.join(root, 'home'), project: path.join(root, 'project') };
  for (const folder of Object.values(place)) mkdirSync(folder);
  return place;
}

function manySkills(total: number): ScannedSkill[] {
  return Array.from({ length: total }, (_, n) => ({ ...scanned, folder: `/s/${n}`, digest: `${n}`.repeat(20) }));
}

function isFault(type: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.type, type);
    assert.match(error.message, message);
    assert.notEqual(error.hint.zh, '');
    return true;
  };
}
