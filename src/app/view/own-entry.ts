// One of a person's own commands as people read it in the owner's log, and as `--json` carries it.
import type { GrantChange, OwnerChange, OwnerFacts, SkillChange } from '../../audit/owner/event.ts';
import type { Language, Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { OwnEntry } from '../own/read.ts';

export function describeOwn({ log, time, ended, uid, state, change, facts, error }: OwnEntry) {
  const { command, ...what } = change;
  return { log, command, state, time, ended, uid, ...what, ...facts, ...(error !== undefined && { error }) };
}

/** What it changed, on one line. */
export function whatChanged({ change, facts = {} }: OwnEntry, language: Language): string {
  return visible(inWords(change, facts, language));
}

export function ownState({ state, error = '' }: OwnEntry): Text {
  switch (state) {
    case 'done':
      return { en: 'done', zh: '完成' };
    case 'failed':
      return { en: `failed: ${visible(error)}`, zh: `失败: ${visible(error)}` };
    case 'open':
      return { en: 'no end recorded', zh: '未记录结束' };
  }
}

function inWords(change: OwnerChange, facts: OwnerFacts, language: Language): string {
  if ('skills' in change) return change.skills.map(describeSkill).join(', ');
  if ('files' in change) {
    const names = [change.operation, change.files.join(', ')].filter((part) => part !== undefined && part !== '');
    return [names.join(' '), ...fromTo(facts)].join(': ');
  }
  if ('schedule' in change) return [change.schedule, change.reason, ...fromTo(facts)].filter(Boolean).join(': ');
  if ('breaks' in change) return change.breaks.map(({ part, why }) => `${part}: ${why}`).join(', ');
  if ('name' in change) return nameWithId(change.name, facts.key ?? change.key);
  return nameWithId(describeGranted(change, language), facts.grant ?? change.grant);
}

function describeGranted({ skill, what, network, writes, tier, expires }: GrantChange, language: Language): string {
  if (skill === undefined) return '';
  const words = { en: ['network', 'writes', 'until'], zh: ['网络', '写入', '至'] }[language];
  const until = expires === undefined ? undefined : `${words[2]} ${expires.slice(0, 10)}`;
  const written = writes && [words[1], ...(writes === true ? [] : writes)].join(' ');
  const reach = [what, network && words[0], written, tier, until];
  return `${skill}: ${reach.filter(Boolean).join(', ')}`;
}

function describeSkill({ skill, version, before, after, source }: SkillChange): string {
  const name = version === undefined ? skill : `${skill} ${version}`;
  const from = source === undefined ? '' : ` (${source})`;
  return `${name} ${short(before)} → ${short(after)}${from}`;
}

function fromTo({ before, after }: OwnerFacts): string[] {
  return before === undefined && after === undefined ? [] : [`${short(before ?? null)} → ${short(after ?? null)}`];
}

function nameWithId(name: string, id: string | undefined): string {
  if (id === undefined) return name;
  return name === '' ? id : `${name} (${id})`;
}

/** Enough of a digest to compare by eye; `--json` has the whole. */
function short(digest: string | null): string {
  return digest === null ? '–' : digest.replace(/^sha256:/, '').slice(0, 12);
}
