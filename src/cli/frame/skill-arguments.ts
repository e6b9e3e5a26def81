// How commands let people say which skill they mean.
import { SOURCES, type Source } from '../../skill/skill.ts';
import type { Option, OptionValues, Positional } from './command.ts';

export const SKILL: Positional = {
  name: 'skill',
  required: true,
  skill: true,
  summary: { en: 'name, folder, org/name, user:name or @name', zh: '名称、目录、org/name、user:name 或 @name' },
};

export const SOURCE: Option = {
  name: 'source',
  also: 'scope',
  value: 'SOURCE',
  choices: SOURCES,
  summary: { en: 'take the skill from here', zh: '指定来源' },
};

export function readSource(options: OptionValues): Source | undefined {
  return SOURCES.find((known) => known === options.source);
}
