// The record of a call that may come to nothing: it begins with the first thing recorded, so that nothing leaves no folder.
import { once } from '../base/once.ts';
import type { RunFolder } from './run-folder.ts';

export interface LateRun {
  /** Can be handed on freely: only asking for its parts begins it. */
  readonly run: RunFolder;
  started(): RunFolder | undefined;
}

export function lateRun(start: () => RunFolder): LateRun {
  let started: RunFolder | undefined;
  const begun = once(() => {
    started = start();
    return started;
  });
  const run: RunFolder = {
    get id() {
      return begun().id;
    },
    get folder() {
      return begun().folder;
    },
    record: (...event) => begun().record(...event),
    keep: (text) => begun().keep(text),
    saveState: (state) => begun().saveState(state),
    finish: (end) => begun().finish(end),
    close: (outcome) => begun().close(outcome),
  };
  return { run, started: () => started };
}
