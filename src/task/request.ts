// What a task is asked with: the agent, a few words for people, the instruction, and a key that runs it once.
import { Fault } from '../base/errors.ts';

/** What a worker is to do, with the key under which it is done once. */
export interface TaskRequest {
  readonly agent: string;
  /** A few words about what is done. */
  readonly description: string;
  /** The complete instruction. */
  readonly prompt: string;
  readonly idempotency_key?: string;
}

const KEY_LIMIT = 500;

/** Throws a Fault of the type Usage for a description or a key that is none. */
export function requireWords({ description, idempotency_key: key }: TaskRequest): void {
  if (description.trim() === '') throw new Fault('Usage', { en: 'the description is empty', zh: '任务摘要为空' });
  if (key !== undefined && (key === '' || key.length > KEY_LIMIT))
    throw new Fault('Usage', {
      en: `a key has 1 to ${KEY_LIMIT} characters`,
      zh: `幂等键长度为 1 到 ${KEY_LIMIT} 个字符`,
    });
}
