// `runs list`: what was done in this project, the latest first.
import { findRuns } from '../../../app/find-run.ts';
import { hasChanges } from '../../../app/workspace/stored-layer.ts';
import type { RunEntry } from '../../../audit/run-archive.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { type Command, textOption } from '../../frame/command.ts';
import { readCount } from '../../view/count.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  positionals: [],
  options: [{ name: 'limit', value: 'N', summary: { en: 'only the latest N', zh: '仅列出最近 N 个' } }],
  examples: ['skillwright runs list', 'skillwright runs list --limit 10 --json'],
  async run({ options, runtime, terminal }) {
    const all = findRuns(runtime.project);
    const limit = textOption(options, 'limit');
    const runs = limit === undefined ? all : all.slice(0, readCount('limit', limit));
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', countRuns(all.length), {
      runs: runs.map((run) => ({ ...describe(run), changes_wait: hasChanges(run.id, runtime) })),
      total: all.length,
    });
    if (runs.length === 0) return { outcome };
    const mark = WAITING[runtime.language];
    const rows = runs.map((run) => renderRow(run, hasChanges(run.id, runtime) ? mark : ''));
    return { outcome, human: renderTable(titledColumns(TITLES, runtime.language), rows, terminal) };
  },
};

const TITLES: readonly Text[] = [
  { en: 'RUN', zh: '运行' },
  { en: 'KIND', zh: '类型' },
  { en: 'OUTCOME', zh: '结果' },
  { en: 'CALLS', zh: '调用' },
  { en: 'REQUEST', zh: '请求' },
];

function describe({ id, folder, summary }: RunEntry) {
  const { kind = null, outcome = null, started = null, ended = null, request = null, tier = null } = summary ?? {};
  return { run_id: id, kind, outcome, started, ended, tier, request, path: folder };
}

const WAITING: Text = { en: ', changes wait', zh: '，更改待应用' };

function renderRow({ id, summary }: RunEntry, mark: string): string[] {
  const cell = (value: unknown): string => (typeof value === 'string' ? value : '–');
  const calls = Array.isArray(summary?.tools) ? String(summary.tools.length) : '–';
  return [id, cell(summary?.kind), cell(summary?.outcome) + mark, calls, cell(summary?.request)];
}

function countRuns(total: number): Text {
  if (total === 0) return { en: 'no runs here', zh: '没有运行记录' };
  return { en: `${total} ${total === 1 ? 'run' : 'runs'}`, zh: `共 ${total} 次运行` };
}
