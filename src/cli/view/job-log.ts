// A line of the log of `start` for a person at a terminal: when, what, of what, and how it went.
import type { Language, Text } from '../../base/language.ts';
import { paint, type Style, type Terminal } from '../../base/text/terminal.ts';
import { padEnd, visible } from '../../base/text.ts';

type Facts = Readonly<Record<string, unknown>>;

interface Shown {
  readonly says: Text;
  readonly style?: Style;
}

const EVENTS: Readonly<Record<string, Shown>> = {
  started: { says: { en: 'started', zh: '已启动' }, style: 'green' },
  stopping: { says: { en: 'stopping', zh: '正在停止' }, style: 'yellow' },
  stopped: { says: { en: 'stopped', zh: '已停止' } },
  'schedule on': { says: { en: 'schedule on', zh: '定时启用' } },
  'schedule planned': { says: { en: 'planned', zh: '已计划' } },
  'schedule stopped': { says: { en: 'schedule stopped', zh: '定时停止' }, style: 'red' },
  'schedule failed': { says: { en: 'schedule failed', zh: '定时出错' }, style: 'red' },
  'job started': { says: { en: 'job started', zh: '任务开始' } },
  'job done': { says: { en: 'job done', zh: '任务完成' }, style: 'green' },
  'job failed': { says: { en: 'job failed', zh: '任务失败' }, style: 'red' },
  'job retrying': { says: { en: 'job retrying', zh: '任务重试' }, style: 'yellow' },
  'job waiting': { says: { en: 'job waiting', zh: '任务待决' }, style: 'yellow' },
  'job cancelled': { says: { en: 'job cancelled', zh: '任务取消' }, style: 'yellow' },
  'job lost': { says: { en: 'job lost', zh: '任务丢失' }, style: 'red' },
  'job released': { says: { en: 'job given back', zh: '任务归还' }, style: 'yellow' },
  'not trusted': { says: { en: 'not trusted', zh: '未受信任' }, style: 'red' },
  'trusted again': { says: { en: 'trusted again', zh: '重新受信' }, style: 'green' },
};

/** What names the thing, in this order and without a label. */
const NAMES = ['schedule', 'target', 'project', 'folder'] as const;
const UNLABELLED = new Set<string>([...NAMES, 'duration_ms', 'trace_id', 'span_id']);
const WIDTH = 16;

/** Times are ISO 8601, UTC, as in the JSON of a pipe. */
export function renderLogLine(
  ts: string,
  event: string,
  facts: Facts,
  { language, terminal }: { readonly language: Language; readonly terminal: Pick<Terminal, 'color'> },
): string {
  const { says, style } = EVENTS[event] ?? { says: { en: event, zh: event }, style: 'yellow' as const };
  const names = NAMES.flatMap((name) => (typeof facts[name] === 'string' ? [facts[name]] : []));
  const took = typeof facts.duration_ms === 'number' ? [`${(facts.duration_ms / 1000).toFixed(1)} s`] : [];
  const rest = Object.entries(facts).flatMap(([key, value]) =>
    UNLABELLED.has(key) || value === null || value === undefined ? [] : [`${key} ${textOf(value)}`],
  );
  const line = [...names, ...took, ...rest].map((part) => visible(part)).join('  ');
  const second = ts.replace(/\.\d+/, '');
  return `${paint(second, 'dim', terminal)}  ${paint(padEnd(says[language], WIDTH), style, terminal)}  ${line}`.trimEnd();
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
