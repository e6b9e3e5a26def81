// Every kind of failure, once: its names on each surface, whether trying again can help, its exit code and advice.
import { ERRORS, type ErrorType } from './error/catalogue.ts';
import type { ErrorKind } from './error/kind.ts';
import type { Text } from './language.ts';

/** Which part of the product answers; each speaks with the error names of the document it comes from. */
export type Surface = 'task' | 'invoke' | 'call' | 'own';

/**
 * What code decides on beyond the type; `details` are only told. It was ended from outside, a module or program is not
 * installed, it names what it failed by, the sandbox could not be set up, or a model answered what cannot be used.
 */
export const FAULT_REASONS = ['stopped', 'missing-part', 'known-cause', 'not-started', 'unusable-answer'] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

interface FaultOptions {
  details?: Record<string, unknown>;
  hint?: Text;
  cause?: unknown;
  reason?: FaultReason;
  /** A skill's own error code, kept as it was given. */
  code?: string;
}

/**
 * What is thrown for wrong use, and for reading what is not there: in the words of the catalogue, with what to do next.
 * @example
 * try {
 *   await sw.read('no-such-skill');
 * } catch (error) {
 *   if (error instanceof Fault) console.error(error.message, error.hint.en);
 * }
 */
export class Fault extends Error {
  readonly type: ErrorType;
  readonly detail: Text;
  readonly details: Record<string, unknown> | undefined;
  readonly hint: Text;
  readonly reason: FaultReason | undefined;
  readonly code: string;

  constructor(type: ErrorType, detail: Text | string = '', options: FaultOptions = {}) {
    const text = typeof detail === 'string' ? { en: detail, zh: detail } : detail;
    super(fill(ERRORS[type].summary.en, text.en), { cause: options.cause });
    this.name = 'Fault';
    this.type = type;
    this.detail = text;
    this.details = options.details;
    this.hint = options.hint ?? ERRORS[type].hint;
    this.reason = options.reason;
    this.code = options.code ?? ERRORS[type].code;
  }

  /** The catalogue's sentence about this failure. */
  get sentence(): Text {
    const { summary } = ERRORS[this.type];
    return { en: fill(summary.en, this.detail.en), zh: fill(summary.zh, this.detail.zh) };
  }
}

export function nameOn(surface: Surface, type: ErrorType): string {
  const kind: ErrorKind = ERRORS[type];
  if (surface === 'call') return kind.code;
  return surface === 'task' ? (kind.task ?? type) : type;
}

/** The entry a name, code or alias stands for. */
export function findErrorType(name: string): ErrorType | undefined {
  if (Object.hasOwn(ERRORS, name)) return name as ErrorType;
  for (const [type, kind] of Object.entries(ERRORS) as [ErrorType, ErrorKind][]) {
    if (kind.code === name || kind.task === name || kind.aliases?.includes(name)) return type;
  }
  return undefined;
}

/** Turns anything thrown into a Fault; what nobody expected becomes `Internal`. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault('Internal', message, { cause: thrown });
}

function fill(template: string, detail: string): string {
  if (detail === '') return template.replace(/[:,]? *\{detail\}/, '');
  return template.replace('{detail}', () => detail);
}
