// A run as it happens, for whoever watches: each turn with its action, what came of it, time and tokens.
import type { TraceEvent } from '../../agent/session.ts';
import type { Language, Text } from '../../base/language.ts';
import type { State } from '../../base/outcome.ts';
import { paint, type Terminal, wrap } from '../../base/text/terminal.ts';
import { truncate, visible } from '../../base/text.ts';

export interface RunTrace {
  readonly show: (event: TraceEvent) => void;
  note(text: string): void;
}

type Screen = Pick<Terminal, 'color' | 'width'> & { readonly language: Language };

export function openTrace(
  stream: { write(text: string): unknown },
  screen: Screen,
  now = () => performance.now(),
): RunTrace {
  let decidedAt = now();
  const print = (line: string) => stream.write(`${truncate(line, screen.width)}\n`);
  const show = (event: TraceEvent) => {
    if (event.type === 'decided') {
      decidedAt = now();
      const { turn, action, tokens, milliseconds, depth } = event;
      const used = { en: `${tokens} tokens`, zh: `${tokens} 词元` }[screen.language];
      const cost = [seconds(milliseconds), ...(tokens > 0 ? [used] : [])].join(', ');
      print(`${indent(depth)}${paint(String(turn).padStart(2), 'bold', screen)} ${visible(action)} (${cost})`);
    }
    if (event.type === 'observed') {
      const { state, summary, depth } = event;
      const style = state === 'success' ? 'green' : 'yellow';
      const line = `${visible(spoken(summary, state, screen.language))} (${seconds(now() - decidedAt)})`;
      // Why something failed is never cut off.
      const lines = state === 'success' ? [line] : wrap(line, screen.width - depth * INDENT - 5);
      print(`${indent(depth)}   ${paint('→', style, screen)} ${lines[0]}`);
      for (const more of lines.slice(1)) print(`${indent(depth)}     ${more}`);
    }
    if (event.type === 'retry') print(paint(`   ${visible(event.reason)}`, 'yellow', screen));
  };
  return { show, note: (text) => print(text) };
}

const STATE_WORDS: ReadonlyMap<string, Text> = new Map(
  Object.entries({
    success: { en: 'success', zh: '成功' },
    partial: { en: 'partial', zh: '部分完成' },
    pending: { en: 'pending', zh: '缺少参数' },
    interrupted: { en: 'interrupted', zh: '等待决定' },
    timeout: { en: 'timeout', zh: '超时' },
    error: { en: 'error', zh: '失败' },
  } satisfies Record<State, Text>),
);

const LOADED: Text = { en: 'loaded', zh: '已载入' };

/** What a model reads is English; the words in it that are ours are told to a person in theirs. */
function spoken(summary: string, state: string, language: Language): string {
  const word = STATE_WORDS.get(state)?.[language];
  const own = summary.startsWith(`${state}: `) && word ? word + summary.slice(state.length) : summary;
  return own.replace(/(?<= \(\w+\): )loaded$/, LOADED[language]);
}

const INDENT = 4;

function indent(depth: number): string {
  return ' '.repeat(depth * INDENT);
}

function seconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
}
