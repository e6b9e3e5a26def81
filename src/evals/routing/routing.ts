// Measures the router on a labelled set: how often the right skill is among the first, and how often a wrong one wins.
import { buildRankIndex, type RankIndex } from '../../registry/rank/index.ts';
import { rank } from '../../registry/rank/rank.ts';
import { RANK_SETTINGS, type RankSettings } from '../../registry/rank/settings.ts';
import { bootstrapMean, type Interval, mean, quantile, wilson } from '../statistics.ts';
import { type RoutingNegative, type RoutingQuery, readRoutingSet } from './set.ts';

const DEPTHS = [1, 5, 10, 20] as const;
const DEEPEST = 20;
/** The rank cutoff of MRR. */
const MRR_DEPTH = 100;

export type RoutingMetric = 'recall@1' | 'recall@5' | 'recall@10' | 'recall@20' | 'mrr';

/** One request, measured. */
export interface QueryResult extends Readonly<Record<RoutingMetric, number>> {
  readonly id: string;
  readonly language: string;
  readonly relevant: readonly string[];
  readonly abstained: boolean;
  readonly milliseconds: number;
  /** The ten best, to measure the catalog they would fill. */
  readonly shortlist: readonly string[];
}

export interface RoutingReport {
  readonly pool: number;
  readonly queries: number;
  readonly negatives: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly by_language: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly intervals: Readonly<Record<string, Interval>>;
}

export interface RoutingOptions {
  readonly settings?: RankSettings;
  /** Tokens of the catalog of these skills; the size is not measured without it. */
  readonly catalogTokens?: (skills: readonly { name: string; description: string }[]) => number;
  /** Progress callback: called before each slow step, with the number of steps. */
  readonly onStep?: (step: RoutingStep, count: number) => void;
}

export type RoutingStep = 'index' | 'requests' | 'intervals';

export function evaluateRouting(folder: string, options: RoutingOptions = {}): RoutingReport {
  const set = readRoutingSet(folder);
  options.onStep?.('index', set.pool.length);
  const started = performance.now();
  const index = buildRankIndex(set.pool, options.settings ?? RANK_SETTINGS);
  const built = performance.now() - started;
  options.onStep?.('requests', set.queries.length + set.negatives.length);
  const results = measureQueries(index, set.queries);
  const wrong = measureNegatives(index, set.negatives);
  const byId = new Map(set.pool.map((document) => [document.id, document]));
  const catalogs = options.catalogTokens
    ? results.map(({ shortlist }) => options.catalogTokens?.(shortlist.flatMap((id) => byId.get(id) ?? [])) ?? 0)
    : [];
  options.onStep?.('intervals', results.length);
  return {
    pool: set.pool.length,
    queries: set.queries.length,
    negatives: set.negatives.length,
    metrics: {
      ...averages(results),
      near_miss: round(mean(wrong)),
      abstained: round(mean(results.map(({ abstained }) => Number(abstained)))),
      ...latency(results),
      build_ms: round(built),
      ...(catalogs.length > 0 && {
        catalog_tokens_max: Math.max(...catalogs),
        catalog_tokens_mean: round(mean(catalogs)),
      }),
    },
    by_language: byLanguage(results),
    intervals: intervals(results, wrong),
  };
}

export function measureQueries(index: RankIndex, queries: readonly RoutingQuery[]): QueryResult[] {
  for (const { query } of queries.slice(0, 50)) rank(index, query);
  return queries.map(({ id, query, relevant, language }) => {
    const started = performance.now();
    const { hits, abstained } = rank(index, query, { limit: DEEPEST });
    const milliseconds = performance.now() - started;
    const found = hits.map((hit) => hit.id);
    return {
      id,
      language,
      relevant,
      abstained,
      milliseconds,
      'recall@1': recall(found, relevant, 1),
      'recall@5': recall(found, relevant, 5),
      'recall@10': recall(found, relevant, 10),
      'recall@20': recall(found, relevant, 20),
      mrr: reciprocalRank(index, query, found, relevant),
      shortlist: found.slice(0, 10),
    };
  });
}

/** 1 for each request whose first hit is a skill that must not win. */
function measureNegatives(index: RankIndex, negatives: readonly RoutingNegative[]): number[] {
  return negatives.map(({ query, notRelevant }) => {
    const [first] = rank(index, query, { limit: 1 }).hits;
    return first && notRelevant.includes(first.id) ? 1 : 0;
  });
}

/** Recall at k, relative to what could be found there. */
function recall(found: readonly string[], relevant: readonly string[], k: number): number {
  const first = new Set(found.slice(0, k));
  return relevant.filter((id) => first.has(id)).length / Math.min(k, relevant.length);
}

function reciprocalRank(
  index: RankIndex,
  query: string,
  found: readonly string[],
  relevant: readonly string[],
): number {
  const near = found.findIndex((id) => relevant.includes(id));
  if (near >= 0) return 1 / (near + 1);
  const far = rank(index, query, { limit: MRR_DEPTH }).hits.findIndex((hit) => relevant.includes(hit.id));
  return far >= 0 ? 1 / (far + 1) : 0;
}

function averages(results: readonly QueryResult[]): Record<string, number> {
  const averaged: Record<string, number> = {};
  for (const depth of DEPTHS)
    averaged[`recall@${depth}`] = round(mean(results.map((result) => result[`recall@${depth}`])));
  averaged.mrr = round(mean(results.map(({ mrr }) => mrr)));
  return averaged;
}

function byLanguage(results: readonly QueryResult[]): Record<string, Record<string, number>> {
  const groups = Map.groupBy(results, ({ language }) => language);
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([language, group]) => [language, { queries: group.length, ...averages(group) }]),
  );
}

function intervals(results: readonly QueryResult[], wrong: readonly number[]): Record<string, Interval> {
  const found: Record<string, Interval> = {};
  for (const depth of DEPTHS) {
    found[`recall@${depth}`] = rounded(bootstrapMean(results.map((result) => result[`recall@${depth}`])));
  }
  found.mrr = rounded(bootstrapMean(results.map(({ mrr }) => mrr)));
  found.near_miss = rounded(wilson(wrong.filter(Boolean).length, wrong.length));
  return found;
}

function latency(results: readonly QueryResult[]): Record<string, number> {
  const sorted = Float64Array.from(results, ({ milliseconds }) => milliseconds).sort();
  return { p50_ms: round(quantile(sorted, 0.5)), p95_ms: round(quantile(sorted, 0.95)) };
}

function rounded({ low, high }: Interval): Interval {
  return { low: round(low), high: round(high) };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
