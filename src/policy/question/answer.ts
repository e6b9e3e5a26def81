// What a typed line means at a question: an answer, or a wish to be shown more; everything but a clear yes is a no.
import { visible } from '../../base/text.ts';
import type { ApprovalAnswer } from './facts.ts';

/** What may be answered beside a no, and what can be shown. */
export interface Offers {
  readonly run: boolean;
  readonly always: boolean;
  readonly effects: boolean;
  readonly file: boolean;
  readonly diff: boolean;
}

export type Typed =
  | { readonly answer: ApprovalAnswer }
  /** `help`: what each answer means. `file`: the whole script or file. `diff`: all of it. */
  | { readonly show: 'help' | 'file' | 'diff' };

/** A model reads it beside everything else it is told. */
const LONGEST_REASON = 500;

export function readTyped(typed: string, offers: Offers): Typed {
  const written = typed.trim();
  const word = written.toLowerCase();
  if (isYes(written)) return { answer: 'once' };
  if (RUN.includes(word) && offers.run) return { answer: 'run' };
  if (ALWAYS.includes(word) && offers.always) return { answer: 'always' };
  if (EFFECTS.includes(word) && offers.effects) return { answer: 'effects' };
  if (HELP.includes(word)) return { show: 'help' };
  if (word === 'v' && offers.file) return { show: 'file' };
  if (word === 'd' && offers.diff) return { show: 'diff' };
  const reason = reasonIn(written);
  return { answer: reason === undefined ? 'no' : { no: reason } };
}

/** A clear yes, and nothing else. */
export function isYes(typed: string): boolean {
  return YES.includes(typed.trim().toLowerCase());
}

const YES = ['y', 'yes', 'approve', '是', '批准'];
const RUN = ['r', 'run', '本次'];
const ALWAYS = ['a', 'always', '一直', '始终'];
const EFFECTS = ['e', 'effects', '影响'];
const HELP = ['?', '？', 'h', 'help', '帮助'];

/** Behind the no, on the same line. */
function reasonIn(written: string): string | undefined {
  const [, reason = ''] = /^(?:no?|否|不)[\s,:，：]+(.+)$/isu.exec(written) ?? [];
  const shown = visible(reason.trim()).slice(0, LONGEST_REASON).toWellFormed();
  return shown === '' ? undefined : shown;
}
