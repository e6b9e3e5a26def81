// One attempt on a guard of the program: what it tries, and how it ended.
import type { Stage } from './stage.ts';

export interface GuardAttempt {
  readonly threat: number;
  /** Whether it got through. Throws where there was nothing to attack: then nothing was shown. */
  getsThrough(stage: Stage): Promise<boolean>;
}

export type GuardAttempts = Readonly<Record<string, GuardAttempt>>;

export interface GuardResult {
  readonly probe: string;
  readonly threat: number;
  readonly ended: 'stopped' | 'through' | 'untried';
  /** Why it could not be tried. */
  readonly why?: string;
}
