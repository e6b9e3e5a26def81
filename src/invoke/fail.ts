// A failure of a call as an outcome that also says what to do next.
import type { Fault } from '../base/errors.ts';
import { inLanguage } from '../base/language.ts';
import { type Answering, type Data, failedOutcome, type Outcome } from '../base/outcome.ts';

export function fail(by: Answering, fault: Fault, extra: Data = {}): Outcome {
  return failedOutcome(by, fault, { ...extra, hint: inLanguage(fault.hint, by.language) });
}
