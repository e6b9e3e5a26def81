// What the catalogue says of one kind of failure.
import type { Text } from '../language.ts';

export interface ErrorKind {
  /** The code of the skill protocol, the same on every surface. */
  readonly code: string;
  /** The name the worker surface uses, where it differs. */
  readonly task?: string;
  readonly aliases?: readonly string[];
  readonly recoverable: boolean | null;
  readonly exit: number;
  /** `{detail}` stands for what happened this time. */
  readonly summary: Text;
  readonly hint: Text;
}
