// The preflight of one skill: everything it needs, whether it is there and granted, and the one command that mends it.
import { type Diagnostic, type SpokenDiagnostic, speak } from '../../base/diagnostic.ts';
import type { Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { counted } from '../../base/text/counted.ts';
import { calledName } from '../../registry/called-name.ts';
import { findTarget } from '../find-target.ts';
import { searchNeeds } from '../need/find.ts';
import { judgeAll } from '../need/judge.ts';
import { packageDiagnostics } from '../need/package-state.ts';
import { isOpen, type JudgedNeed } from '../need/state.ts';
import { describeNeed } from '../need/view.ts';
import type { Runtime } from '../runtime.ts';

export interface Preflight {
  readonly outcome: Outcome;
  readonly needs: readonly JudgedNeed[];
  readonly diagnostics: readonly SpokenDiagnostic[];
}

/** Partial where something is missing or not granted: the skill may still do some of its work. */
export async function preflight(runtime: Runtime, written: string, source?: string): Promise<Preflight> {
  const { skill } = await findTarget(written, source, runtime);
  const found = await searchNeeds(skill, runtime);
  const needs = await judgeAll(found, skill, runtime);
  const odd = [...skill.diagnostics, ...found.diagnostics, ...packageDiagnostics(skill, found.packages)];
  const diagnostics = speak(brokenOf(odd), runtime.language);
  const isReady = !needs.some(isOpen);
  const data = { skill: skill.skillId, needs: needs.map(describeNeed), diagnostics };
  const summary = summarize(calledName(skill), needs);
  const by = runtime.answering('skillwright', 'own');
  return { outcome: makeOutcome(by, isReady ? 'success' : 'partial', summary, data), needs, diagnostics };
}

function brokenOf(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity !== 'info');
}

function summarize(name: string, needs: readonly JudgedNeed[]): Text {
  const missing = needs.filter((need) => need.state === 'missing' && isOpen(need)).length;
  const asked = needs.filter(({ state }) => state === 'not-granted').length;
  if (missing + asked === 0)
    return { en: `${name} has all it needs (${needs.length})`, zh: `${name} 所需一应俱全（${needs.length} 项）` };
  return {
    en: `${name} needs ${counted(needs.length, 'thing')}: ${missing} missing, ${asked} not granted`,
    zh: `${name} 需要 ${needs.length} 项: 缺失 ${missing} 项，未授予 ${asked} 项`,
  };
}
