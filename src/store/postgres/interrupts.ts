// Approval questions shared by several machines: decided once, in the database. What only one machine can resume stays there.
import { Fault } from '../../base/errors.ts';
import { randomId } from '../../base/ids.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import {
  type Holder,
  hasOwnId,
  INTERRUPT_KINDS,
  type Interrupt,
  type InterruptStore,
  type ListedInterrupt,
  resumeCommandFor,
} from '../interrupt-store.ts';
import type { PgRow } from './database.ts';
import type { PostgresStore } from './open.ts';

/** Questions are rare, so the store is opened for each and closed again. */
export type InStore = <T>(work: (store: PostgresStore) => Promise<T>) => Promise<T>;

interface SharedQuestions {
  readonly inStore: InStore;
  /** Keeps what belongs to this machine, with everything needed to resume. */
  readonly own: InterruptStore;
  readonly here: Holder;
  /** Redacts secrets from what other machines can read. */
  redact(text: string): string;
}

/** Expired questions are deleted after this long. */
const FORGOTTEN_MS = 7 * 86_400_000;
/** Milliseconds of a date. */
const LAST_MOMENT = 8.64e15;

export function postgresInterrupts({ inStore, own, here, redact }: SharedQuestions): InterruptStore {
  const find = (id: string) => inStore(async ({ database, sql }) => (await database.rows(sql.interruptOf, [id]))[0]);
  return {
    async save(question) {
      if (!question.roams) await own.save(question);
      try {
        const values = toValues(question, here, redact);
        const saved = await inStore(({ database, sql }) => database.rows(sql.saveInterrupt, values));
        if (saved.length === 0) throw new Fault('AlreadyExists', question.id);
      } catch (error) {
        if (!question.roams) await own.take(question);
        throw error;
      }
    },
    async get(id) {
      const row = await find(id);
      if (!row || !isHeld(row)) return row && toWhole(row);
      const whole = await ownPart(row, own);
      if (whole) return whole;
      // An answer takes the row first, then this machine's part: it may have been answered in between.
      return (await find(id)) && notHere(row);
    },
    async list() {
      const rows = await inStore(({ database, sql }) => database.rows(sql.openInterrupts, [FORGOTTEN_MS]));
      const listed = await Promise.all(rows.map((row) => listOne(row, own)));
      return listed.filter((one) => one !== undefined);
    },
    async take(found) {
      const values = [found.id, found.digest, randomId()];
      // The same token again is the same caller retrying after a lost response.
      const row = await inStore(async ({ database, sql }) => (await database.rows(sql.takeInterrupt, values))[0]);
      if (!row) return undefined;
      return isHeld(row) ? await own.take(found) : toWhole(row);
    },
  };
}

function toValues(question: Interrupt, here: Holder, redact: (text: string) => string): unknown[] {
  const { id, kind, items, choices, digest, resumeCommand, created, expires, payload, roams } = question;
  return [
    id,
    kind,
    // Another machine compares it with the call stored beside it before answering.
    roams ? question.question : redact(question.question),
    JSON.stringify(items),
    JSON.stringify(choices),
    digest,
    resumeCommand,
    Math.round(expires - created),
    roams ? null : here.host,
    roams ? null : here.folder,
    roams ? JSON.stringify(payload) : null,
  ];
}

function isHeld({ payload }: PgRow): boolean {
  return typeof payload !== 'string';
}

/** The question of a job from any machine; undefined for a row whose digest does not match its content. */
function toWhole(row: PgRow): Interrupt | undefined {
  const [asked, payload] = [readRow(row), readJson(row.payload)];
  if (asked?.kind !== 'job' || payload === undefined || !hasOwnId(asked)) return undefined;
  return { ...asked, roams: true, payload };
}

/** With times of the database clock, which are the same for all machines. */
async function ownPart(row: PgRow, own: InterruptStore): Promise<Interrupt | undefined> {
  const [part, asked] = [await own.get(String(row.id)), readRow(row)];
  if (!asked || part?.digest !== asked.digest) return undefined;
  return { ...part, created: asked.created, expires: asked.expires };
}

/** With this machine's own data where it can be answered here. */
async function listOne(row: PgRow, own: InterruptStore): Promise<ListedInterrupt | undefined> {
  const whole = isHeld(row) ? await ownPart(row, own) : toWhole(row);
  const holder = isHeld(row) && { holder: { host: String(row.host), folder: String(row.folder) } };
  if (!whole) {
    const asked = isHeld(row) ? readRow(row) : undefined;
    return asked && { ...asked, ...holder, isHere: false };
  }
  const { payload: _, ...listed } = whole;
  return { ...listed, ...holder, isHere: true };
}

/** Undefined for rows this program did not write. */
function readRow(row: PgRow): Omit<Interrupt, 'payload'> | undefined {
  const { id, kind, question, digest } = row;
  const [items, choices] = [readTexts(row.items), readTexts(row.choices)];
  // Times converted to this machine's clock, whatever its offset.
  const ahead = Date.now() - Number(row.now);
  const [created, expires] = [Number(row.created) + ahead, Number(row.expires) + ahead];
  const known = INTERRUPT_KINDS.find((one) => one === kind);
  if (!known || !items || !choices || ![created, expires].every((time) => Math.abs(time) < LAST_MOMENT))
    return undefined;
  if (typeof id !== 'string' || !/^[0-9a-f]+$/.test(id)) return undefined;
  const asked = { id, kind: known, question: String(question), items, choices, digest: String(digest) };
  return { ...asked, created, expires, resumeCommand: resumeCommandFor(asked) };
}

function readTexts(value: unknown): string[] | undefined {
  const list = readJson(value);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

function readJson(value: unknown): Json | undefined {
  try {
    return parseJson(String(value));
  } catch {
    return undefined;
  }
}

function notHere({ id, host, folder }: PgRow): never {
  const where = visible(`${host}:${folder}`);
  throw new Fault(
    'DataNotFound',
    {
      en: `the question ${id} was asked on ${where}, which holds what is needed to resume`,
      zh: `问题 ${id} 是在 ${where} 上提出的，继续所需的内容保存在那里`,
    },
    {
      details: { id, host, folder },
      hint: {
        en: `Answer it there, as the user who asked: \`skillwright resume ${id} --decide …\`.`,
        zh: `请以提问的用户在该主机上回答: \`skillwright resume ${id} --decide …\`。`,
      },
    },
  );
}
