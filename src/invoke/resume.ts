// Goes on with a saved question: the same call, for the same bytes under the same policy, decided once.
import { Fault } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import { type ApprovalSubject, approvalKey } from '../policy/approval.ts';
import { type Decided, decideInterrupt } from '../policy/interrupt.ts';
import type { Interrupt } from '../store/interrupt-store.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import { fail, nameFault } from './fail.ts';
import { answering, perform, voiceFor } from './perform.ts';
import { subjectOf, wordsOf } from './permit.ts';
import { understand } from './understand.ts';
import { policyOf } from './work.ts';

export async function resumeCall(id: string, words: readonly string[], door: Door): Promise<Outcome> {
  const saved = await door.interrupts.get(id);
  const by = answering(door, saved ? voiceFor(callOf(saved)) : { agent: 'skills', surface: 'invoke' });
  try {
    const call = saved && callOf(saved);
    const isApproved = await answerQuestion(id, words, call, door);
    if (!call || !isApproved) throw new Fault('ApprovalDenied', saved?.question);
    return await perform(call, door);
  } catch (error) {
    return fail(by, nameFault(error));
  }
}

/** Decides the question; after a yes this very call passes once. Throws a Fault when nothing is decided. */
export async function answerQuestion(
  id: string,
  words: readonly string[],
  call: Call | undefined,
  door: Door,
): Promise<boolean> {
  const asked = call && (await askedNow(call, door));
  // Whoever can write to a shared store must not get a yes by showing other words than those of the call.
  const digestNow = ({ question }: Interrupt) => (asked?.words === question ? approvalKey(asked.subject) : '');
  const decided = await decideInterrupt(door.interrupts, { id, words, digestNow }, door.clock.now());
  if (!decided.ok) throw notDecided(id, decided.why);
  const isApproved = Object.values(decided.decisions).every((answer) => answer === 'approve');
  if (isApproved && asked) await door.approvals.give(asked.subject, 'once', 'resume');
  return isApproved;
}

/** What a yes would be about today; nothing, when the call no longer needs one. */
async function askedNow(call: Call, door: Door): Promise<Asked | undefined> {
  const work = await understand(call, door);
  if ('answer' in work) return undefined;
  return { subject: subjectOf(work, await policyOf(work, door)), words: wordsOf(work) };
}

interface Asked {
  readonly subject: ApprovalSubject;
  readonly words: string;
}

// Saved under home by ourselves, and bound by its digest: any other content decides nothing.
function callOf(saved: Interrupt): Call {
  return saved.payload as unknown as Call;
}

function notDecided(id: string, why: (Decided & { ok: false })['why']): Fault {
  const reasons = {
    missing: { en: `there is no open question ${id}`, zh: `没有待决问题 ${id}` },
    expired: { en: `the question ${id} has expired`, zh: `问题 ${id} 已过期` },
    changed: { en: `what ${id} asks about has changed since`, zh: `${id} 所涉内容已更改` },
    undecided: { en: `${id}: not everything was decided`, zh: `${id}: 尚有未决项` },
    unknown: { en: `${id}: an answer that is not among the choices`, zh: `${id}: 答案不在可选项中` },
  };
  const type =
    why === 'missing' || why === 'expired' ? 'DataNotFound' : why === 'changed' ? 'IntegrityMismatch' : 'InvalidArgs';
  return new Fault(type, reasons[why], { hint: HINTS[type] });
}

const HINTS = {
  DataNotFound: {
    en: '`skillwright interrupts` lists the open questions.',
    zh: '`skillwright interrupts` 列出待决问题。',
  },
  IntegrityMismatch: {
    en: 'Nothing was done. Run the command that asked once more: it asks about what is there now.',
    zh: '未执行任何操作。请重新运行原命令，将就当前内容再次询问。',
  },
  InvalidArgs: {
    en: '`skillwright interrupts` shows the choices, such as approve and deny.',
    zh: '`skillwright interrupts` 显示可选项，如 approve 与 deny。',
  },
} as const;
