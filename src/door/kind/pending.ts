// A command that lacks parameters: a question where somebody can answer it, a failure where nobody can.
import { Fault } from '../../base/errors.ts';
import { inLanguage } from '../../base/language.ts';
import { pendingOutcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Door } from '../door.ts';
import type { AnsweredCall } from '../work.ts';
import type { CommandParam, Parameters } from './command-param.ts';

export function answerPending(skill: SkillEntry, { all, missing }: Parameters, door: Door): AnsweredCall {
  const names = missing.map(({ name }) => name);
  const list = names.join(', ');
  if (!door.attended) {
    throw new Fault('ParamMissing', list, { details: { skill: skill.name, missing: names } });
  }
  const prompt = inLanguage(
    {
      en: `Give ${missing.map(describe).join(', ')} as name=value.`,
      zh: `请以 名称=值 的形式提供: ${missing.map(describe).join('、')}。`,
    },
    door.language,
  );
  const data = {
    skill: skill.name,
    required: all.filter(({ needed }) => needed).map(({ name }) => name),
    optional: all.filter(({ needed }) => !needed).map(({ name }) => name),
    missing: names,
    prompt,
  };
  const summary = { en: `waiting for: ${list}`, zh: `等待参数: 需要 ${list}` };
  return { answer: (by) => pendingOutcome(by, summary, { missing: names, next: prompt }, data) };
}

function describe({ name, type, description, enum: choices }: CommandParam): string {
  const kind = choices ? choices.join('|') : type;
  const facts = [kind === 'string' ? '' : kind, description ?? ''].filter((fact) => fact !== '');
  return visible(facts.length > 0 ? `${name} (${facts.join(', ')})` : name);
}
