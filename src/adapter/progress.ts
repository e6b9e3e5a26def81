// A call of a tool as a stream: how far its script is, and at last the result.
import type { SkillTool, ToolResult } from '../index.ts';

/** How far a script says it is. */
export interface SkillProgress {
  readonly state: 'running';
  /** From 0 to 1. */
  readonly fraction: number;
  readonly message: string;
}

/** Whoever stops reading ends the call. */
export async function* executeWithProgress(
  tool: SkillTool,
  input: unknown,
  { approval, signal }: { readonly approval: string | undefined; readonly signal: AbortSignal | undefined },
): AsyncGenerator<SkillProgress | ToolResult> {
  const left = new AbortController();
  let waiting: SkillProgress[] = [];
  let news = Promise.withResolvers<void>();
  const done = tool.execute(input, {
    signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
    ...(approval !== undefined && { approval }),
    onProgress: ({ fraction, message }) => {
      waiting.push({ state: 'running', fraction, message });
      news.resolve();
    },
  });
  let isDone = false;
  void done.then(() => {
    isDone = true;
    news.resolve();
  });
  try {
    while (!isDone) {
      await news.promise;
      news = Promise.withResolvers();
      if (isDone) news.resolve();
      const told = waiting;
      waiting = [];
      yield* told;
    }
    yield await done;
  } finally {
    left.abort();
  }
}
