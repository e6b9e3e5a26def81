// The result of an importer: cases in our written form, and what it refused.
import type { Text } from '../../base/language.ts';

export interface ImportedCase {
  readonly written: Record<string, unknown>;
  /** Its position in the original file. */
  readonly path: readonly PropertyKey[];
}

export interface Imported {
  readonly format: string;
  readonly skill?: string;
  readonly cases: readonly ImportedCase[];
  readonly refused: readonly { readonly path: readonly PropertyKey[]; readonly reason: Text }[];
}

/** The position of a set, and what can be read around it. */
export interface ImportPlace {
  /** The skill it belongs to. */
  readonly skill?: string;
  /** Text of a file named by the set; undefined where there is none. */
  readonly read: (name: string) => string | undefined;
  /** Values of the files that match a pattern, by name. */
  readonly readAll: (pattern: string) => readonly { readonly name: string; readonly value: unknown }[];
}

/** A request that must trigger a skill, or must not. */
export function triggerCase(skill: string, input: string, wanted: boolean, path: PropertyKey[]): ImportedCase {
  const skills = wanted ? { required: [skill] } : { forbidden: [skill] };
  return { written: { input, expected: { skills }, tags: ['trigger'] }, path };
}

export const NO_PROMPT: Text = { en: 'has no prompt', zh: '没有提示词' };
export const NO_SKILL: Text = { en: 'which skill it is about is not said', zh: '未说明针对哪个技能' };

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function texts(value: unknown): string[] {
  return (typeof value === 'string' ? [value] : list(value)).flatMap((one) => text(one) ?? []);
}
