// Checks of values that were stored or come from outside, put together like the type they stand for; nothing is loaded for them.
import { isRecord } from '../json.ts';

export type Check<T> = (value: unknown) => value is T;

/** Each field of the type with its check: a field that was added to the type and is not checked does not compile. */
type Fields<T> = { readonly [Key in keyof T]-?: Check<T[Key]> };

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

export function isNull(value: unknown): value is null {
  return value === null;
}

export function isWord<const Word extends string>(words: readonly Word[]): Check<Word> {
  return (value): value is Word => words.some((word) => word === value);
}

export function isEither<A, B>(isOne: Check<A>, isOther: Check<B>): Check<A | B> {
  return (value): value is A | B => isOne(value) || isOther(value);
}

export function isOptional<T>(isIt: Check<T>): Check<T | undefined> {
  return (value): value is T | undefined => value === undefined || isIt(value);
}

export function isListOf<T>(isItem: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(isItem);
}

export function isMapOf<T>(isPart: Check<T>): Check<Record<string, T>> {
  return (value): value is Record<string, T> => isRecord(value) && Object.values(value).every(isPart);
}

/** Other fields may be there, as a later version writes them. */
export function isObject<T extends object>(fields: Fields<T>): Check<T> {
  const checks = Object.entries<Check<unknown>>(fields);
  return (value): value is T => isRecord(value) && checks.every(([name, isIt]) => isIt(value[name]));
}
