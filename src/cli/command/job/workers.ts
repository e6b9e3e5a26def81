// `jobs workers`: who takes jobs of this project, on which machine, and whether it is still heard of.
import { sayNeed } from '../../../app/doctor/jobs-check.ts';
import { listWorkers, type WorkerList } from '../../../app/job/look.ts';
import { time } from '../../../app/view/jobs.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderRecords } from '../../../base/text/record-table.ts';
import { visible } from '../../../base/text.ts';
import type { Unmet } from '../../../jobs/able.ts';
import type { Command } from '../../frame/command.ts';
import { recordColumns, type WholeTitle } from '../../view/titled-columns.ts';

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright jobs workers', 'skillwright jobs workers --json'],
  async run({ runtime, terminal }) {
    const { workers: seen, unmet } = await listWorkers(runtime);
    const workers = seen.map(describe);
    const alive = workers.filter((worker) => worker.alive).length;
    const data = { workers, alive, unmet: unmet.map((need) => describeNeed(need, runtime.language)) };
    const outcome = makeOutcome(runtime.answering('jobs', 'own'), 'success', countWorkers(alive), data);
    const rows = workers.map((worker) => renderRow(worker, runtime.language));
    const table = rows.length === 0 ? [] : [renderRecords(recordColumns(TITLES, runtime.language), rows, terminal)];
    const lines = unmet.map((need) => inLanguage(sayNeed(need), runtime.language));
    const human = [...table, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n');
    return human === '' ? { outcome } : { outcome, human };
  },
};

type Described = ReturnType<typeof describe>;

function describe({
  id,
  host,
  pid,
  alive,
  capacity,
  running,
  labels,
  startedAt,
  seenAt,
}: WorkerList['workers'][number]) {
  return { id, host, pid, alive, capacity, running, labels, started: time(startedAt), seen: time(seenAt) };
}

function describeNeed({ jobs, digest, labels, why }: Unmet, language: Language) {
  return { jobs, digest: digest ?? null, labels: labels ?? [], why: inLanguage(why, language) };
}

const TITLES: readonly WholeTitle[] = [
  { en: 'WORKER', zh: '执行者' },
  { en: 'HOST', zh: '主机' },
  { en: 'STATE', zh: '状态', whole: true },
  { en: 'RUNNING', zh: '运行中', whole: true },
  { en: 'LABELS', zh: '标签' },
  { en: 'SEEN', zh: '最近一次' },
];

function renderRow({ id, host, alive, running, capacity, labels, seen }: Described, language: Language): string[] {
  const state = alive ? { en: 'alive', zh: '在线' } : { en: 'silent', zh: '无响应' };
  const busy = `${running}/${capacity}`;
  return [
    visible(id),
    visible(host),
    state[language],
    busy,
    visible(labels.join(' ')),
    seen?.replace(/\.\d+/, '') ?? '–',
  ];
}

function countWorkers(alive: number): Text {
  return { en: `${alive} ${alive === 1 ? 'worker' : 'workers'} alive`, zh: `${alive} 个执行者在线` };
}
