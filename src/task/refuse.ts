// What a task is refused for before anything is started: always the same kind of failure, and which check it was.
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';

export type RefusalCheck =
  | 'agent'
  | 'description'
  | 'prompt'
  | 'grammar'
  | 'quotes'
  | 'inline-code'
  | 'code-creation'
  | 'nul'
  | 'shell'
  | 'interpreter'
  | 'skill'
  | 'person';

export function refuse(check: RefusalCheck, detail: Text, hint?: Text): Fault {
  return new Fault('InvalidArgs', detail, { details: { check }, ...(hint && { hint }) });
}
