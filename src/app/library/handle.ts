// What all parts of one handle share: where it works, whom it asks, how it is closed. Nothing of it is outside of the handle.
import { type Fault, toFault } from '../../base/errors.ts';
import type { ModelLike } from '../../model/given.ts';
import type { Runtime } from '../runtime.ts';
import type { OnEvent } from './public/event.ts';
import type { CallOptions } from './public/options.ts';
import type { Ask } from './public/question.ts';
import { misused, requireText, wrongUse } from './wrong-use.ts';

export interface Handle {
  /** One that begins now. Throws a Fault once the handle is closed. */
  begin(): Runtime;
  readonly ask: Ask | undefined;
  readonly model: ModelLike | undefined;
  /** Until it settles, closing waits for it. */
  /** Called when the handle is closed, before anything is waited for; what it returns calls it off. */
  readonly whenClosed: (close: () => Promise<void>) => () => void;
  readonly track: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Ends with the call's own signal and with the handle. */
  signalFor(own: AbortSignal | undefined): AbortSignal;
}

export interface OpenedHandle extends Handle {
  close(): Promise<void>;
}

export function openHandle(runtime: Runtime, given: Pick<Handle, 'ask' | 'model'>): OpenedHandle {
  const closing = new AbortController();
  const underway = new Set<Promise<unknown>>();
  const closers = new Set<() => Promise<void>>();
  return {
    ...given,
    begin() {
      if (closing.signal.aborted) throw closed();
      return runtime.derive();
    },
    whenClosed(close) {
      closers.add(close);
      return () => closers.delete(close);
    },
    track(work) {
      underway.add(work);
      const done = () => underway.delete(work);
      work.then(done, done);
      return work;
    },
    signalFor: (own) => (own ? AbortSignal.any([own, closing.signal]) : closing.signal),
    async close() {
      closing.abort();
      await Promise.allSettled(underway);
      await Promise.allSettled([...closers].map((one) => one()));
      await runtime.telemetry?.close();
    },
  };
}

/** Observers cannot end what they observe. */
export function quietly(see: OnEvent | undefined): OnEvent {
  return (event) => {
    try {
      see?.(event);
    } catch (error) {
      process.emitWarning(`skillwright: onEvent threw: ${toFault(error).message}`);
    }
  };
}

/** Throws a Fault for what no type checker has seen. */
export function checkOptions(options: CallOptions | undefined): void {
  const { signal, ask, onEvent, timeout, role } = options ?? {};
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrongUse('signal', 'an AbortSignal');
  if (ask !== undefined && typeof ask !== 'function') throw wrongUse('ask', 'a function');
  if (onEvent !== undefined && typeof onEvent !== 'function') throw wrongUse('onEvent', 'a function');
  if (timeout !== undefined && !(timeout > 0)) throw wrongUse('timeout', 'a number of seconds above 0');
  if (role !== undefined) requireText('role', role);
}

function closed(): Fault {
  return misused(
    { en: 'this handle is closed', zh: '此句柄已关闭' },
    {
      en: 'Open another one with openSkillwright; `await using` closes at the end of its block.',
      zh: '请用 openSkillwright 重新打开；`await using` 在代码块结束时关闭。',
    },
  );
}
