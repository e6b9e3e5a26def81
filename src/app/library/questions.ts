// Questions that wait for a decision, and the answer to one: what waited for it goes on.
import type { Outcome } from '../../base/outcome.ts';
import type { ListedInterrupt } from '../../store/interrupt-store.ts';
import type { Runtime } from '../runtime.ts';
import { driveFromCode } from './agent-run.ts';
import { carryOut } from './carry-out.ts';
import type { Handle } from './handle.ts';
import { plainCopy } from './perform.ts';
import type { CallOptions } from './public/options.ts';
import type { CallOutcome } from './public/outcome.ts';
import type { RunOptions } from './public/run.ts';
import type { SavedDecision, WaitingQuestion } from './public/saved-question.ts';
import { requireText, wrongUse } from './wrong-use.ts';

/** The oldest first. */
export async function openQuestions(handle: Handle): Promise<WaitingQuestion[]> {
  const runtime = handle.begin();
  const { listWaiting } = await import('../resume/waiting.ts');
  const { questionText } = await import('../view/saved-question.ts');
  return (await listWaiting(runtime)).map((saved) => {
    const { id, items, choices, created, expires, facts } = saved;
    return {
      id,
      of: OF[saved.kind],
      text: questionText(saved, runtime.language),
      items,
      choices,
      asked: new Date(created).toISOString(),
      expires: new Date(expires).toISOString(),
      ...(facts !== undefined && { facts }),
    };
  });
}

const OF = { approval: 'call', run: 'run', job: 'job', worker: 'script' } as const satisfies Record<
  ListedInterrupt['kind'],
  WaitingQuestion['of']
>;

/** Each question is answered once, and only if everything is still as it was when it was asked. */
export async function answerSaved(
  handle: Handle,
  id: string,
  decision: SavedDecision,
  options: RunOptions = {},
): Promise<CallOutcome> {
  requireText('id', id);
  const answer = { question: id, ...wordsOf(decision) };
  const begun = handle.begin();
  const { findWaiting } = await import('../resume/resume.ts');
  const waiting = await handle.track(findWaiting(id, begun));
  if (waiting.kind === 'run') {
    const { run } = waiting;
    return await driveFromCode(handle, options, async (runtime, order) => {
      const { resumeRequest } = await import('../run/resume.ts');
      return await resumeRequest(runtime, run.run, order, { ...run, ...answer });
    }).outcome;
  }
  return await answerOther(handle, options, async (runtime, caller, signal) => {
    if (waiting.kind === 'job') {
      const { resumeJob } = await import('../resume/job.ts');
      return await resumeJob(waiting.job, answer, (work) => work(signal), runtime);
    }
    const { resumeQuestion } = await import('../resume/question.ts');
    return await resumeQuestion(answer, runtime, caller);
  });
}

type Resume = (
  runtime: Runtime,
  caller: Parameters<Parameters<typeof carryOut>[3]>[1],
  signal: AbortSignal,
) => Promise<Outcome>;

async function answerOther(handle: Handle, options: CallOptions, resume: Resume): Promise<CallOutcome> {
  return await carryOut<unknown>(
    handle,
    options,
    () => null,
    async (runtime, caller) => {
      const outcome = await resume(runtime, caller, handle.signalFor(options.signal));
      return { outcome, ...broughtBy(outcome) };
    },
  );
}

/** What a skill answered, a script printed, or a text says. */
function broughtBy({ product }: Outcome): { found?: { result: unknown } } {
  if (!product) return {};
  const { reply, printed, content, result } = product;
  if (reply) return { found: { result: plainCopy(reply.data) } };
  const brought = result ?? printed ?? content;
  return brought === undefined ? {} : { found: { result: brought } };
}

function wordsOf(decision: SavedDecision): { readonly words: readonly string[]; readonly reason?: string } {
  if (decision === 'yes') return { words: ['approve'] };
  if (decision === 'no') return { words: ['deny'] };
  if (typeof decision === 'object' && 'no' in decision) return { words: ['deny'], reason: decision.no };
  if (typeof decision === 'object' && 'choices' in decision)
    return { words: Object.entries(decision.choices).map(([item, choice]) => `${item}=${choice}`) };
  throw wrongUse('decision', "'yes', 'no', { no } or { choices }");
}
