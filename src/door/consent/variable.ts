// Variables a person lets code read: values from the environment of the command, or from files it names.
import type { Door } from '../door.ts';
import { readSecret, type Secrets } from '../secret.ts';

export interface Variables {
  readonly values: Secrets;
  /** Nobody has set these; code may do without them. */
  readonly unset: readonly string[];
}

export function variablesOf(names: readonly string[], { env }: Pick<Door, 'env'>): Variables {
  const found = names.map((name) => [name, readSecret(name, env)] as const);
  return {
    values: Object.fromEntries(found.flatMap(([name, value]) => (value ? [[name, value]] : []))),
    unset: found.flatMap(([name, value]) => (value ? [] : [name])),
  };
}
