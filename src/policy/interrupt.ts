// Work that waits for a decision: saved under home, decided once, and only if everything is still as it was.
import { Fault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';
import { openPrivateFolder } from './private-folder.ts';

export type InterruptKind = 'approval' | 'worker' | 'run' | 'job';

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
}

/** Where interrupts are kept; files now, a shared store where one is configured. */
export interface InterruptStore {
  save(interrupt: Interrupt): void;
  get(id: string): Interrupt | undefined;
  list(): Interrupt[];
  /** Gets and removes; of several callers exactly one receives it. */
  take(id: string): Interrupt | undefined;
}

export type Decisions = Readonly<Record<string, string>>;

export type Decided =
  | { readonly ok: true; readonly interrupt: Interrupt; readonly decisions: Decisions }
  | { readonly ok: false; readonly why: 'missing' | 'expired' | 'changed' | 'undecided' | 'unknown' };

const LIFETIME_MS = 24 * 60 * 60 * 1000;

export function openInterrupts(home: string, project: string): InterruptStore {
  const folder = openPrivateFolder(home, 'interrupts', project);
  return {
    save: (interrupt) => {
      if (!folder.add(interrupt.id, interrupt)) throw new Fault('AlreadyExists', interrupt.id);
    },
    get: (id) => readInterrupt(folder.get(id)),
    list: () => folder.all().flatMap((record) => readInterrupt(record) ?? []),
    take: (id) => readInterrupt(folder.take(id)),
  };
}

export type NewInterrupt = Pick<Interrupt, 'kind' | 'question' | 'items' | 'choices' | 'digest' | 'payload'>;

/** Saves the question and says which command answers it. */
export function interrupt(
  store: InterruptStore,
  wanted: NewInterrupt,
  now: number,
  lifetimeMs = LIFETIME_MS,
): Interrupt {
  const id = randomId(6);
  const [first = ''] = wanted.choices;
  const decide =
    wanted.items.length === 1 ? first : wanted.items.map((item) => `${shellWord(item)}=${first}`).join(' ');
  const resumeCommand = `skillwright resume ${id} --decide ${decide}`;
  const saved = { ...wanted, id, created: now, expires: now + lifetimeMs, resumeCommand };
  store.save(saved);
  return saved;
}

/** Decides, or says why nothing was decided; then the question stays open unless its time is over. */
export function decideInterrupt(
  store: InterruptStore,
  asked: { readonly id: string; readonly words: readonly string[]; readonly digestNow: (found: Interrupt) => string },
  now: number,
): Decided {
  const found = store.get(asked.id);
  if (!found) return { ok: false, why: 'missing' };
  if (now >= found.expires) {
    store.take(asked.id);
    return { ok: false, why: 'expired' };
  }
  const decisions = readDecisions(asked.words, found);
  if (typeof decisions === 'string') return { ok: false, why: decisions };
  if (asked.digestNow(found) !== found.digest) return { ok: false, why: 'changed' };
  const taken = store.take(asked.id);
  if (!taken || taken.digest !== found.digest) return { ok: false, why: 'missing' };
  return { ok: true, interrupt: taken, decisions };
}

/** `approve`, `a=keep b=uninstall` or a JSON object; every item gets one allowed choice, or nothing is decided. */
function readDecisions(words: readonly string[], { items, choices }: Interrupt): Decisions | 'undecided' | 'unknown' {
  const pairs = readPairs(words, items);
  if (!pairs) return 'unknown';
  const decisions: Record<string, string> = Object.create(null);
  for (const [item, choice] of pairs) {
    if (!items.includes(item) || !choices.includes(choice) || item in decisions) return 'unknown';
    decisions[item] = choice;
  }
  return items.length > 0 && items.every((item) => item in decisions) ? decisions : 'undecided';
}

function readPairs(words: readonly string[], items: readonly string[]): [string, string][] | undefined {
  const [only = ''] = words;
  if (words.length === 1 && only.startsWith('{')) return readJsonPairs(only);
  if (words.length === 1 && items.length === 1 && !only.includes('=')) return [[items[0] ?? '', only]];
  const pairs = words.map((word): [string, string] | undefined => {
    const at = word.lastIndexOf('=');
    return at > 0 ? [word.slice(0, at), word.slice(at + 1)] : undefined;
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

function readJsonPairs(text: string): [string, string][] | undefined {
  try {
    const value = parseJson(text);
    if (!isRecord(value)) return undefined;
    const pairs = Object.entries(value);
    return pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string') ? pairs : undefined;
  } catch {
    return undefined;
  }
}

function readInterrupt(record: Record<string, unknown> | undefined): Interrupt | undefined {
  if (!record) return undefined;
  const { id, kind, question, items, choices, created, expires, digest, payload, resumeCommand } = record;
  if (typeof id !== 'string' || typeof question !== 'string' || typeof digest !== 'string' || digest === '')
    return undefined;
  if (kind !== 'approval' && kind !== 'worker' && kind !== 'run' && kind !== 'job') return undefined;
  if (!isTextList(items) || !isTextList(choices) || typeof resumeCommand !== 'string') return undefined;
  if (typeof created !== 'number' || typeof expires !== 'number' || payload === undefined) return undefined;
  return { id, kind, question, items, choices, created, expires, digest, payload: payload as Json, resumeCommand };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

// The command must be replayable by copying it, whatever an item is called.
function shellWord(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
