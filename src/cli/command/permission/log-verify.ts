// `log verify`: is the record of a person's own commands still what was written?

import { acceptBreaks, type VerifiedLog, verifyOwn } from '../../../app/own/read.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { sayBroken } from '../../../app/view/broken-reason.ts';
import { Fault } from '../../../base/errors.ts';
import type { Language, Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { paint, type Terminal } from '../../../base/text/terminal.ts';
import { type Command, isOn, type Reply } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'Finds edited, removed, moved and added events, a cut end, and a log or a part of it that is gone. Exit code 1 when it was changed. The seal is made with a key under home: whoever owns that key could rewrite history.',
    zh: '可发现被修改、删除、移动、添加的事件、被截断的结尾以及消失的日志或其中一段。被改动时退出码为 1。封印所用密钥在主目录下：持有者可以重写历史。',
  },
  positionals: [],
  options: [
    {
      name: 'accept',
      summary: {
        en: 'record that you have seen the breaks there are, so that only new ones are reported',
        zh: '记录您已看到现有的断裂，此后只报告新的断裂',
      },
    },
  ],
  examples: ['skillwright log verify', 'skillwright log verify --json', 'skillwright log verify --accept'],
  async run({ options, runtime, terminal }) {
    if (isOn(options, 'accept')) acceptBreaks(runtime, verifyOwn(runtime));
    return answer(verifyOwn(runtime), runtime, terminal);
  },
};

function answer(logs: readonly VerifiedLog[], runtime: Runtime, terminal: Terminal): Reply {
  const by = runtime.answering('skillwright', 'own');
  const ok = logs.every((log) => log.ok);
  const events = logs.reduce((sum, log) => sum + log.events, 0);
  const data = { ok, events, logs: logs.map(describe) };
  const human = logs.flatMap((log) => renderLog(log, runtime.language, terminal)).join('\n');
  if (ok) return { outcome: makeOutcome(by, 'success', countWhole(events), data), human };
  const changed: Text = { en: 'the record of your own commands was changed', zh: '您自己命令的记录被改动过' };
  return { outcome: failedOutcome(by, new Fault('CheckFailed', changed), data), human, hint: HINT[runtime.language] };
}

const HINT: Text = {
  en: 'Events before a break are as they were written. Look at what counts now (`skillwright grants list`, `keys list`, `trust --show`, `verify`) and take back what you do not know; then `skillwright log verify --accept` records that you have seen it, and the log goes on.',
  zh: '断裂之前的事件与写入时一致。请查看当前生效的内容（`skillwright grants list`、`keys list`、`trust --show`、`verify`），撤销不认识的部分；然后用 `skillwright log verify --accept` 记录您已看到，日志继续。',
};

function describe({ log, folder, ok, events, breaks }: VerifiedLog) {
  const found = breaks.map(({ part, broken_at, why, accepted }) => ({
    part,
    broken_at,
    why,
    accepted: accepted ?? null,
  }));
  return { log, path: folder, ok, events, breaks: found };
}

function renderLog({ log, ok, events, breaks }: VerifiedLog, language: Language, terminal: Terminal): string[] {
  const mark = ok ? paint('✓', 'green', terminal) : paint('✗', 'red', terminal);
  const head: Text = { en: `${log}: ${counted(events, 'event')}`, zh: `${log}: ${events} 个事件` };
  const lines = breaks.map(({ part, broken_at, why, accepted }) => {
    const reason = sayBroken(why);
    const where: Text = {
      en: `  part ${part}, event ${broken_at}: ${reason.en}`,
      zh: `  第 ${part} 段事件 ${broken_at}: ${reason.zh}`,
    };
    const seen: Text =
      accepted === undefined ? { en: '', zh: '' } : { en: ` (accepted ${accepted})`, zh: `（${accepted} 已接受）` };
    return where[language] + seen[language];
  });
  return [`${mark} ${head[language]}`, ...lines];
}

function countWhole(events: number): Text {
  if (events === 0) return { en: 'nothing recorded yet', zh: '尚无记录' };
  return { en: `${counted(events, 'event')}, unbroken`, zh: `${events} 个事件，完整` };
}
