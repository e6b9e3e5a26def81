// The skill a person named, or a failure that suggests which one was meant.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import type { Index, SkillEntry } from '../registry/discover.ts';
import { resolveSkill } from '../registry/resolve.ts';
import { SOURCES } from '../skill/skill.ts';

export function findSkill(index: Index, written: string, askedSource?: string): SkillEntry {
  const source = SOURCES.find((known) => known === askedSource);
  const resolved = resolveSkill(index, written, source && { source });
  if ('found' in resolved) return resolved.found;
  const { suggestions } = resolved;
  const list = suggestions.map(visible).join(', ');
  throw new Fault('SkillNotFound', visible(resolved.missing), {
    details: { skill: resolved.missing, suggestions },
    ...(list !== '' && { hint: { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` } }),
  });
}
