// Attempts on the guards as `doctor` tells them.

import { Fault } from '../../base/errors.ts';
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { counted } from '../../base/text/counted.ts';
import { renderTable, type Terminal } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';
import type { GuardResult } from './attempt.ts';

/** The failure to report when an attempt got past a guard; every guard is promised everywhere. */
export function judgeGuards(results: readonly GuardResult[]): Fault | undefined {
  const passed = results.filter(({ ended }) => ended === 'through').map(({ probe }) => probe);
  if (passed.length === 0) return undefined;
  const list = passed.join(', ');
  const detail = {
    en: `${counted(passed.length, 'attempt')} got past a guard: ${list}`,
    zh: `${passed.length} 次尝试绕过了防护: ${list}`,
  };
  const hint = {
    en: 'This copy of skillwright was changed or is damaged: reinstall it with npm install -g skillwright.',
    zh: '此 skillwright 副本已被改动或损坏: 请用 npm install -g skillwright 重新安装。',
  };
  return new Fault('CheckFailed', detail, { hint });
}

export function countGuards(results: readonly GuardResult[]): Text {
  const stopped = results.filter(({ ended }) => ended === 'stopped').length;
  const untried = results.filter(({ ended }) => ended === 'untried').length;
  const rest = untried === 0 ? { en: '', zh: '' } : { en: `, ${untried} not tried`, zh: `，未尝试 ${untried}` };
  return {
    en: `${counted(results.length, 'attempt')} on guards: ${stopped} stopped${rest.en}`,
    zh: `${results.length} 次针对防护的尝试: 阻止 ${stopped}${rest.zh}`,
  };
}

const MARKS: Record<GuardResult['ended'], Text> = {
  stopped: { en: '✓ stopped', zh: '✓ 已阻止' },
  through: { en: '✗ GOT THROUGH', zh: '✗ 突破' },
  untried: { en: '– not tried', zh: '– 未尝试' },
};

export function renderGuards(results: readonly GuardResult[], language: Language, terminal: Terminal): string {
  const rows = results.map(({ probe, ended, why }) => {
    const mark = inLanguage(MARKS[ended], language);
    return [probe, why === undefined ? mark : `${mark}: ${visible(why)}`];
  });
  return renderTable(
    [{ title: 'PROBE', style: 'cyan' }, { title: inLanguage({ en: 'RESULT', zh: '结果' }, language) }],
    rows,
    terminal,
  );
}
