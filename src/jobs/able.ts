// Which workers can take a job, by its labels and the files it is pinned to, and why none can.
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { Job, JobNeed, Queue, WorkerSeen } from '../store/queue.ts';

type Need = Pick<Job, 'digest' | 'labels'>;
type Worker = Pick<WorkerSeen, 'labels' | 'digests'>;

/** A worker sends a heartbeat every 5 seconds. */
const SILENT_MS = 15_000;

export function isAlive({ seenAt }: Pick<WorkerSeen, 'seenAt'>, now: number): boolean {
  return now - seenAt < SILENT_MS;
}

/** A worker that does not list its files can run any. */
export function hasFiles({ digests }: Pick<WorkerSeen, 'digests'>, digest: string | undefined): boolean {
  return digest === undefined || digests === undefined || digests.includes(digest);
}

/** What no live worker has, and the command that mends it. */
export interface Lack {
  readonly says: Text;
  readonly command: string;
}

/** Undefined where a live worker can take it, now or when it has capacity. */
export function whatLacks({ digest, labels = [] }: Need, alive: readonly Worker[]): Lack | undefined {
  const labelled = alive.filter((worker) => labels.every((label) => worker.labels.includes(label)));
  if (labelled.some((worker) => hasFiles(worker, digest))) return undefined;
  const list = visible(labels.join(', '));
  const command = ['skillwright start', ...labels.map((label) => `--label ${visible(label)}`)].join(' ');
  if (alive.length === 0) return { says: { en: 'no worker is there', zh: '没有执行者' }, command };
  if (labelled.length === 0)
    return {
      says: {
        en: `no live worker has the labels it asks for (${list})`,
        zh: `没有在线的执行者具有所需标签（${list}）`,
      },
      command,
    };
  const those = labels.length === 0 ? { en: '', zh: '' } : { en: ` with ${list}`, zh: `（标签 ${list}）` };
  return {
    says: {
      en: `no live worker${those.en} has the files it is pinned to, nor a pack of them; where they are`,
      zh: `没有在线的执行者${those.zh}具有其固定的文件，也没有对应的包；请在有文件处运行`,
    },
    command: 'skillwright jobs publish',
  };
}

/** The same in one sentence. */
export function whyNobody(need: Need, alive: readonly Worker[]): Text | undefined {
  const lack = whatLacks(need, alive);
  return lack && { en: `${lack.says.en}: ${lack.command}`, zh: `${lack.says.zh}: ${lack.command}` };
}

export interface Unmet extends JobNeed {
  readonly why: Text;
}

/** What queued jobs need and no live worker has. */
export async function unmetNeeds(queue: Pick<Queue, 'needs' | 'workers'>, now: number): Promise<Unmet[]> {
  const alive = (await queue.workers()).filter((worker) => isAlive(worker, now));
  return (await queue.needs()).flatMap((need) => {
    const why = whyNobody(need, alive);
    return why ? [{ ...need, why }] : [];
  });
}

/** Why a queued job is not started, unless it is only not due yet. */
export async function whyNotBegun(queue: Queue, job: Job, now: number): Promise<Text | undefined> {
  if (job.state !== 'queued') return undefined;
  if ((await queue.stats()).paused) return { en: 'the queue is paused', zh: '队列已暂停' };
  return whyNobody(
    job,
    (await queue.workers()).filter((worker) => isAlive(worker, now)),
  );
}
