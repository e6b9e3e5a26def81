// Which of several skills owns a name: the highest that claims it, a damaged one too, so that none gives way silently.
import { type Diagnostic, diagnose } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { Source } from '../skill/skill.ts';
import type { SkillId } from '../skill/skill-id.ts';

/** The skill that a name means. */
export interface NameOwner {
  readonly skillId: SkillId;
  readonly name: string;
  readonly folder: string;
  readonly source: Source;
  /** It has the name and cannot be used. */
  readonly damaged?: true;
}

interface Claimant {
  readonly name: string;
  readonly folderName: string;
  readonly root: string;
}

/** Of one root, the skill whose folder has the name owns it, wherever it comes in the list: it has no other address. */
export function takesName(skill: Claimant, owner: Claimant): boolean {
  const isNamesake = ({ name, folderName }: Claimant) => name === folderName;
  return skill.root === owner.root && isNamesake(skill) && !isNamesake(owner);
}

const RENAME_ONE: Text = { en: 'give one of them another name', zh: '请为其中之一改名' };

/** What is said about a skill whose name another one owns. */
export function describeShadowing(owner: NameOwner, source: Source, file: string): Diagnostic {
  const name = visible(owner.name);
  const where = visible(owner.folder);
  if (owner.damaged) return describeDamaged(owner, source, file);
  if (owner.source === source) {
    const message = {
      en: `another ${source} skill is called ${name} too: ${where} is used`,
      zh: `另有名为 ${name} 的 ${source} 技能: 使用 ${where}`,
    };
    return diagnose({ code: 'duplicate-name', severity: 'warning', path: file, message, fix: RENAME_ONE });
  }
  const message = {
    en: `${owner.source} skill ${where} has the same name: ${source}:${name} still names this one`,
    zh: `${owner.source} 技能 ${where} 与其同名: 仍可用 ${source}:${name} 指明此技能`,
  };
  return diagnose({ code: 'shadowed', severity: 'info', path: file, message });
}

function describeDamaged(owner: NameOwner, source: Source, file: string): Diagnostic {
  const name = visible(owner.name);
  const where = visible(owner.folder);
  const reach =
    owner.source === source
      ? { en: 'this one is not used in its place', zh: '不会以此技能代替' }
      : { en: `${source}:${name} still names this one`, zh: `仍可用 ${source}:${name} 指明此技能` };
  const message = {
    en: `${name} means the damaged skill ${where}: ${reach.en}`,
    zh: `${name} 指已损坏的技能 ${where}: ${reach.zh}`,
  };
  const fix = { en: `mend or remove ${where}`, zh: `请修复或移除 ${where}` };
  return diagnose({ code: 'shadowed-by-damaged', severity: 'warning', path: file, message, fix });
}
