// `start`: plans and runs the jobs of this project until it is told to stop; its log is JSON lines on stderr.
import { startJobs } from '../../../app/job/start.ts';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, textOption } from '../../frame/command.ts';
import { readLabels } from '../../frame/label.ts';
import { jsonText } from '../../frame/render.ts';
import { stopOnSignal } from '../../frame/stop-on-signal.ts';
import { readCount } from '../../view/count.ts';

const WORKERS = '2';
const DRAIN_SECONDS = '30';

export const command: Command = {
  about: {
    en: 'The folder must be trusted, and so must every later change of its settings and roles. SIGTERM or Ctrl-C: nothing new is begun, what runs may end within --drain, the rest is given back; a second one: at once.',
    zh: '目录须受信任，之后对配置与角色的更改亦须重新信任。SIGTERM 或 Ctrl-C: 不再开始新任务，运行中的任务可在 --drain 内结束，其余归还队列；再次发送则立即停止。',
  },
  positionals: [],
  options: [
    {
      name: 'workers',
      value: 'N',
      summary: { en: `jobs at a time; ${WORKERS} unless given`, zh: `并发任务数；默认 ${WORKERS}` },
    },
    {
      name: 'health',
      value: 'PORT',
      summary: {
        en: 'answer GET /health on 127.0.0.1; 0 for a free port',
        zh: '在 127.0.0.1 上提供 GET /health；0 表示任意空闲端口',
      },
    },
    {
      name: 'drain',
      value: 'SECONDS',
      summary: {
        en: `how long running jobs may still take; ${DRAIN_SECONDS} unless given`,
        zh: `停止时等待运行中任务的秒数；默认 ${DRAIN_SECONDS}`,
      },
    },
    {
      name: 'label',
      value: 'LABEL',
      many: true,
      summary: {
        en: 'also take jobs that ask for this label; may be repeated, comes on top of `labels` in your settings',
        zh: '同时接受要求此标签的任务；可重复，与个人配置中的 `labels` 叠加',
      },
    },
    { name: 'model', value: 'MODEL', summary: { en: 'as with `run`, for prompts', zh: '同 `run`，用于提示词任务' } },
  ],
  examples: [
    'skillwright start',
    'skillwright start --workers 4 --health 9464',
    'skillwright start --label gpu --label eu-west',
  ],
  async run({ options, runtime }) {
    const workers = readWorkers(textOption(options, 'workers') ?? WORKERS);
    const drainMs = readCount('drain', textOption(options, 'drain') ?? DRAIN_SECONDS) * 1000;
    const port = textOption(options, 'health');
    const log = (event: string, facts: Readonly<Record<string, unknown>>) => {
      const ts = new Date(runtime.clock.now()).toISOString();
      process.stderr.write(`${jsonText({ ts, event, ...facts })}\n`);
    };
    const stopping = stopOnSignal(() => log('stopping', { drain_ms: drainMs }));
    try {
      const { ran } = await startJobs(runtime, {
        workers,
        labels: [...new Set([...runtime.config.labels, ...readLabels(options)])],
        drainMs,
        log,
        stop: stopping.stop,
        abort: stopping.abort,
        model: textOption(options, 'model'),
        ...(port !== undefined && { health: readCount('health', port) }),
      });
      const summary = { en: `stopped after ${ran} ${ran === 1 ? 'job' : 'jobs'}`, zh: `已停止，共执行 ${ran} 个任务` };
      return { outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { ran }) };
    } finally {
      stopping.release();
    }
  },
};

function readWorkers(written: string): number {
  const workers = readCount('workers', written);
  if (workers < 1) throw new Fault('Usage', { en: '--workers needs at least 1', zh: '--workers 至少为 1' });
  return workers;
}
