// Why a line about packages was not read, in words.
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { UnreadKind, UnreadPackages } from '../../environment/need/mention.ts';

const WHY: Readonly<Record<UnreadKind, Text>> = {
  'index-option': {
    en: 'is noted and never obeyed: where packages come from, your settings say',
    zh: '已记录但从不采用: 软件包的来源由您的配置决定',
  },
  'missing-file': { en: 'is not among the files of the skill', zh: '不在技能的文件之中' },
  'not-from-index': { en: 'names no package of an index', zh: '不是索引中的软件包' },
  'not-understood': { en: 'is not understood', zh: '无法理解' },
};

export function whyUnread(kind: UnreadKind): Text {
  return WHY[kind];
}

/** In one line, with its place. */
export function unreadText({ file, line, kind, what }: UnreadPackages): Text {
  const place = visible(`${file}:${line}`);
  const { en, zh } = WHY[kind];
  return { en: `${place}: ${visible(what)} ${en}`, zh: `${place}: ${visible(what)} ${zh}` };
}
