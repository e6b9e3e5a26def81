// `runs show`: one run with its summary, whether its record holds, and its events when asked for.
import { showRun } from '../../../app/record/show.ts';
import { describeVerdict } from '../../../app/view/run-verdict.ts';
import type { AuditRecord } from '../../../audit/event.ts';
import type { RunEntry, RunVerification } from '../../../audit/run-archive.ts';
import { Fault } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type { Language, Text } from '../../../base/language.ts';
import { failedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { renderList, renderTable, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    {
      name: 'id',
      required: true,
      summary: { en: 'as `runs list` shows it, or latest', zh: '`runs list` 所示的 id，或 latest' },
    },
  ],
  options: [{ name: 'events', summary: { en: 'also every event of its record', zh: '包括记录中的全部事件' } }],
  examples: ['skillwright runs show latest', 'skillwright runs show 20261115T032045Z-9f3a1c --events'],
  async run({ positionals: [written = ''], options, runtime, terminal }) {
    const { run, verified, events, isForeign } = showRun(written, runtime);
    // Of a broken record everything is shown, with the warning.
    const records = isOn(options, 'events') ? events : undefined;
    const data = {
      run_id: run.id,
      path: run.folder,
      run: run.summary ?? null,
      verified,
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
    const facts = renderList(listFacts(run, verified, runtime.language), terminal);
    const human = records ? `${facts}\n\n${renderEvents(records, runtime.language, terminal)}` : facts;
    return { outcome, human, ...(!verified.ok && { hint: DISTRUST[runtime.language] }) };
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

function listFacts(
  { folder, summary = {} }: RunEntry,
  verified: RunVerification,
  language: Language,
): [string, string][] {
  const told = Object.entries(LABELS).flatMap(([key, label]): [string, string][] => {
    const text = tell(summary[key]);
    return text === '' ? [] : [[label[language], visible(text)]];
  });
  return [
    ...told,
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
