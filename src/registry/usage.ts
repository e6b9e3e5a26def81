// Usage records of a skill: only executions count, reading a prompt does not.
import type { Kind, Source } from '../skill/skill.ts';
import type { Awaitable, Store, Usage, Use } from '../store/store.ts';

export interface UsedSkill {
  readonly source: Source;
  readonly folderName: string;
  readonly kind: Kind;
}

const NEVER_USED: Usage = { count: 0, failures: 0, totalMs: 0 };

export function recordUse(store: Pick<Store, 'usage'>, skill: UsedSkill, use: Use): Awaitable<void> {
  if (skill.kind !== 'prompt') return store.usage.record(usageKey(skill), use);
}

export function usageOf(store: Pick<Store, 'usage'>, skill: Pick<UsedSkill, 'source' | 'folderName'>): Usage {
  return store.usage.of(usageKey(skill)) ?? NEVER_USED;
}

/** Without the version, so that an update keeps the record. */
export function usageKey(skill: Pick<UsedSkill, 'source' | 'folderName'>): string {
  return `${skill.source}:${skill.folderName}`;
}
