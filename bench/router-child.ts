// One process of suite-router.ts: loads the index that is on disk, answers requests, and prints its figures.
import { createRuntime } from '../src/app/runtime.ts';
import { renderCatalog } from '../src/loader/catalog.ts';

export interface RouterOrder {
  readonly project: string;
  readonly home: string;
  readonly requests: readonly string[];
}

export interface RouterFigures {
  readonly loadMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly catalogTokens: number;
}

const WARM_UP = 50;

if (process.argv[2] !== undefined) process.stdout.write(JSON.stringify(await work(JSON.parse(process.argv[2]))));

async function work({ project, home, requests }: RouterOrder): Promise<RouterFigures> {
  const runtime = await createRuntime({ project, home });
  const index = runtime.index();
  const search = await runtime.searchIndex(index, 'read');
  const loadMs = time(() => search.refresh());
  for (const request of requests.slice(0, WARM_UP)) search.search(request);
  const times = requests.map((request) => time(() => search.search(request))).sort((a, b) => a - b);
  const catalogs = requests.slice(0, 20).map((request) => {
    return renderCatalog(index.skills, { shortlist: () => search.shortlist(request) }).tokens;
  });
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
  return { loadMs, p50Ms: at(0.5), p95Ms: at(0.95), catalogTokens: Math.max(...catalogs) };
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
