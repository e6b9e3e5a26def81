// Judges mutants: first the tests of their rules run unchanged, then with each change in turn, several trees at a time.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeTree } from '../../src/base/files.ts';
import type { Mutant } from '../../test/mutants/mutant.ts';
import { type Claim, claimsOf } from '../rule/claim.ts';
import { runTests, type TestRun } from './run-tests.ts';
import { whyUnsound } from './sound.ts';
import { change, makeTree, type Tree } from './tree.ts';
import { judgeRun, type Verdict, whyUseless } from './verdict.ts';

export interface Order {
  readonly root: string;
  readonly mutants: readonly Mutant[];
  readonly claims: readonly Claim[];
  /** How many at a time. */
  readonly width: number;
  /** Shorter in tests of this. */
  readonly limitMs?: number;
  say?(line: string): void;
}

/** A machine that does other things, too, takes ten times as long. */
const LIMIT_MS = 120_000;
const PATIENCE = 10;

type Controls = ReadonlyMap<string, TestRun>;

/** In the order of the mutants. */
export async function judgeMutants(order: Order): Promise<Verdict[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'swm-'));
  chmodSync(folder, 0o755);
  const remove = () => removeTree(folder);
  process.on('exit', remove);
  try {
    const trees = Array.from({ length: order.width }, (_, index) => makeTree(order.root, folder, String(index)));
    const controls = await runControls(order, trees);
    let done = 0;
    return await inTrees(trees, order.mutants, async (tree, mutant) => {
      const verdict = await judge(tree, mutant, order, controls);
      done += 1;
      order.say?.(
        `[${done}/${order.mutants.length}] ${mutant.rule} ${verdict.result} (${verdict.seconds.toFixed(0)} s)`,
      );
      return verdict;
    });
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Each file once, with the tests of all rules that are asked for. */
async function runControls(order: Order, trees: readonly Tree[]): Promise<Controls> {
  const rules = new Set(order.mutants.map(({ rule }) => rule));
  const wanted = [...rules].flatMap((rule) => testsOf(rule, order.claims));
  const files = [...Map.groupBy(wanted, ({ file }) => file)];
  let done = 0;
  const runs = await inTrees(trees, files, async (tree, [file, tests]) => {
    const patterns = [...new Set(tests.map(({ pattern }) => pattern))];
    const run = await runTests(tree, { file, patterns, limitMs: PATIENCE * (order.limitMs ?? LIMIT_MS) });
    done += 1;
    order.say?.(`[${done}/${files.length}] unchanged: ${file} (${run.seconds.toFixed(0)} s)`);
    return [file, run] as const;
  });
  return new Map(runs);
}

async function judge(tree: Tree, mutant: Mutant, order: Order, controls: Controls): Promise<Verdict> {
  const startedAt = performance.now();
  const end = (found: Omit<Verdict, 'mutant' | 'seconds'>): Verdict => ({
    mutant,
    ...found,
    seconds: (performance.now() - startedAt) / 1000,
  });
  const tests = testsOf(mutant.rule, order.claims);
  const useless = whyUnusable(tests, controls);
  if (useless) return end({ result: 'broken', by: useless });
  const takeBack = change(tree, mutant);
  try {
    const unsound = whyUnsound(tree.root, mutant.file);
    if (unsound) return end({ result: 'broken', by: unsound });
    return end(await runFiles(tree, tests, controls, order.limitMs ?? LIMIT_MS));
  } finally {
    takeBack();
  }
}

/** The quickest first; one test that fails is enough. */
async function runFiles(
  tree: Tree,
  tests: readonly RuleTest[],
  controls: Controls,
  limitMs: number,
): Promise<Omit<Verdict, 'mutant' | 'seconds'>> {
  const secondsOf = (file: string) => controls.get(file)?.seconds ?? 0;
  const files = [...Map.groupBy(tests, ({ file }) => file)].sort(([a], [b]) => secondsOf(a) - secondsOf(b));
  let broken: Omit<Verdict, 'mutant' | 'seconds'> | undefined;
  for (const [file, those] of files) {
    const patterns = those.map(({ pattern }) => pattern);
    const limit = limitMs + PATIENCE * 1000 * secondsOf(file);
    const found = judgeRun(await runTests(tree, { file, patterns, limitMs: limit }), file);
    if (found?.result === 'killed') return found;
    broken ??= found;
  }
  return broken ?? { result: 'survived', by: files.map(([file]) => file).join(', ') };
}

interface RuleTest {
  readonly file: string;
  readonly pattern: string;
}

function testsOf(rule: string, claims: readonly Claim[]): RuleTest[] {
  return claimsOf(rule, claims).flatMap(({ files, pattern }) => files.map((file) => ({ file, pattern })));
}

function whyUnusable(tests: readonly RuleTest[], controls: Controls): string | undefined {
  if (tests.length === 0) return 'no test carries its id';
  const reasons = [...Map.groupBy(tests, ({ file }) => file)].map(([file, those]) => {
    const run = controls.get(file);
    const patterns = those.map(({ pattern }) => pattern);
    return run ? whyUseless(run, patterns) : 'it was not run unchanged';
  });
  const isShown = reasons.includes(undefined);
  return reasons.find((reason) => reason?.startsWith('fails') || (!isShown && reason !== undefined));
}

async function inTrees<Item, Result>(
  trees: readonly Tree[],
  items: readonly Item[],
  work: (tree: Tree, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const serve = async (tree: Tree) => {
    for (const [index, item] of waiting) results[index] = await work(tree, item);
  };
  await Promise.all(trees.map(serve));
  return results;
}
