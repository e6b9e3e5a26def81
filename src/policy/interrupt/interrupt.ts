// Work that waits for a decision: decided once, and only if everything is still as it was.
import { isRecord, parseJson } from '../../base/json.ts';
import { type Interrupt, type InterruptStore, questionId, resumeCommandFor } from '../../store/interrupt-store.ts';

export type Decisions = Readonly<Record<string, string>>;

export type DecidedInterrupt =
  | { readonly ok: true; readonly interrupt: Interrupt; readonly decisions: Decisions }
  | {
      readonly ok: false;
      readonly why: 'missing' | 'answered' | 'expired' | 'changed' | 'undecided' | 'unknown';
      /** What could have been said, where the words were others. */
      readonly asked?: Pick<Interrupt, 'items' | 'choices'>;
    };

const LIFETIME_MS = 24 * 60 * 60 * 1000;

export type NewInterrupt = Pick<Interrupt, 'kind' | 'question' | 'items' | 'choices' | 'digest' | 'payload' | 'facts'>;

/** Saves the question and says which command answers it. */
export async function interrupt(
  store: InterruptStore,
  wanted: NewInterrupt,
  now: number,
  lifetimeMs = LIFETIME_MS,
): Promise<Interrupt> {
  const id = questionId(wanted);
  const resumeCommand = resumeCommandFor({ ...wanted, id });
  const saved = { ...wanted, id, created: now, expires: now + lifetimeMs, resumeCommand };
  await store.save(saved);
  return saved;
}

/** Decides, or says why nothing was decided; then the question stays open unless its time is over. */
export async function decideInterrupt(
  store: InterruptStore,
  asked: { readonly id: string; readonly words: readonly string[]; readonly digestNow: (found: Interrupt) => string },
  now: number,
): Promise<DecidedInterrupt> {
  const found = await store.get(asked.id);
  if (!found) return { ok: false, why: 'missing' };
  if (now >= found.expires) {
    await store.take(found);
    return { ok: false, why: 'expired' };
  }
  const decisions = readDecisions(asked.words, found);
  if (typeof decisions === 'string')
    return { ok: false, why: decisions, asked: { items: found.items, choices: found.choices } };
  if (asked.digestNow(found) !== found.digest) return { ok: false, why: 'changed' };
  const taken = await store.take(found);
  // It was open a moment ago: of two answers at once, one wins.
  return taken ? { ok: true, interrupt: taken, decisions } : { ok: false, why: 'answered' };
}

/** A no to the whole question, where it is not one of its choices: nothing runs, whatever has changed since. */
export function isDismissal(words: readonly string[], { choices }: Pick<Interrupt, 'choices'>): boolean {
  return words.length === 1 && words[0] === DENY && !choices.includes(DENY);
}

const DENY = 'deny';

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
