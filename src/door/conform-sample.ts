// Values with which `conform` tries an action: of the right type and inside their range.
import type { Json } from '../base/json.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { numberInside } from '../skill/range.ts';
import type { Param } from '../skill/skill.ts';

/** A value of the right type for whatever an action asks for; whether it makes sense is for the skill to answer. */
export function sampleParams(params: readonly Param[], skill: SkillEntry): Record<string, Json> {
  const needed = params.filter((param) => param.required);
  return Object.fromEntries(needed.map((param) => [param.name, sample(param, skill)]));
}

function sample(param: Param, skill: SkillEntry): Json {
  const [choice] = param.enum ?? [];
  if (param.default !== undefined) return param.default;
  if (choice !== undefined) return choice;
  switch (param.type) {
    case 'number':
    case 'integer':
      return numberInside(param);
    case 'boolean':
      return true;
    case 'url':
      return 'https://example.org/';
    case 'email':
      return 'someone@example.org';
    case 'file':
      return skill.file;
    default:
      return 'example';
  }
}
