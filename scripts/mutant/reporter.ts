// A reporter for `node --test`: one line of JSON for each test that ended.
import type { TestEvent } from 'node:test/reporters';

export interface Ended {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Only that its own tests failed. */
  readonly isParent: boolean;
  readonly reason: string;
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const state = type === 'test:fail' ? 'failed' : data.skip === undefined ? 'passed' : 'skipped';
    const error = type === 'test:fail' ? data.details.error : undefined;
    const cause =
      error?.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : String(error?.cause ?? '');
    const isParent = (error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed';
    const ended: Ended = { name: data.name, state, isParent, reason: cause };
    yield `${JSON.stringify(ended)}\n`;
  }
}
