// A run record created lazily: its folder is made with the first event, so that a call without events leaves none.
import { once } from '../base/once.ts';
import type { RunEnd, RunFolder } from './run-folder.ts';

export interface LateRun {
  /** What is recorded here begins the record. */
  readonly run: Pick<RunFolder, 'record' | 'keep' | 'keptFolder'>;
  /** Begins the record where nothing has yet. */
  begin(): RunFolder;
  begun(): RunFolder | undefined;
  /** Ends what was begun; of several ends the first counts. */
  finish(end: RunEnd): void;
}

export function lateRun(start: () => RunFolder): LateRun {
  let begun: RunFolder | undefined;
  let isOver = false;
  const begin = once(() => {
    begun = start();
    return begun;
  });
  return {
    run: {
      record: (...event) => begin().record(...event),
      keep: (text) => begin().keep(text),
      keptFolder: () => begin().keptFolder(),
    },
    begin,
    begun: () => begun,
    finish(end) {
      if (!begun || isOver) return;
      isOver = true;
      begun.finish(end);
    },
  };
}
