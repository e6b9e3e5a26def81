// What the check of a run's record found, in one sentence.

import type { RunVerification } from '../../audit/run-archive.ts';
import { OTHER_HOME } from '../../audit/verify.ts';
import type { Text } from '../../base/language.ts';
import { counted } from '../../base/text/counted.ts';
import { sayBroken } from './broken-reason.ts';

export function describeVerdict({
  ok,
  events,
  broken_at,
  why,
  torn,
  ended,
  pruned,
  missing = 0,
}: RunVerification): Text {
  if (why === OTHER_HOME) return { en: OTHER_HOME, zh: '封印属于另一个主目录: 在此无法核验' };
  if (!ok) {
    const reason = sayBroken(why ?? '');
    return { en: `broken at event ${broken_at}: ${reason.en}`, zh: `在事件 ${broken_at} 处断裂: ${reason.zh}` };
  }
  const notes: Text[] = [
    ...(torn ? [{ en: 'the last line is half written', zh: '最后一行未写完' }] : []),
    ...(ended ? [] : [{ en: 'the run has not ended', zh: '运行未结束' }]),
    ...(pruned > 0
      ? [{ en: `${counted(pruned, 'text was', 'texts were')} pruned`, zh: `${pruned} 段文本已清理` }]
      : []),
    ...(missing > 0
      ? [
          {
            en: `${counted(missing, 'text is', 'texts are')} not there, as after a kill`,
            zh: `缺少 ${missing} 段文本，如同进程被终止`,
          },
        ]
      : []),
  ];
  return {
    en: [`${counted(events, 'event')}, unbroken`, ...notes.map(({ en }) => en)].join('; '),
    zh: [`${events} 个事件，完整`, ...notes.map(({ zh }) => zh)].join('；'),
  };
}
