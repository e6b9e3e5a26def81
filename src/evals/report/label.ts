// The labels of a report in both languages.
import type { Language, Text } from '../../base/language.ts';
import { reasonIn } from './reason.ts';

const LABELS = {
  title: { en: 'Eval', zh: '评测' },
  passed: { en: 'passed', zh: '通过' },
  failed: { en: 'failed', zh: '失败' },
  error: { en: 'broke', zh: '出错' },
  skipped: { en: 'not judged', zh: '未判定' },
  suspect: { en: 'suspect', zh: '可疑' },
  incomplete: { en: 'incomplete', zh: '不完整' },
  regressed: { en: 'regressed', zh: '退化' },
  improved: { en: 'improved', zh: '改进' },
  inconclusive: { en: 'inconclusive', zh: '无定论' },
  worse: { en: 'worse', zh: '变差' },
  better: { en: 'better', zh: '变好' },
  skip: { en: 'Skip to the cases', zh: '跳到用例' },
  suspicions: { en: 'This harness is suspect', zh: '评测本身可疑' },
  baseline: { en: 'Against the baseline', zh: '与基线比较' },
  compared: { en: 'cases on both sides', zh: '个用例可比较' },
  unchanged: { en: 'No case changed.', zh: '没有用例发生变化。' },
  added: { en: 'New cases', zh: '新增用例' },
  removed: { en: 'Cases that are gone', zh: '已移除的用例' },
  unusable: { en: 'Broke or skipped on one side', zh: '某一侧出错或未判定' },
  case: { en: 'case', zh: '用例' },
  before: { en: 'before', zh: '之前' },
  after: { en: 'after', zh: '之后' },
  change: { en: 'change', zh: '变化' },
  rates: { en: 'Rates', zh: '通过率' },
  rates_note: {
    en: 'The mark is what was measured, the band where it lies with 95 % confidence.',
    zh: '竖线为测得值，色带为 95 % 置信区间。',
  },
  cases: { en: 'cases', zh: '用例' },
  attempts: { en: 'attempts', zh: '运行' },
  abstention: { en: 'abstention', zh: '不选技能' },
  sequence: { en: 'steps', zh: '步骤' },
  output: { en: 'output', zh: '输出' },
  of: { en: 'of', zh: '共' },
  triggers: { en: 'Choosing skills', zh: '技能选择' },
  skill: { en: 'skill', zh: '技能' },
  precision: { en: 'precision', zh: '精确率' },
  recall: { en: 'recall', zh: '召回率' },
  right: { en: 'right', zh: '正确' },
  wrong: { en: 'wrong', zh: '误选' },
  missed: { en: 'missed', zh: '漏选' },
  rightly_not: { en: 'rightly not', zh: '正确未选' },
  collisions: { en: 'Who took it', zh: '谁抢走了请求' },
  collisions_note: {
    en: 'Rows: the skill a request wants. Columns: the skill that was chosen.',
    zh: '行: 请求所需的技能。列: 实际选择的技能。',
  },
  none: { en: '(none)', zh: '（无）' },
  cost: { en: 'Cost', zh: '开销' },
  tokens: { en: 'tokens', zh: '词元' },
  tool_calls: { en: 'tool calls', zh: '工具调用' },
  turns: { en: 'turns', zh: '轮次' },
  milliseconds: { en: 'milliseconds', zh: '毫秒' },
  money: { en: 'money', zh: '费用' },
  total: { en: 'total', zh: '合计' },
  uncovered: { en: 'Skills without a case', zh: '没有用例的技能' },
  all_cases: { en: 'Cases', zh: '全部用例' },
  words: { en: 'Words', zh: '关键词' },
  words_hint: { en: 'name, request or tag', zh: '名称、请求或标签' },
  state: { en: 'State', zh: '状态' },
  all: { en: 'all', zh: '全部' },
  changed: { en: 'Only what changed', zh: '仅显示有变化的' },
  none_fits: { en: 'No case fits.', zh: '没有符合的用例。' },
  run: { en: 'Run', zh: '运行' },
  step: { en: 'step', zh: '步骤' },
  status: { en: 'status', zh: '结果' },
  arguments: { en: 'arguments', zh: '参数' },
  request: { en: 'Request', zh: '请求' },
  answer: { en: 'Answer', zh: '回答' },
  diff: { en: 'Steps against the baseline', zh: '步骤与基线的差异' },
  same_steps: { en: 'The same steps as before.', zh: '步骤与之前相同。' },
  no_steps: { en: 'No step was taken.', zh: '没有执行任何步骤。' },
} as const satisfies Record<string, Text>;

export type Label = keyof typeof LABELS;
export interface Say {
  (label: Label): string;
  /** Why a case failed. */
  reason(english: string): string;
}

export function speak(language: Language): Say {
  const say = (label: Label) => LABELS[label][language];
  return Object.assign(say, { reason: (english: string) => reasonIn(language, english) });
}
