// The outcome of a script or program that speaks no protocol: by its exit code and output.
import { asBuffer } from '../../base/bytes.ts';
import { type Answering, type Data, type FailedOutcome, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { excerptOf } from '../../process/excerpt.ts';
import type { Executed } from '../executed.ts';
import { fail } from '../fail.ts';
import { faultOf } from './verdict.ts';

export interface Concerning {
  readonly skill?: string;
  /** What ran, in one word. */
  readonly what: string;
}

/** How confined it was, as every outcome names it. */
export function sandboxOf({ tier, notEnforced }: Executed): Data {
  return { tier, not_enforced: notEnforced };
}

/** A process that failed or had to be ended; undefined for one that ended well by itself. */
export function concludeFailure(
  skill: string | undefined,
  executed: Executed,
  by: Answering,
  facts: Data = {},
): FailedOutcome | undefined {
  const { ended, seconds } = executed;
  const fault = faultOf(ended, seconds);
  if (!fault) return undefined;
  const common = { ...facts, ...(skill !== undefined && { skill }), sandbox: sandboxOf(executed) };
  // Many programs say on stdout what went wrong.
  const stdout = excerptOf(ended.stdout);
  if (fault.type !== 'Timeout') return fail(by, fault, { ...common, ...(stdout !== '' && { stdout }) });
  return fail(by, fault, { ...common, elapsed: Math.round(ended.durationMs) / 1000, limit: seconds });
}

export function concludeProcess({ skill, what }: Concerning, executed: Executed, by: Answering): Outcome {
  const failure = concludeFailure(skill, executed, by);
  if (failure) return failure;
  const { ended, outputs } = executed;
  const printed = textOf(ended.stdout);
  const data: Data = {
    ...(skill !== undefined && { skill }),
    exit: ended.exit,
    stdout: printed,
    stderr: excerptOf(ended.stderr),
    outputs: outputs.copied,
    ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    sandbox: sandboxOf(executed),
  };
  const shown = visible(what);
  const summary = { en: `ran ${shown}`, zh: `执行成功: ${shown}` };
  const artifacts = outputs.copied.map((file) => file.path);
  return makeOutcome(by, 'success', summary, data, { product: { printed, artifacts } });
}

export function textOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8').toWellFormed();
}
