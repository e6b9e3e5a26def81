// How much a call may write into its home and its temporary folder: as much as into its layer, and it is ended beyond that.

import { removeTree } from '../../base/files.ts';
import type { Text } from '../../base/language.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { calledName } from '../../registry/called-name.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Work } from '../work.ts';

export interface OwnFolders {
  readonly home: string;
  /** From one run to the next. */
  readonly lasts: boolean;
  /** The private folder of the call. */
  readonly folder: string;
}

export interface OwnWatch extends Disposable {
  readonly signal: AbortSignal;
  /** Throws a Fault where the call was ended for it. What was written into a home that goes with the run is gone then. */
  requireWithin(): void;
}

export function watchOwnFolders(
  { skill }: Pick<Work, 'skill'>,
  { home, lasts, folder }: OwnFolders,
  layer: Pick<ProjectLayer, 'watchBeside'>,
): OwnWatch {
  const inHome = layer.watchBeside(home, lasts && skill ? inLastingHome(calledName(skill)) : IN_HOME);
  const inFolder = layer.watchBeside(folder, TEMPORARY);
  return {
    signal: AbortSignal.any([inHome.signal, inFolder.signal]),
    requireWithin() {
      if (inHome.signal.aborted && !lasts) removeTree(home);
      inHome.signal.throwIfAborted();
      inFolder.signal.throwIfAborted();
    },
    [Symbol.dispose]() {
      inHome[Symbol.dispose]();
      inFolder[Symbol.dispose]();
    },
  };
}

const IN_HOME: Text = { en: ' in its home', zh: '（其主目录）' };
const TEMPORARY: Text = { en: ' of temporary files', zh: '（临时文件）' };

function inLastingHome(skill: string): Text {
  const shown = typedWord(skill);
  return {
    en: ` in its lasting home, which \`skillwright homes clear ${shown}\` empties`,
    zh: `（其保留的主目录，可用 \`skillwright homes clear ${shown}\` 清空）`,
  };
}
