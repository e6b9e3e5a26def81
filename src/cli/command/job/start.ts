// `start`: plans and runs the jobs of this project until it is told to stop; its log goes to stderr, as JSON lines unless a person reads it.
import { startJobs } from '../../../app/job/start.ts';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { type Command, textOption } from '../../frame/command.ts';
import { chooseFormat } from '../../frame/global-options.ts';
import { readLabels } from '../../frame/label.ts';
import { jsonText } from '../../frame/render.ts';
import { stopOnSignal } from '../../frame/stop-on-signal.ts';
import { readCount } from '../../view/count.ts';
import { renderLogLine } from '../../view/job-log.ts';

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
      value: '[HOST:]PORT',
      summary: {
        en: 'answer GET /health, on 127.0.0.1 unless another address is named; 0 for a free port',
        zh: '提供 GET /health；未写地址时为 127.0.0.1；0 表示任意空闲端口',
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
    'skillwright start --health 0.0.0.0:9464',
    'skillwright start --label gpu --label eu-west',
  ],
  async run({ options, runtime, terminal }) {
    const workers = readWorkers(textOption(options, 'workers') ?? WORKERS);
    const drainMs = readCount('drain', textOption(options, 'drain') ?? DRAIN_SECONDS) * 1000;
    const health = textOption(options, 'health');
    const isForPerson = process.stderr.isTTY === true && chooseFormat(options) === 'human';
    const log = (event: string, facts: Readonly<Record<string, unknown>>) => {
      const ts = new Date(runtime.clock.now()).toISOString();
      const page = { language: runtime.language, terminal };
      const line = isForPerson ? renderLogLine(ts, event, facts, page) : jsonText({ ts, event, ...facts });
      process.stderr.write(`${line}\n`);
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
        ...(health !== undefined && { health: readAddress(health) }),
      });
      const summary = { en: `stopped after ${ran} ${ran === 1 ? 'job' : 'jobs'}`, zh: `已停止，共执行 ${ran} 个任务` };
      return { outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { ran }) };
    } finally {
      stopping.release();
    }
  },
};

/** PORT, HOST:PORT or [IPV6]:PORT. */
function readAddress(written: string): { readonly host?: string; readonly port: number } {
  const [, ipv6, name, port = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?([^:]*)$/.exec(written) ?? [];
  const host = ipv6 ?? name;
  return { port: readCount('health', port === '' ? written : port), ...(host !== undefined && { host }) };
}

function readWorkers(written: string): number {
  const workers = readCount('workers', written);
  if (workers < 1) throw new Fault('Usage', { en: '--workers needs at least 1', zh: '--workers 至少为 1' });
  return workers;
}
