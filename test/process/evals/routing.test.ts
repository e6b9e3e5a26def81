// The router on thousands of real skills: what it promises, and that the gain over a plain ranking is real.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import {
  evaluateRouting,
  measureQueries,
  type QueryResult,
  type RoutingMetric,
} from '../../../src/evals/routing/routing.ts';
import { type RoutingSet, readRoutingSet } from '../../../src/evals/routing/set.ts';
import {
  bootstrapClusters,
  bootstrapMean,
  differences,
  mean,
  pairedBootstrap,
  randomNumbers,
} from '../../../src/evals/statistics.ts';
import { buildRankIndex } from '../../../src/registry/rank/index.ts';
import { PLAIN_SETTINGS, RANK_SETTINGS, type RankSettings } from '../../../src/registry/rank/settings.ts';
import { dataFolder, isLong } from '../../support/support.ts';

const METRICS: readonly RoutingMetric[] = ['recall@1', 'recall@5', 'recall@10', 'recall@20', 'mrr'];
const FOLDS = 5;

test('the router reaches its targets on real skills and requests', (t) => {
  const data = dataFolder(t);
  if (!data) return;
  const { metrics, by_language, intervals } = evaluateRouting(path.join(data, 'routing'));
  t.diagnostic(JSON.stringify({ metrics, by_language, intervals }));
  const least = { 'recall@1': 0.68, 'recall@5': 0.86, 'recall@10': 0.9, 'recall@20': 0.915 };
  for (const [metric, target] of Object.entries(least)) assert.ok((metrics[metric] ?? 0) >= target, metric);
  assert.ok((by_language.zh?.['recall@10'] ?? 0) >= 0.85, 'Chinese recall@10');
  assert.ok((metrics.near_miss ?? 1) <= 0.27, 'near misses');
});

test('the gain over plain BM25F with grams is real: over requests, over skills, and without any one fold', (t) => {
  const data = dataFolder(t);
  if (!data) return;
  if (!isLong()) return t.diagnostic('not run: only in the long run');
  const set = readRoutingSet(path.join(data, 'routing'));
  const plain = measure(set, PLAIN_SETTINGS);
  const full = measure(set, RANK_SETTINGS);
  const bySkill = skillFolds(set);
  const byChance = set.queries.map((_, at) => Math.floor(randomNumbers(at + 1)() * FOLDS));
  for (const metric of METRICS) {
    const before = plain.map((result) => result[metric]);
    const after = full.map((result) => result[metric]);
    const gains = differences(before, after);
    const groups = Map.groupBy(gains.keys(), (at) => set.queries[at]?.relevant[0]);
    const clusters = [...groups.values()].map((members) => members.map((at) => gains[at] ?? 0));
    const paired = pairedBootstrap(before, after);
    const clustered = bootstrapClusters(clusters);
    t.diagnostic(`${metric}: ${mean(before)} → ${mean(after)}, paired ${show(paired)}, by skill ${show(clustered)}`);
    assert.ok(paired.low > 0, `${metric} over requests`);
    assert.ok(clustered.low > 0, `${metric} over skills`);
    for (const folds of [byChance, bySkill]) {
      for (let fold = 0; fold < FOLDS; fold++) {
        const others = bootstrapMean(gains.filter((_, at) => folds[at] !== fold));
        assert.ok(others.low > 0, `${metric} without fold ${fold}: ${show(others)}`);
      }
    }
  }
});

function measure(set: RoutingSet, settings: RankSettings): QueryResult[] {
  return measureQueries(buildRankIndex(set.pool, settings), set.queries);
}

/** All requests for one skill are in one fold. */
function skillFolds(set: RoutingSet): number[] {
  const random = randomNumbers(3);
  const skills = [...new Set(set.queries.map(({ relevant }) => relevant[0]))].sort();
  const foldOf = new Map(skills.map((skill) => [skill, Math.floor(random() * FOLDS)]));
  return set.queries.map(({ relevant }) => foldOf.get(relevant[0]) ?? 0);
}

function show({ low, high }: { low: number; high: number }): string {
  return `[${low.toFixed(4)}, ${high.toFixed(4)}]`;
}
