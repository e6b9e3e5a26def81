// The fields of SKILL.md: which are known, which guard something, and what a guard means when it cannot be read.
import { nearest } from '../base/text.ts';
import type { Values } from './read/simple-yaml.ts';

/** What agentskills.io defines; its validator knows nothing else. */
export const SPEC_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...SPEC_FIELDS,
  'version',
  'author',
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'run-mode',
  'context',
  'command',
  'params',
  'entry',
  'actions',
  'timeout',
  'requires',
  'secrets',
  'network',
  'deterministic',
]);

/** The most restrictive value of every field that guards something; undefined: as if the field were not there. */
export const RESTRICTIVE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['allowed-tools', []],
  ['disable-model-invocation', true],
  ['user-invocable', false],
  ['network', false],
  ['run-mode', 'subagent'],
  ['command', undefined],
  ['entry', undefined],
  ['requires', undefined],
  ['secrets', undefined],
  ['timeout', undefined],
]);

/** Fields that take something away from a skill: a loose mention of one must not be overlooked. */
export const NARROWING: ReadonlyMap<string, RegExp> = new Map([
  ['allowed-tools', /allow(?:ed)?[-_ ]?tools?["']?\s*:/gi],
  ['disable-model-invocation', /disable[-_ ]?model[-_ ]?invo[ck]ation["']?\s*:/gi],
  ['user-invocable', /user[-_ ]?invo[ck]able["']?\s*:/gi],
]);

/** Fields that give a skill something: where the structure is in doubt they are not believed. */
export const WIDENING = ['network', 'secrets', 'command', 'entry'] as const;

export function restrict(values: Values, key: string): void {
  const value = RESTRICTIVE.get(key);
  if (value === undefined) delete values[key];
  else values[key] = value;
}

const spellings = new Map<string, string | undefined>();

/** The known field that a misspelt key stands for. */
export function correctSpelling(key: string): string | undefined {
  if (spellings.has(key)) return spellings.get(key);
  // Bounded, so that a folder of odd files cannot fill the memory.
  if (spellings.size > 1000) spellings.clear();
  const meant = findSpelling(key);
  spellings.set(key, meant);
  return meant;
}

function findSpelling(key: string): string | undefined {
  if (key.length < 4 || key.length > 40) return undefined;
  const dashed = key
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/[_ .]/g, '-')
    .toLowerCase();
  if (KNOWN_FIELDS.has(dashed)) return dashed;
  if (dashed === 'when-to-use') return 'when_to_use';
  if (dashed === 'parameters') return 'params';
  const [closest] = nearest(dashed, KNOWN_FIELDS);
  // `nearest` also completes prefixes; a field such as `user` is not a misspelling.
  return closest !== undefined && Math.abs(closest.length - dashed.length) <= 2 ? closest : undefined;
}
