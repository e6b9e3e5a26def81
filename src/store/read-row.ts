// Workers and what jobs need of them, as rows of either database.
import type { JobNeed, WorkerSeen } from './queue.ts';

type WorkerRow = Readonly<Record<string, unknown>>;

export function toWorker(row: WorkerRow): WorkerSeen {
  const digests = readList(row.digests);
  return {
    id: String(row.id),
    host: String(row.host),
    pid: Number(row.pid),
    labels: readList(row.labels) ?? [],
    capacity: Number(row.capacity),
    running: Number(row.running),
    startedAt: Number(row.started_at),
    seenAt: Number(row.seen_at),
    ...(digests && { digests }),
  };
}

export function toNeed({ digest, labels, jobs }: WorkerRow): JobNeed {
  const wanted = readList(labels);
  return { jobs: Number(jobs), ...(typeof digest === 'string' && { digest }), ...(wanted && { labels: wanted }) };
}

function readList(value: unknown): string[] | undefined {
  return typeof value === 'string' ? (JSON.parse(value) as string[]) : undefined;
}
