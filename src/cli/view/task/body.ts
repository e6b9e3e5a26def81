// What a task answered, as people read it: its result and what it wants analysed, or the question it waits with.
import { isRecord } from '../../../base/json.ts';
import type { Language, Text } from '../../../base/language.ts';
import type { InterruptedOutcome, Outcome, WaitingDecision } from '../../../base/outcome.ts';
import type { Terminal } from '../../../base/text/terminal.ts';
import { padEnd } from '../../../base/text.ts';
import { showText } from '../outcome-reply.ts';
import { skillTable } from './skill-table.ts';

/** How it ran is in --json; what is analysed stands below. */
const HIDDEN = new Set(['stdout', 'warnings', 'sandbox', 'analysis_prompt', 'changes', 'hidden', 'resume_command']);

/** Undefined where the summary says it all. */
export function taskBody(outcome: Outcome, language: Language, terminal: Terminal): string | undefined {
  const isDone = outcome.state === 'interrupted' && outcome.waitsFor === 'changes';
  if (outcome.state === 'interrupted' && !isDone)
    return outcome.decision && questionText(outcome.decision, outcome, language);
  if (outcome.state !== 'success' && outcome.state !== 'partial' && !isDone) return undefined;
  const { data, cached, product } = outcome;
  const answered = shownOf(isRecord(cached?.original) ? cached.original : data);
  const printed = product?.printed ?? skillTable(answered, language, terminal) ?? valueText(answered);
  const analysis = product?.analysis === undefined ? '' : `${LABELS.analysis[language]}\n${product.analysis}`;
  const parts = [printed.trimEnd(), analysis].filter((part) => part !== '');
  return parts.length > 0 ? showText(parts.join('\n\n')) : undefined;
}

function shownOf(data: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !HIDDEN.has(name)));
}

function valueText(data: object): string {
  return Object.keys(data).length > 0 ? JSON.stringify(data, undefined, 2) : '';
}

const LABELS = {
  id: { en: 'id', zh: 'id' },
  skills: { en: 'skills', zh: '技能' },
  question: { en: 'question', zh: '问题' },
  choices: { en: 'choices', zh: '可选' },
  expires: { en: 'until', zh: '有效期至' },
  note: { en: 'note', zh: '说明' },
  analysis: { en: 'for a model to analyse:', zh: '需 LLM 二次分析:' },
} as const satisfies Record<string, Text>;

/** Everything a person needs to decide; the command that decides stands in the hint. */
function questionText(
  { id, items, choices, expires, analysis = '' }: WaitingDecision,
  { question = '', note = '' }: InterruptedOutcome,
  language: Language,
): string {
  const rows: [keyof typeof LABELS, string][] = [
    ['id', id],
    ['skills', items.join(', ')],
    ['question', question],
    ['choices', choices.join(' | ')],
    ['expires', expires],
    ['note', note],
    ['analysis', analysis],
  ];
  const said = rows.filter(([, value]) => value !== '');
  return showText(said.map(([name, value]) => `  ${padEnd(LABELS[name][language], 10)} ${value}`).join('\n'));
}
