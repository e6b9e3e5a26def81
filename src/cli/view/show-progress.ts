// How far a skill says it is, on one line of a terminal that is gone when it has ended.
import { truncate, visible } from '../../base/text.ts';

interface Progress {
  readonly fraction: number;
  readonly message: string;
}

export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

const BAR = 20;
const CLEAR = '\r\u001b[K';

export function openProgressLine(stream: { write(text: string): unknown }, width: number): ProgressLine {
  let last = '';
  return {
    show({ fraction, message }) {
      const line = renderProgress(fraction, message, width);
      if (line === last) return;
      stream.write(CLEAR + line);
      last = line;
    },
    clear() {
      if (last !== '') stream.write(CLEAR);
      last = '';
    },
  };
}

/** What a script says is shown as text, whatever is in it. */
export function renderProgress(fraction: number, message: string, width: number): string {
  const full = Math.round(fraction * BAR);
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.round(fraction * 100)).padStart(3)}%`;
  return truncate(`${bar} ${visible(message)}`.trimEnd(), Math.max(BAR, Math.min(width, 200) - 1));
}
