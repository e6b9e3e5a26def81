// What a model answers, kept in a file that the model `recorded:FILE` repeats.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomic } from '../../base/files.ts';
import { readRecordings } from '../../model/provider/recorded.ts';
import type { Recording } from '../../model/recorded.ts';

/** A run that goes on adds to what its first part has recorded. */
export function recordAnswers(file: string, goesOn: boolean): (recording: Recording) => void {
  const target = path.resolve(file);
  const kept = goesOn && existsSync(target) ? readRecordings(target) : [];
  return (recording) => {
    kept.push(recording);
    writeFileAtomic(target, `${JSON.stringify(kept, null, 2)}\n`);
  };
}
