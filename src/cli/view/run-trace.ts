// A run as it happens, for whoever watches: each turn with its action, what came of it, time and tokens.
import type { TraceEvent } from '../../agent/session.ts';
import type { Language } from '../../base/language.ts';
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
      const cost = [seconds(milliseconds), ...(tokens > 0 ? [`${tokens} tokens`] : [])].join(', ');
      print(`${indent(depth)}${paint(String(turn).padStart(2), 'bold', screen)} ${visible(action)} (${cost})`);
    }
    if (event.type === 'observed') {
      const { state, summary, depth } = event;
      const style = state === 'success' ? 'green' : 'yellow';
      const line = `${visible(summary)} (${seconds(now() - decidedAt)})`;
      // Why something failed is never cut off.
      const lines = state === 'success' ? [line] : wrap(line, screen.width - depth * INDENT - 5);
      print(`${indent(depth)}   ${paint('→', style, screen)} ${lines[0]}`);
      for (const more of lines.slice(1)) print(`${indent(depth)}     ${more}`);
    }
    if (event.type === 'retry') print(paint(`   ${visible(event.reason)}`, 'yellow', screen));
  };
  return { show, note: (text) => print(text) };
}

const INDENT = 4;

function indent(depth: number): string {
  return ' '.repeat(depth * INDENT);
}

function seconds(milliseconds: number): string {
  return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
}
