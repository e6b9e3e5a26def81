// What the shipped scripts of bin/ do with skills, done in this process by the same use cases as the commands of that name.
import type { Outcome } from '../../base/outcome.ts';
import type { SkillLook } from '../../task/shipped.ts';
import type { Runtime } from '../runtime.ts';

/** Throws a Fault. Each is loaded when it is asked for. `yes`: a person agreed in advance to what is asked. */
export async function lookAtSkills(look: SkillLook, runtime: Runtime, yes = false): Promise<Outcome> {
  switch (look.at) {
    case 'list': {
      const { answerList, listSkills } = await import('../skill/list.ts');
      return answerList(listSkills(runtime), runtime, 'every field');
    }
    case 'search': {
      const { searchSkills } = await import('../skill/search.ts');
      return (await searchSkills(runtime, look)).outcome;
    }
    case 'record': {
      const { recordSkill } = await import('../skill/record.ts');
      return await recordSkill(runtime, look.skill);
    }
    case 'inspect': {
      const { inspectSkill } = await import('../skill/inspect.ts');
      return (await inspectSkill(runtime, look.skill)).outcome;
    }
    case 'uninstall': {
      const { curateOne } = await import('../curation.ts');
      return (await curateOne(look.skill, yes, runtime)).outcome;
    }
    case 'scan': {
      const { scanSkills } = await import('../skill/scan.ts');
      return (await scanSkills(runtime)).outcome;
    }
  }
}
