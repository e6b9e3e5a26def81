// How the worker says that a person, or a model, has to decide first.
import type { Text } from '../base/language.ts';

export function pausedFor(count: number): Text {
  return {
    en: `paused: ${count} ${count === 1 ? 'skill needs' : 'skills need'} a decision`,
    zh: `工作流已暂停: ${count} 个技能需 LLM 分析`,
  };
}
