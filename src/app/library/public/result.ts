// What calls bring and take. Types only: they are public.

/** What an invoked skill brought: the text of one to read, or what its command printed and wrote. */
export interface InvokeResult {
  /** The instructions of a prompt skill. */
  readonly content?: string;
  readonly stdout?: string;
  /** Files it wrote, as a person would name them. */
  readonly artifacts: readonly string[];
}

/** How a script ended. */
export interface ExecResult {
  /** Null where it was ended from outside. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Parameters of an action or a command: whatever JSON can hold. */
export type Params = Readonly<Record<string, unknown>>;
