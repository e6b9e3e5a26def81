// Words of the worker around decisions: that one is needed, and why none was made.
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import type { Decided } from '../policy/interrupt.ts';

export function pausedFor(count: number): Text {
  return {
    en: `paused: ${count} ${count === 1 ? 'skill needs' : 'skills need'} a decision`,
    zh: `工作流已暂停: ${count} 个技能需 LLM 分析`,
  };
}

export function notDecided(id: string, why: (Decided & { ok: false })['why']): Fault {
  const reasons = {
    missing: { en: `there is no open question ${id}`, zh: `没有待决问题 ${id}` },
    expired: { en: `the question ${id} has expired`, zh: `问题 ${id} 已过期` },
    changed: { en: `what ${id} asks about has changed since`, zh: `${id} 所涉内容已更改` },
    undecided: { en: `${id}: not everything was decided`, zh: `${id}: 尚有未决项` },
    unknown: { en: `${id}: an item or answer that was not asked for`, zh: `${id}: 含有未询问的项目或答案` },
  };
  const types = {
    missing: 'DataNotFound',
    expired: 'DataNotFound',
    changed: 'IntegrityMismatch',
    undecided: 'InvalidArgs',
    unknown: 'InvalidArgs',
  } as const;
  return new Fault(types[why], reasons[why], {
    hint: { en: '`skillwright interrupts` lists the open questions.', zh: '`skillwright interrupts` 列出待决问题。' },
  });
}
