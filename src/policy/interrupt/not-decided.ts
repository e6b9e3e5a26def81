// Why an answer decided nothing, and what to do instead.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { DecidedInterrupt } from './interrupt.ts';

type NotDecided = DecidedInterrupt & { ok: false };
type Why = NotDecided['why'];

const GONE: Text = {
  en: '`skillwright interrupts` lists the open questions.',
  zh: '`skillwright interrupts` 列出待决问题。',
};
const OUTDATED: Text = {
  en: 'Nothing was done. Run the command that asked once more: it asks about what is there now.',
  zh: '未执行任何操作。请重新运行原命令，将就当前内容再次询问。',
};
const WRONG: Text = {
  en: '`skillwright interrupts` shows what is asked and the choices.',
  zh: '`skillwright interrupts` 显示所询问的项目与可选项。',
};

const REMEDIES = {
  missing: { type: 'DataNotFound', hint: GONE },
  answered: { type: 'AlreadyExists', hint: GONE },
  expired: { type: 'DataNotFound', hint: GONE },
  changed: { type: 'IntegrityMismatch', hint: OUTDATED },
  undecided: { type: 'InvalidArgs', hint: WRONG },
  unknown: { type: 'InvalidArgs', hint: WRONG },
} as const satisfies Record<Why, unknown>;

/** `dismissible`: a no to the whole question removes it. */
export function notDecided(
  id: string,
  { why, asked }: Pick<NotDecided, 'why' | 'asked'>,
  { dismissible = false } = {},
): Fault {
  const reasons: Record<Why, Text> = {
    missing: {
      en: `there is no open question ${id}: it was answered already, or never asked`,
      zh: `没有待决问题 ${id}: 已被回答，或从未提出`,
    },
    answered: { en: `another answer to ${id}, given at the same time`, zh: `${id} 已由同时给出的另一回答决定` },
    expired: { en: `the question ${id} has expired`, zh: `问题 ${id} 已过期` },
    changed: { en: `what ${id} asks about has changed since`, zh: `${id} 所涉内容已更改` },
    undecided: { en: `${id}: not everything was decided`, zh: `${id}: 尚有未决项` },
    unknown: { en: `${id}: an item or answer that was not asked for`, zh: `${id}: 含有未询问的项目或答案` },
  };
  const { type, hint: remedy } = REMEDIES[why];
  const hint = asked ? whatCouldBeSaid(asked) : remedy;
  const dismiss = `\`skillwright resume ${id} --decide deny\``;
  const more: Text = dismissible
    ? { en: ` ${dismiss} dismisses this question.`, zh: `${dismiss} 可放弃此问题。` }
    : { en: '', zh: '' };
  const isOpen = why === 'changed' || why === 'undecided' || why === 'unknown';
  return new Fault(type, reasons[why], { hint: isOpen ? { en: hint.en + more.en, zh: hint.zh + more.zh } : hint });
}

function whatCouldBeSaid({ items, choices }: NonNullable<NotDecided['asked']>): Text {
  const [all, list] = [choices, items].map((some) => some.map(visible).join(', '));
  if (items.length === 1) return { en: `The choices are ${all}.`, zh: `可选项: ${all}。` };
  return {
    en: `For each of ${list}, as item=choice, one of ${all}.`,
    zh: `${list} 各写一个 项目=选择，可选项: ${all}。`,
  };
}

/** The payload cannot be read: nothing is decided by it. */
export function damagedQuestion(id: string): Fault {
  const detail = { en: `the saved question ${id} is damaged`, zh: `已保存的问题 ${id} 已损坏` };
  return new Fault('StateUnusable', detail, { hint: OUTDATED });
}
