// The port to questions that wait for a decision: anyone may see them, exactly one caller takes each.
import { randomId, sha256 } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import type { Awaitable } from './store.ts';

export const INTERRUPT_KINDS = ['approval', 'worker', 'run', 'job'] as const;
export type InterruptKind = (typeof INTERRUPT_KINDS)[number];

export interface Interrupt {
  readonly id: string;
  readonly kind: InterruptKind;
  readonly question: string;
  /** What is to be decided, by name. */
  readonly items: readonly string[];
  /** The answers each item may get. */
  readonly choices: readonly string[];
  readonly created: number;
  readonly expires: number;
  /** Of everything that will go on; if it differs at resume, nothing is decided. */
  readonly digest: string;
  /** What the driver needs to go on. */
  readonly payload: Json;
  readonly resumeCommand: string;
  /** Any machine that has the project can go on with it; else only the one that asked, which holds its files or records. */
  readonly roams?: boolean;
}

const SALT = 12;

/** Begins by chance and ends with what is asked: in a store that others write, no question can become another one. */
export function questionId({ digest, question }: Pick<Interrupt, 'digest' | 'question'>, salt = randomId(SALT / 2)) {
  return `${salt}${sha256(`skillwright question 1\n${salt}\n${digest}\n${question}`).slice(0, 12)}`;
}

export function hasOwnId(asked: Pick<Interrupt, 'id' | 'digest' | 'question'>): boolean {
  return /^[0-9a-f]{24}$/.test(asked.id) && asked.id === questionId(asked, asked.id.slice(0, SALT));
}

/** Replayable by copying it, whatever an item is called. */
export function resumeCommandFor({ id, items, choices: [first = ''] }: Pick<Interrupt, 'id' | 'items' | 'choices'>) {
  const choice = shellWord(first);
  const decide = items.length === 1 ? choice : items.map((item) => `${shellWord(item)}=${choice}`).join(' ');
  return `skillwright resume ${id} --decide ${decide}`;
}

function shellWord(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Where a question can be answered, when not everywhere. */
export interface Holder {
  readonly host: string;
  readonly folder: string;
}

/** What may be shown of it on any machine. */
export interface ListedInterrupt extends Omit<Interrupt, 'payload'> {
  readonly holder?: Holder;
  /** Whether this machine, and this user, can go on with it. */
  readonly isHere: boolean;
}

export interface InterruptStore {
  save(interrupt: Interrupt): Awaitable<void>;
  /** Throws a Fault that names the machine where only another one can go on with it. */
  get(id: string): Awaitable<Interrupt | undefined>;
  list(): Awaitable<readonly ListedInterrupt[]>;
  /** Gets and removes it if it is still this very question; of several callers exactly one receives it. */
  take(found: Interrupt): Awaitable<Interrupt | undefined>;
}
