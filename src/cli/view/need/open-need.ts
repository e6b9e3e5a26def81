// What a skill would need and does not have yet, below the plan of its installation: what, where, how sure, one command.

import type { JudgedNeed } from '../../../app/need/state.ts';
import { needName } from '../../../app/need/view.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { typedWord } from '../../../base/text/shell-word.ts';
import { visible } from '../../../base/text.ts';
import type { Sureness } from '../../../skill/need/need.ts';
import { foundIn, kindOf, sureWords } from './need.ts';

const LISTED = 12;

const SURE: Readonly<Record<Sureness, Text>> = {
  declared: { en: 'declared', zh: '已声明' },
  literal: { en: 'in its code', zh: '见于代码' },
  implied: { en: 'follows from its code', zh: '由代码推知' },
  likely: { en: 'probably', zh: '可能' },
};

/** Empty where it needs nothing that it does not have. */
export function renderOpenNeeds(needs: readonly JudgedNeed[], skill: string, language: Language): string[] {
  const open = needs.filter(({ state }) => state !== 'present');
  const [packages, others] = [open.filter(isPackage), open.filter((need) => !isPackage(need))];
  return [...list(others, whoDecides(skill), language), ...list(packages, whatPrepares(skill), language)];
}

function isPackage({ kind }: JudgedNeed): boolean {
  return kind === 'package';
}

function list(open: readonly JudgedNeed[], title: Text, language: Language): string[] {
  const say = (text: Text) => inLanguage(text, language);
  if (open.length === 0) return [];
  const lines = open.slice(0, LISTED).map((need) => {
    const what = `${say(kindOf(need))} ${visible(needName(need))}`;
    const sure = isPackage(need) ? sureWords(need) : [SURE[need.sure]];
    return `      ${what} (${[visible(foundIn(need)), ...sure.map(say)].join(', ')})`;
  });
  const rest = open.length > LISTED ? [`      … (${open.length - LISTED})`] : [];
  return [`    ${say(title)}`, ...lines, ...rest];
}

function whoDecides(skill: string): Text {
  const command = `skillwright consent ${typedWord(skill)}`;
  return {
    en: `would need, and gets none of it until you say so (\`${command}\`):`,
    zh: `需要以下内容，未经同意一概不给（\`${command}\`）:`,
  };
}

function whatPrepares(skill: string): Text {
  const command = `skillwright prepare ${visible(skill)}`;
  return {
    en: `imports packages of others, which are not installed with it (\`${command}\`):`,
    zh: `导入以下第三方软件包，它们不随技能安装（\`${command}\`）:`,
  };
}
