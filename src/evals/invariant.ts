// Invariants of every run, whatever a case expects: instructions before scripts, permission before effects, one stream.
import type { AuditRecord } from '../audit/event.ts';
import { isRecord } from '../base/json.ts';
import type { RuleFinding } from './step-rule.ts';
import type { CaseRun, Step, Trace } from './trace.ts';

export interface NamedFinding extends RuleFinding {
  readonly rule: string;
}

export function checkInvariants(run: CaseRun, trace: Trace): NamedFinding[] {
  return [checkDisclosure(trace), checkPermission(run.records), ...checkStream(run)];
}

/** A script or a file of a skill is used only after its instructions were read. */
function checkDisclosure({ steps }: Trace): NamedFinding {
  const read = new Set<string>();
  const wrong: Step[] = [];
  for (const step of steps) {
    const { name, skill, executed } = step;
    if (skill === undefined || !executed) continue;
    if (name === 'load_skill') read.add(skill);
    else if (needsInstructions(step) && !read.has(skill)) wrong.push(step);
  }
  const message = `used before its instructions were read: ${wrong.map(({ skill, name }) => `${skill} ${name}`).join(', ')}`;
  return { rule: 'disclosure', ok: wrong.length === 0, message, evidence: wrong.map(({ at }) => at) };
}

/** Invoking a skill by its interface needs no instructions. */
function needsInstructions({ name, args }: Step): boolean {
  if (name === 'load_resource') return true;
  return name === 'run_script' && isRecord(args) && Array.isArray(args.args);
}

/** Nothing that policy denies is done; what it asks about is done only after a grant or a yes. */
function checkPermission(records: readonly AuditRecord[]): NamedFinding {
  const wrong = records.flatMap((record, at) => {
    if (record.type !== 'call-intent') return [];
    return isPermitted(record.call, records.slice(0, at)) ? [] : [at];
  });
  return {
    rule: 'approval-before-effect',
    ok: wrong.length === 0,
    message: `${wrong.length} effects without a permission before them`,
    evidence: wrong,
  };
}

function isPermitted(call: string, earlier: readonly AuditRecord[]): boolean {
  const decision = earlier.findLast((record) => record.type === 'decision' && record.call === call);
  if (decision?.type !== 'decision' || decision.effect === 'deny') return false;
  if (decision.effect === 'allow') return true;
  return earlier.some(
    (record) =>
      (record.type === 'grant' && record.call === call) ||
      (record.type === 'approval' && record.call === call && record.answer === 'yes'),
  );
}

/** The streamed text is what was recorded as the answer. */
function checkStream({ records, streamed, text }: CaseRun): NamedFinding[] {
  if (streamed === undefined) return [];
  const answers = records.flatMap((record, at) => (record.type === 'model' ? [{ at, text: text(record.answer) }] : []));
  const wrong = answers.filter(({ text: kept }, index) => kept !== undefined && kept !== streamed[index]);
  const message = 'what was streamed is not what was answered';
  return [{ rule: 'streaming', ok: wrong.length === 0, message, evidence: wrong.map(({ at }) => at) }];
}
