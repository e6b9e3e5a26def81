// `runs show`: one run with its summary, whether its record holds, and its events when asked for.
import { type PrintedText, type ShownRun, showRun } from '../../../app/record/show.ts';
import { describeVerdict } from '../../../app/view/run-verdict.ts';
import type { AuditRecord } from '../../../audit/event.ts';
import type { RunVerification } from '../../../audit/run-archive.ts';
import { Fault } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type { Language, Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { paint, renderList, renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible, visibleLines } from '../../../base/text.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { RUN_POSITIONAL } from '../../frame/run-argument.ts';

export const command: Command = {
  positionals: [RUN_POSITIONAL],
  options: [
    { name: 'events', summary: { en: 'also every event of its record', zh: '包括记录中的全部事件' } },
    { name: 'output', summary: { en: 'also what each call printed, as far as it was kept', zh: '包括各次调用的输出' } },
  ],
  examples: [
    'skillwright runs show latest',
    'skillwright runs show latest --output',
    'skillwright runs show 20261115T032045Z-9f3a1c --events',
  ],
  async run({ positionals: [written = ''], options, runtime, terminal }) {
    const shown = showRun(written, runtime);
    const { run, verified, events, isForeign, refused } = shown;
    const printed = isOn(options, 'output') ? shown.printed : undefined;
    // Of a broken record everything is shown, with the warning.
    const records = isOn(options, 'events') ? events : undefined;
    const data = {
      run_id: run.id,
      path: run.folder,
      run: run.summary ?? null,
      verified,
      ...(refused.length > 0 && { refused }),
      ...(printed && { output: printed }),
      ...(records && { events: records }),
    };
    const by = runtime.answering('skillwright', 'own');
    const outcome = verified.ok
      ? makeOutcome(by, 'success', run.id, data)
      : failedOutcome(
          by,
          new Fault(isForeign ? 'CheckFailed' : 'IntegrityMismatch', brokenRun(run.id, verified)),
          data,
        );
    const parts = [
      renderList(listFacts(shown, runtime.language), terminal),
      ...(printed ? [renderPrinted(printed, runtime.language, terminal)] : []),
      ...(records ? [renderEvents(records, runtime.language, terminal)] : []),
    ];
    return { outcome, human: parts.join('\n\n'), ...(!verified.ok && { hint: DISTRUST[runtime.language] }) };
  },
};

const DISTRUST: Text = {
  en: 'What is shown may not be what was written; `skillwright runs verify` checks every run.',
  zh: '所示内容可能已非原记录；`skillwright runs verify` 可核验全部运行。',
};

function brokenRun(id: string, verified: RunVerification): Text {
  const { en, zh } = describeVerdict(verified);
  return { en: `${id}, ${en}`, zh: `${id}，${zh}` };
}

const LABELS = {
  kind: { en: 'kind', zh: '类型' },
  outcome: { en: 'outcome', zh: '结果' },
  started: { en: 'started', zh: '开始' },
  ended: { en: 'ended', zh: '结束' },
  request: { en: 'request', zh: '请求' },
  skills: { en: 'skills', zh: '技能' },
  resources: { en: 'resources', zh: '资源' },
  tools: { en: 'tools', zh: '工具' },
  exit_codes: { en: 'exit codes', zh: '退出码' },
  interrupts: { en: 'interrupts', zh: '中断' },
  artifacts: { en: 'results', zh: '产物' },
  output: { en: 'output', zh: '输出' },
  tier: { en: 'sandbox', zh: '沙箱' },
} as const satisfies Record<string, Text>;

// Hashes tell a person nothing here; --json has them.
const UNTOLD = new Set(['sha256', 'digest', 'call']);

function listFacts({ run, verified, refused }: ShownRun, language: Language): [string, string][] {
  const { folder, summary = {} } = run;
  const told = Object.entries(LABELS).flatMap(([key, label]): [string, string][] => {
    const text = tell(summary[key]);
    return text === '' ? [] : [[label[language], visible(text)]];
  });
  const denied = refused.map(({ tool, why }) => `${tool} (${why})`).join(', ');
  return [
    ...told,
    ...(denied === '' ? [] : [[{ en: 'refused', zh: '被拒绝' }[language], visible(denied)] as [string, string]]),
    [{ en: 'record', zh: '记录' }[language], visible(folder)],
    [{ en: 'verified', zh: '核验' }[language], describeVerdict(verified)[language]],
  ];
}

function tell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(tell).join(', ');
  if (!isRecord(value)) return String(value);
  const parts = Object.entries(value).filter(([key]) => !UNTOLD.has(key));
  return parts.map(([key, part]) => (typeof part === 'string' ? part : `${key} ${tell(part)}`)).join(' ');
}

function renderPrinted(printed: readonly PrintedText[], language: Language, terminal: Terminal): string {
  if (printed.length === 0) return { en: 'nothing was printed', zh: '没有输出' }[language];
  const gone = { en: '(not kept)', zh: '（未保留）' }[language];
  const rest = { en: '… (cut)', zh: '…（已截断）' }[language];
  return printed
    .map(({ tool, skill = '', state, exit, text, cut }) => {
      const head = [tool, skill, state, exit === null ? '' : `exit ${exit}`].filter((part) => part !== '').join(' ');
      const body = text === null ? gone : visibleLines(text.trimEnd());
      return [paint(visible(head), 'bold', terminal), body, ...(cut ? [rest] : [])].join('\n');
    })
    .join('\n\n');
}

// What every line has stands in columns, or is for the chain only.
const FRAME = new Set(['type', 'seq', 'ts', 'prev', 'seal', 'request_id', 'agent_id', 'user_id']);

const EVENT_TITLES: readonly Text[] = [
  { en: 'SEQ', zh: '序号' },
  { en: 'TIME', zh: '时间' },
  { en: 'EVENT', zh: '事件' },
  { en: 'DETAILS', zh: '详情' },
];

function renderEvents(records: readonly AuditRecord[], language: Language, terminal: Terminal): string {
  const rows = records.map((record) => {
    const details = Object.entries(record).filter(([key, value]) => !FRAME.has(key) && value !== null);
    const text = details.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return [String(record.seq), String(record.ts), String(record.type), text.join(' ')];
  });
  return renderTable(
    EVENT_TITLES.map((title, at) => ({ title: title[language], ...(at === 2 && { style: 'cyan' as const }) })),
    rows,
    terminal,
  );
}
