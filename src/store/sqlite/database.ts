// One SQLite connection: private file, lock waiting, transactions, failures as our own faults.
import { chmodSync, lstatSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeNewFile } from '../../base/files.ts';
import { errorCode, isNotFound } from '../../base/read-file.ts';
import { isBusy, translate } from './fault.ts';
import { loadSqlite } from './module.ts';
import { SETTINGS, SQL } from './sql.ts';

/** The busy timeout of SQLite, and how long we retry where it does not wait; both block this process. */
export interface Waiting {
  readonly busyMs: number;
  readonly giveUpMs: number;
}

const LONG: Waiting = { busyMs: 5_000, giveUpMs: 30_000 };

export type Row = Record<string, SQLOutputValue>;

export interface Database {
  readonly file: string;
  run(sql: string, ...values: SQLInputValue[]): void;
  runNamed(sql: string, values: Record<string, SQLInputValue>): void;
  rows(sql: string, ...values: SQLInputValue[]): Row[];
  rowsNamed(sql: string, values: Record<string, SQLInputValue>): Row[];
  /** Several statements at once, without parameters. */
  script(sql: string): void;
  /** A transaction; retried when another process holds the lock, so `work` must only touch the database. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export function openDatabase(file: string, waiting: Waiting = LONG): Database {
  prepareFile(file);
  const connection = connect(file, waiting);
  const statements = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const prepared = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, prepared);
    return prepared;
  };
  const insist = <T>(work: () => T) => retry(file, work, waiting);
  return {
    file,
    run: (sql, ...values) => void insist(() => statement(sql).run(...values)),
    runNamed: (sql, values) => void insist(() => statement(sql).run(values)),
    rows: (sql, ...values) => insist(() => statement(sql).all(...values)),
    rowsNamed: (sql, values) => insist(() => statement(sql).all(values)),
    script: (sql) => insist(() => connection.exec(sql)),
    transaction: (work) => insist(() => inTransaction(connection, statement, work)),
    close: () => connection.close(),
  };
}

/** Created by us with our mode, because SQLite would use the umask; its WAL files inherit that mode. */
export function prepareFile(file: string): void {
  try {
    makeFolder(path.dirname(file));
    makePrivate(path.dirname(file), 0o700);
    if (kindOf(file) === 'none') createEmpty(file);
    if (kindOf(file) !== 'file') throw new Fault('StateUnusable', `${file} is not a regular file`);
    makePrivate(file, 0o600);
  } catch (error) {
    throw translate(error, file);
  }
}

function kindOf(file: string): 'file' | 'other' | 'none' {
  try {
    return lstatSync(file).isFile() ? 'file' : 'other';
  } catch (error) {
    if (isNotFound(error)) return 'none';
    throw error;
  }
}

function createEmpty(file: string): void {
  try {
    writeNewFile(file, '');
  } catch (error) {
    // Another process was faster.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function makePrivate(target: string, mode: number): void {
  if (process.platform === 'win32') return;
  if ((lstatSync(target).mode & 0o777 & ~mode) !== 0) chmodSync(target, mode);
}

function connect(file: string, waiting: Waiting): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  let connection: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(file, { timeout: waiting.busyMs });
    connection = opened;
    retry(file, () => opened.exec(SETTINGS), waiting);
    return opened;
  } catch (error) {
    connection?.close();
    throw translate(error, file);
  }
}

function inTransaction<T>(connection: DatabaseSync, statement: (sql: string) => StatementSync, work: () => T): T {
  statement(SQL.begin).run();
  try {
    const result = work();
    statement(SQL.commit).run();
    return result;
  } catch (error) {
    if (connection.isTransaction) connection.exec(SQL.rollback);
    throw error;
  }
}

// SQLite does not wait in every case (switching to WAL, recovery after a kill), so the whole step is retried.
function retry<T>(file: string, work: () => T, { giveUpMs }: Waiting): T {
  const deadline = performance.now() + giveUpMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw translate(error, file);
      pause(Math.min(50, 1 + attempt * 2) * (0.5 + Math.random()));
    }
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
