// Mistakes in the use of the library, as the Faults that name them.
import { Fault } from '../../base/errors.ts';

export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') throw wrongUse(name, 'a text that is not empty');
}

export function wrongUse(name: string, wanted: string): Fault {
  return new Fault('Usage', { en: `${name} must be ${wanted}`, zh: `${name} 必须是 ${wanted}` });
}
