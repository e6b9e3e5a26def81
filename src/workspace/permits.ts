// Which changes of a run are allowed without a question: what the grants of all its calls have in common.
import path from 'node:path';
import { writeFileAtomic } from '../base/files.ts';
import { isTextList, jsonIfValid } from '../base/json.ts';
import { readTextIfThere } from '../base/read-file.ts';
import { narrower, type WriteReach } from '../policy/grant/write-reach.ts';

export interface Permits {
  /** Of one more call. */
  add(reach: WriteReach): void;
  reach(): WriteReach;
  /** Whether there was a call. */
  isUsed(): boolean;
}

/** Kept with the layer: a run that goes on in another process is bound by what it did in the first. */
export function openPermits(folder: string): Permits {
  const file = path.join(folder, 'permitted.json');
  const stored = readTextIfThere(file);
  let reach = stored === undefined ? undefined : readReach(jsonIfValid(stored));
  return {
    add(added) {
      const next = reach === undefined ? added : narrower(reach, added);
      if (JSON.stringify(next) !== JSON.stringify(reach)) writeFileAtomic(file, JSON.stringify(next));
      reach = next;
    },
    reach: () => reach ?? false,
    isUsed: () => reach !== undefined,
  };
}

function readReach(stored: unknown): WriteReach {
  return stored === true || isTextList(stored) ? stored : false;
}
