// Carries out one call through the handle: options checked first, failures as outcomes, its end as the last event.
import type { Outcome } from '../../base/outcome.ts';
import { fail, nameFault } from '../../door/fail.ts';
import type { Caller } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { callerOf } from './caller.ts';
import { type Handle, quietly } from './handle.ts';
import { toCallOutcome } from './outcome.ts';
import type { CallOptions } from './public/options.ts';
import type { CallOutcome } from './public/outcome.ts';

export interface Done<Result> {
  readonly outcome: Outcome;
  /** Absent where nothing came out of it. */
  readonly found?: { readonly result: Result };
}

/** `none` makes the result of a success that brought none. */
export async function carryOut<Result>(
  handle: Handle,
  options: CallOptions,
  none: () => Result,
  work: (runtime: Runtime, caller: Caller) => Promise<Done<Result>>,
): Promise<CallOutcome<Result>> {
  const runtime = handle.begin();
  const caller = callerOf(options, runtime, handle);
  const { outcome, found } = await handle.track(orFailed(runtime, () => work(runtime, caller)));
  const told = toCallOutcome(outcome, found, none);
  quietly(options.onEvent)({ type: 'ended', outcome: told });
  return told;
}

/** What was asked for and cannot be done is an outcome; mistakes in the use of the library were found before. */
export async function orFailed<Result>(runtime: Runtime, work: () => Promise<Done<Result>>): Promise<Done<Result>> {
  try {
    return await work();
  } catch (error) {
    return { outcome: fail(runtime.answering('skillwright', 'own'), nameFault(error)) };
  }
}
