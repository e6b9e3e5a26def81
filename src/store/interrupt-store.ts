// The port to approval questions: anyone may read them, exactly one caller takes each.
import { randomId, sha256 } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { shellWord } from '../base/text/shell-word.ts';
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
  /** Digest of everything that will run after resume; if it differs, the decision is refused. */
  readonly digest: string;
  /** What the caller needs to resume. */
  readonly payload: Json;
  /** What a person decides on, as data for whoever shows it otherwise; kept on the machine that asked. */
  readonly facts?: Json;
  readonly resumeCommand: string;
  /** True: any machine with the project can resume it; else only the one that asked, which holds its files or records. */
  readonly roams?: boolean;
}

const SALT = 12;

/** Starts random and ends with a digest of the question: in a shared store, no question can be swapped for another. */
export function questionId({ digest, question }: Pick<Interrupt, 'digest' | 'question'>, salt = randomId(SALT / 2)) {
  return `${salt}${sha256(`skillwright question 1\n${salt}\n${digest}\n${question}`).slice(0, 12)}`;
}

export function hasOwnId(asked: Pick<Interrupt, 'id' | 'digest' | 'question'>): boolean {
  return /^[0-9a-f]{24}$/.test(asked.id) && asked.id === questionId(asked, asked.id.slice(0, SALT));
}

/** A command that works when copied, whatever characters an item contains. */
export function resumeCommandFor({ id, items, choices: [first = ''] }: Pick<Interrupt, 'id' | 'items' | 'choices'>) {
  const choice = shellWord(first);
  const decide = items.length === 1 ? choice : items.map((item) => `${shellWord(item)}=${choice}`).join(' ');
  return `skillwright resume ${id} --decide ${decide}`;
}

/** Which machine can answer a question, when not every one can. */
export interface Holder {
  readonly host: string;
  readonly folder: string;
}

/** The fields that may be shown on any machine. */
export interface ListedInterrupt extends Omit<Interrupt, 'payload'> {
  readonly holder?: Holder;
  /** Whether this machine and this user can resume it. */
  readonly isHere: boolean;
}

export interface InterruptStore {
  save(interrupt: Interrupt): Awaitable<void>;
  /** Throws a Fault that names the machine when only another one can resume it. */
  get(id: string): Awaitable<Interrupt | undefined>;
  list(): Awaitable<readonly ListedInterrupt[]>;
  /** Gets and removes it if the question is unchanged; of several callers exactly one receives it. */
  take(found: Interrupt): Awaitable<Interrupt | undefined>;
}

/** The same questions, saved in another way: to lead back to another driver, or not at all. */
export function savingBy(save: InterruptStore['save'], store: InterruptStore): InterruptStore {
  return {
    save,
    get: (id) => store.get(id),
    list: () => store.list(),
    take: (found) => store.take(found),
  };
}
