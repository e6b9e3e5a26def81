// The outcome of a script or program that speaks no protocol: by its exit code and output.
import { asBuffer } from '../../base/bytes.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { type Answering, type Data, type FailedOutcome, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { Executed } from '../executed.ts';
import { fail } from '../fail.ts';
import { hostsOf, networkHint } from './refused-network.ts';
import { faultOf } from './verdict.ts';

export interface Concerning {
  readonly skill?: string;
  /** What ran, in one word. */
  readonly what: string;
}

/** How confined it was, as every outcome names it; and what of it a failure seems to be about. */
export function sandboxOf(executed: Executed, networkRefused = false): Data {
  const { tier, notEnforced, dropped } = executed;
  const refused = networkRefused && { refused: ['network'] };
  const gone = dropped > 0 && { temporary_files_dropped: dropped };
  return { tier, not_enforced: notEnforced, ...refused, ...gone, ...hostsOf(executed) };
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
  const isOpen = fault.type === 'RuntimeFailed' && fault.reason !== 'known-cause';
  const refused = isOpen ? networkHint(executed) : undefined;
  const sandbox = sandboxOf(executed, refused !== undefined);
  const common = { ...facts, ...(skill !== undefined && { skill }), sandbox };
  if (fault.type !== 'Timeout')
    return withGap(
      fail(
        by,
        refused ? aboutNetwork(fault, refused) : fault,
        { ...common, ...printedBy(executed) },
        executed.skill ?? null,
      ),
      refused,
    );
  return fail(by, withinLimit(fault, executed), {
    ...common,
    elapsed: Math.round(ended.durationMs) / 1000,
    limit: seconds,
  });
}

/** The script's own words do not say who refused it the network. */
function withGap(failed: FailedOutcome, refused: Text | undefined): FailedOutcome {
  const { next, product } = failed;
  return refused && next !== undefined ? { ...failed, product: { ...product, gaps: [next] } } : failed;
}

/** All that a process left, the code first: linters and checks speak through it, and whoever asked judges. */
export function printedBy({ ended: { exit, stdout, stderr, unstarted } }: Executed): Data {
  if (unstarted !== undefined) return {};
  return {
    exit,
    ...(stdout.length > 0 && { stdout: textOf(stdout) }),
    ...(stderr.length > 0 && { stderr: textOf(stderr) }),
  };
}

/** Whoever set the limit can raise it. */
function withinLimit(fault: Fault, { limitIn }: Executed): Fault {
  if (limitIn === undefined) return fault;
  const shown = visible(limitIn);
  const hint = {
    en: `Give it less to do, or raise timeout in ${shown}, which sets this limit.`,
    zh: `减少工作量，或提高 ${shown} 中的 timeout，此时限由它设定。`,
  };
  return new Fault(fault.type, fault.detail, { hint });
}

function aboutNetwork({ type, detail, details = {}, code }: Fault, hint: Text): Fault {
  return new Fault(type, detail, { details, code, hint });
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
    stderr: textOf(ended.stderr),
    outputs: outputs.copied,
    ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    sandbox: sandboxOf(executed),
  };
  const shown = visible(what);
  const summary = { en: `ran ${shown}`, zh: `执行成功: ${shown}` };
  const artifacts = outputs.copied.map((file) => file.path);
  return makeOutcome(by, 'success', summary, data, { product: { printed, artifacts, refused: outputs.refused } });
}

export function textOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8').toWellFormed();
}
