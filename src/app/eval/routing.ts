// How well the router finds the right skill, measured on a labelled set.
import path from 'node:path';
import type { Text } from '../../base/language.ts';
import { makeOutcome, type Outcome } from '../../base/outcome.ts';
import { evaluateRouting, type RoutingReport, type RoutingStep } from '../../evals/routing/routing.ts';
import { renderCatalog } from '../../loader/catalog.ts';
import { skillIdOf } from '../../skill/skill-id.ts';
import type { Runtime } from '../runtime.ts';

export interface MeasuredRouting {
  readonly outcome: Outcome;
  readonly report: RoutingReport;
}

export function measureRouting(
  folder: string,
  runtime: Runtime,
  onStep: (step: RoutingStep, count: number) => void,
): MeasuredRouting {
  const report = evaluateRouting(path.resolve(folder), { catalogTokens, onStep });
  const by = runtime.answering('skillwright', 'own');
  return { outcome: makeOutcome(by, 'success', summarize(report), { ...report }), report };
}

/** The catalog a model would get of these skills. */
function catalogTokens(skills: readonly { name: string; description: string }[]): number {
  const entries = skills.map(({ name, description }, at) => ({
    skillId: skillIdOf('project', String(at)),
    name,
    source: 'project' as const,
    state: 'visible' as const,
    manifest: { description, disableModelInvocation: false },
  }));
  return renderCatalog(entries, { shortlist: () => entries.map(({ skillId }) => skillId) }).tokens;
}

function summarize({ pool, queries, metrics }: RoutingReport): Text {
  const recall = (metrics['recall@10'] ?? 0).toFixed(3);
  return {
    en: `recall@10 ${recall} over ${queries} requests and ${pool} skills`,
    zh: `recall@10 ${recall}: ${queries} 个请求, ${pool} 个技能`,
  };
}
