// How the worker says that a person, or a model, has to decide first.
import type { Text } from '../base/language.ts';
import type { WaitingDecision } from '../base/outcome.ts';
import type { Interrupt } from '../store/interrupt-store.ts';

export function pausedFor(count: number): Text {
  return {
    en: `paused: ${count} ${count === 1 ? 'skill needs' : 'skills need'} a decision`,
    zh: `工作流已暂停: ${count} 个技能需 LLM 分析`,
  };
}

/** What is asked, for whoever shows it. */
export function decisionOf({ id, items, choices, expires }: Omit<Interrupt, 'payload'>): WaitingDecision {
  return { id, items, choices, expires: new Date(expires).toISOString() };
}
