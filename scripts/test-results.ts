// What came of each test of a run, and what was not run and why: gathered while it runs.
import path from 'node:path';
import type { run } from 'node:test';

export interface Result {
  readonly file: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped, or what it left out although it passed. */
  readonly notRun: string[];
  readonly seconds: number;
}

const LEFT_OUT = /\bnot run: (.*)/s;

/** Filled until the stream ends. */
export function collectResults(stream: ReturnType<typeof run>, root: string): readonly Result[] {
  const results: Result[] = [];
  const last = new Map<string | undefined, Result>();
  for (const event of ['test:pass', 'test:fail'] as const) {
    stream.on(event, ({ file, name, skip, details }) => {
      const state = event === 'test:fail' ? 'failed' : skip === undefined ? 'passed' : 'skipped';
      const notRun = skip === undefined ? [] : [String(skip)];
      const where = file === undefined ? '' : path.relative(root, file);
      const result: Result = { file: where, name, state, notRun, seconds: details.duration_ms / 1000 };
      results.push(result);
      last.set(file, result);
    });
  }
  // What a test has to say comes behind how it ended.
  stream.on('test:diagnostic', ({ file, message }) => {
    const why = LEFT_OUT.exec(message)?.[1];
    if (why !== undefined) last.get(file)?.notRun.push(why);
  });
  return results;
}
