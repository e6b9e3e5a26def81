// Questions and answers as private files under home: what this machine keeps for itself.
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { isJson } from '../../base/json.ts';
import { isFlag, isListOf, isNumber, isObject, isOptional, isText, isWord } from '../../base/value/shape.ts';
import {
  INTERRUPT_KINDS,
  type Interrupt,
  type InterruptStore,
  type ListedInterrupt,
} from '../../store/interrupt-store.ts';
import { openPrivateFolder } from '../private-folder.ts';

/** The questions of this user about this project. */
export function openInterrupts(home: string, project: string): InterruptStore {
  const folder = openPrivateFolder(home, 'interrupts', project);
  return {
    save: (interrupt) => {
      if (!folder.add(interrupt.id, interrupt)) throw new Fault('AlreadyExists', interrupt.id);
    },
    get: (id) => readInterrupt(folder.get(id)),
    list: () => folder.all().flatMap((record) => toListed(readInterrupt(record))),
    take(found) {
      if (readInterrupt(folder.get(found.id))?.digest !== found.digest) return undefined;
      const taken = readInterrupt(folder.take(found.id));
      return taken?.digest === found.digest ? taken : undefined;
    },
  };
}

/** A yes to one call of a job, for whoever runs the job here next. */
export interface KeptApprovals {
  /** The last one given to a job counts. */
  give(job: string, key: string, lifetimeMs: number): void;
  /** Used up by whoever gets it; of several callers exactly one does. */
  take(job: string, key: string): boolean;
}

export function openKeptApprovals(home: string, project: string, clock: Clock): KeptApprovals {
  const folder = openPrivateFolder(home, 'approved', project);
  return {
    give(job, key, lifetimeMs) {
      const id = sha256(job);
      folder.remove(id);
      folder.add(id, { key, expires: clock.now() + lifetimeMs });
    },
    take(job, key) {
      const id = sha256(job);
      const kept = folder.get(id);
      const counts = kept?.key === key && typeof kept.expires === 'number' && kept.expires > clock.now();
      return counts && folder.take(id) !== undefined;
    },
  };
}

function toListed(whole: Interrupt | undefined): ListedInterrupt[] {
  if (!whole) return [];
  const { payload, ...listed } = whole;
  return [{ ...listed, isHere: true }];
}

const isInterrupt = isObject<Interrupt>({
  id: isText,
  kind: isWord(INTERRUPT_KINDS),
  question: isText,
  items: isListOf(isText),
  choices: isListOf(isText),
  created: isNumber,
  expires: isNumber,
  digest: isText,
  payload: isJson,
  facts: isOptional(isJson),
  resumeCommand: isText,
  roams: isOptional(isFlag),
});

function readInterrupt(record: Record<string, unknown> | undefined): Interrupt | undefined {
  if (!isInterrupt(record) || record.digest === '') return undefined;
  const { id, kind, question, items, choices, created, expires, digest, payload, resumeCommand, roams, facts } = record;
  return {
    ...{ id, kind, question, items, choices, created, expires, digest, payload, resumeCommand },
    ...(roams === true && { roams }),
    ...(facts !== undefined && { facts }),
  };
}
