// Whether the owner's logs are as they were written: part of `doctor`.

import { inLanguage, type Text } from '../../base/language.ts';
import { counted } from '../../base/text/counted.ts';
import { verifyOwn } from '../own/read.ts';
import type { Runtime } from '../runtime.ts';
import type { MachineCheck } from './machine.ts';

export function checkOwnLog(runtime: Runtime): MachineCheck {
  const logs = verifyOwn(runtime);
  const events = logs.reduce((sum, log) => sum + log.events, 0);
  const ok = logs.every((log) => log.ok);
  const said: Text = ok
    ? { en: `${counted(events, 'event')} of your own commands, unbroken`, zh: `您自己命令的 ${events} 个事件，完整` }
    : {
        en: 'the record of your own commands was changed: skillwright log verify',
        zh: '您自己命令的记录被改动过: skillwright log verify',
      };
  return { name: 'log', ok, needed: true, detail: inLanguage(said, runtime.language) };
}
