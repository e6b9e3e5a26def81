// Migrates a database to the version this program knows; refuses foreign files and databases of a newer program.
import { Fault } from '../../base/errors.ts';
import type { Database } from './database.ts';
import { foreignDatabase } from './fault.ts';
import { APPLICATION_ID, LATEST_VERSION, MIGRATIONS, type Migration, SQL } from './sql.ts';

export function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  const latest = migrations.at(-1)?.version ?? LATEST_VERSION;
  if (isOurs(database)) {
    const version = currentVersion(database);
    if (version === latest) return;
    refuseNewer(database, version, latest);
  }
  database.rows(SQL.useWal);
  database.transaction(() => apply(database, migrations, latest));
}

/** False for an empty file; a file with any other content is refused untouched. */
function isOurs(database: Database): boolean {
  // In this order: the application id is written together with the tables, so it is set once any of ours is seen.
  const tables = number(database.rows(SQL.tableCount)[0]?.value);
  const id = number(database.rows(SQL.applicationId)[0]?.application_id);
  if (id === APPLICATION_ID) return true;
  if (id !== 0 || tables !== 0) throw foreignDatabase(database.file);
  return false;
}

// Checked again inside the transaction: two processes may have opened the new file together.
function apply(database: Database, migrations: readonly Migration[], latest: number): void {
  database.script(SQL.setApplicationId);
  database.script(SQL.createVersions);
  const version = currentVersion(database);
  refuseNewer(database, version, latest);
  for (const migration of migrations) {
    if (migration.version <= version) continue;
    database.script(migration.sql);
    database.run(SQL.addVersion, migration.version);
  }
}

function refuseNewer(database: Database, version: number, latest: number): void {
  if (version <= latest) return;
  const detail = {
    en: `${database.file} has version ${version}, this program knows ${latest}`,
    zh: `${database.file} 的版本为 ${version}，本程序仅支持到 ${latest}`,
  };
  const hint = {
    en: 'It was written by a newer Skillwright: update this one.',
    zh: '该文件由更新版本的 Skillwright 写入: 请升级本程序。',
  };
  throw new Fault('StateUnusable', detail, { hint, details: { file: database.file, version, known: latest } });
}

function currentVersion(database: Database): number {
  return number(database.rows(SQL.version)[0]?.value);
}

function number(value: unknown): number {
  return Number(value ?? 0);
}
