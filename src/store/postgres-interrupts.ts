// Questions that several machines share: decided once, in the database. What only one machine can go on with stays there.
import { Fault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { type Json, parseJson } from '../base/json.ts';
import { visible } from '../base/text.ts';
import type { Holder, Interrupt, InterruptKind, InterruptStore, ListedInterrupt } from './interrupt-store.ts';
import type { PostgresStore } from './postgres.ts';
import type { PgRow } from './postgres-database.ts';

/** Questions are rare: whoever has one opens the store for it, and closes it. */
export type InStore = <T>(work: (store: PostgresStore) => Promise<T>) => Promise<T>;

interface SharedQuestions {
  readonly inStore: InStore;
  /** Keeps what belongs to this machine, with all that it needs to go on. */
  readonly own: InterruptStore;
  readonly here: Holder;
  /** Takes secrets out of what others get to read. */
  redact(text: string): string;
}

/** Long after its end a question is of no use to anybody. */
const FORGOTTEN_MS = 7 * 86_400_000;

export function postgresInterrupts({ inStore, own, here, redact }: SharedQuestions): InterruptStore {
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
      const row = await inStore(async ({ database, sql }) => (await database.rows(sql.interruptOf, [id]))[0]);
      if (!row) return undefined;
      return toWhole(row) ?? (await ownPart(row, own)) ?? notHere(row);
    },
    async list() {
      const rows = await inStore(({ database, sql }) => database.rows(sql.openInterrupts, [FORGOTTEN_MS]));
      const listed = rows.map(async (row) => toListed(row, !isHeld(row) || (await ownPart(row, own)) !== undefined));
      return await Promise.all(listed);
    },
    async take(found) {
      const values = [found.id, found.digest, randomId()];
      // The same token again is the same caller, whose answer got lost.
      const row = await inStore(async ({ database, sql }) => (await database.rows(sql.takeInterrupt, values))[0]);
      if (!row) return undefined;
      return toWhole(row) ?? (await own.take(found));
    },
  };
}

function toValues(question: Interrupt, here: Holder, redact: (text: string) => string): unknown[] {
  const { id, kind, items, choices, digest, resumeCommand, created, expires, payload, roams } = question;
  return [
    id,
    kind,
    redact(question.question),
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

function toWhole(row: PgRow): Interrupt | undefined {
  if (isHeld(row)) return undefined;
  const { isHere: _, holder: __, ...listed } = toListed(row, true);
  return { ...listed, payload: parseJson(String(row.payload)) as Json };
}

/** With the times of the database, which are the same for all. */
async function ownPart(row: PgRow, own: InterruptStore): Promise<Interrupt | undefined> {
  const part = await own.get(String(row.id));
  if (part?.digest !== row.digest) return undefined;
  const { created, expires } = toListed(row, true);
  return part && { ...part, created, expires };
}

function toListed(row: PgRow, isHere: boolean): ListedInterrupt {
  // As this machine would have written the moments down, however its clock goes.
  const ahead = Date.now() - Number(row.now);
  const { host, folder } = row;
  return {
    id: String(row.id),
    kind: String(row.kind) as InterruptKind,
    question: String(row.question),
    items: JSON.parse(String(row.items)) as string[],
    choices: JSON.parse(String(row.choices)) as string[],
    created: Number(row.created) + ahead,
    expires: Number(row.expires) + ahead,
    digest: String(row.digest),
    resumeCommand: String(row.resume_command),
    isHere,
    ...(host === null ? { roams: true } : { holder: { host: String(host), folder: String(folder) } }),
  };
}

function notHere({ id, host, folder }: PgRow): never {
  const where = visible(`${host}:${folder}`);
  throw new Fault(
    'DataNotFound',
    {
      en: `the question ${id} was asked on ${where}, which holds what it goes on with`,
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
