// What a skill would need and does not have yet, below the plan of its installation: what, where, how sure, one command.
import type { JudgedNeed } from '../../../app/need/state.ts';
import { needName } from '../../../app/need/view.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { visible } from '../../../base/text.ts';
import type { Sureness } from '../../../skill/need/need.ts';
import { foundIn, KINDS } from './need.ts';

const LISTED = 12;

const SURE: Readonly<Record<Sureness, Text>> = {
  declared: { en: 'declared', zh: '已声明' },
  literal: { en: 'in its code', zh: '见于代码' },
  implied: { en: 'follows from its code', zh: '由代码推知' },
  likely: { en: 'probably', zh: '可能' },
};

/** Empty where it needs nothing that it does not have. */
export function renderOpenNeeds(needs: readonly JudgedNeed[], skill: string, language: Language): string[] {
  const say = (text: Text) => inLanguage(text, language);
  const open = needs.filter(({ state }) => state !== 'present');
  if (open.length === 0) return [];
  const lines = open.slice(0, LISTED).map((need) => {
    const what = `${say(KINDS[need.kind])} ${visible(needName(need))}`;
    return `      ${what} (${visible(foundIn(need))}, ${say(SURE[need.sure])})`;
  });
  const rest = open.length > LISTED ? [`      … (${open.length - LISTED})`] : [];
  return [`    ${say(whoDecides(skill))}`, ...lines, ...rest];
}

function whoDecides(skill: string): Text {
  const command = `skillwright consent ${visible(skill)}`;
  return {
    en: `would need, and gets none of it until you say so (\`${command}\`):`,
    zh: `需要以下内容，未经同意一概不给（\`${command}\`）:`,
  };
}
