// Results that a call wrote and that were not delivered, for people: which, why, and what to do about it.
import type { Language, Text } from '../../base/language.ts';
import type { Outcome, RefusedResult } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { Refusal } from '../../process/copy-out.ts';

const WHY: Record<Refusal, Text> = {
  link: { en: 'it is a link; write the file itself', zh: '它是链接；请写入文件本身' },
  'hard-link': { en: 'it is the same file under a second name; write a copy', zh: '它是硬链接；请写入副本' },
  special: { en: 'it is no plain file', zh: '它不是普通文件' },
  name: {
    en: 'its name has characters nobody can see, or spells a secret; choose another name',
    zh: '其名称含不可见字符或机密内容；请更换名称',
  },
  guarded: {
    en: 'other tools would execute or obey it; choose another name, or apply it from the changes that wait',
    zh: '其他工具会执行或遵循它；请更换名称，或从等待的更改中应用',
  },
  variable: {
    en: 'it holds the value of a variable; leave that out, or apply it from the changes that wait',
    zh: '其中包含变量的值；请去掉，或从等待的更改中应用',
  },
  limit: {
    en: 'there is too much, or it is nested too deep; write fewer files, or one archive',
    zh: '数量、大小或层级超出上限；请减少文件或写成一个归档',
  },
  unreadable: { en: 'it cannot be read; give it read permission', zh: '无法读取；请赋予读权限' },
  destination: {
    en: 'a link or something else stands in its place in the output folder; remove that, and run it again',
    zh: '输出目录中该位置已有链接或其他内容；请移除后重新运行',
  },
  temporary: {
    en: 'it lay in the temporary folder of the call, which is gone',
    zh: '它位于该次调用的临时目录，该目录已删除',
  },
  home: {
    en: 'it lies in the home of the skill, which goes with the run',
    zh: '它位于技能的主目录，该目录随运行结束而删除',
  },
  'skill-folder': {
    en: 'the skill wrote it into its own folder, where nothing is changed',
    zh: '技能将其写入自身目录，而该目录不会被更改',
  },
};

const WORDS = new Map<string, Text>(Object.entries(WHY));
const MOST = 10;

/** One sentence for each; nothing where everything was delivered. */
export function refusedResults({ product }: Outcome, language: Language): string[] {
  const refused = product?.refused ?? [];
  const more = refused.length - MOST;
  const rest = { en: `… and ${more} more results (--json)`, zh: `… 另有 ${more} 个结果 (--json)` };
  const lines = refused.slice(0, MOST).map((one) => {
    const shown = visible(one.path);
    const reason = reasonOf(one, language);
    return { en: `${shown} was not delivered: ${reason}`, zh: `${shown} 未交付: ${reason}` }[language];
  });
  return more > 0 ? [...lines, rest[language]] : lines;
}

/** What goes with its call or its run, if nobody keeps it. */
const PASSING: ReadonlySet<string> = new Set<Refusal>(['temporary', 'home', 'skill-folder']);
const LOST: Text = { en: '; have it written into the project', zh: '；请让脚本写入项目中' };

function reasonOf({ why, holds, kept, allow }: RefusedResult, language: Language): string {
  const names = holds ? ` (${holds.join(', ')})` : '';
  const command = {
    en: `; \`${visible(allow ?? '')}\` lets it keep one`,
    zh: `；\`${visible(allow ?? '')}\` 可保留主目录`,
  };
  const copy = {
    en: `; a copy is kept with the run: ${visible(kept ?? '')}`,
    zh: `；副本随运行保留: ${visible(kept ?? '')}`,
  };
  return [
    `${WORDS.get(why)?.[language] ?? why}${names}`,
    ...(allow === undefined ? [] : [command[language]]),
    ...(kept === undefined ? [] : [copy[language]]),
    ...(kept === undefined && PASSING.has(why) ? [LOST[language]] : []),
  ].join('');
}
