// Why a record does not hold, in each language: the checks say it in English, which is also what --json carries.
import { sameInAll, type Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';

const REASONS: readonly Text[] = [
  { en: 'not a record', zh: '不是记录' },
  { en: 'out of order', zh: '次序错乱' },
  { en: 'does not follow from the line before', zh: '与前一行不衔接' },
  { en: 'its seal is not ours', zh: '封印不是我们的' },
  { en: 'its sealed head is missing under home', zh: '主目录下缺少其封印' },
  { en: 'the seal is not ours', zh: '封印不是我们的' },
  { en: 'it belongs to another project', zh: '属于另一个项目' },
  { en: 'not what was sealed', zh: '与封印时不同' },
  { en: 'something was added after the end', zh: '结束之后有添加' },
  { en: 'the end is missing', zh: '结尾缺失' },
  { en: 'the whole record is gone', zh: '整份记录已不存在' },
  { en: 'run.json was changed', zh: 'run.json 被改动' },
  { en: 'the log is gone', zh: '日志已不存在' },
  { en: 'this part is gone', zh: '此段已不存在' },
  { en: 'the part that follows is gone', zh: '其后一段已不存在' },
  { en: 'it does not begin with its start', zh: '开头不是起始事件' },
  { en: 'it does not follow from the part before', zh: '与前一段不衔接' },
  { en: 'broken', zh: '断裂' },
];

/** What a power cut may have taken. */
const LOST = /^the last (\d+) events are missing: cut off, or lost in a power cut$/;

export function sayBroken(why: string): Text {
  const [, lost] = LOST.exec(why) ?? [];
  if (lost !== undefined) return { en: why, zh: `缺少最后 ${lost} 个事件: 被截断，或因断电丢失` };
  return REASONS.find(({ en }) => en === why) ?? sameInAll(visible(why));
}
