// Compares two courses of one run, event by event: where they diverge, and what differs.
import type { AuditEvent, AuditRecord, TextRef } from '../../audit/event.ts';

export interface Difference {
  /** The number of the recorded event. */
  readonly at: number;
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

type ReadText = (kept: TextRef) => string | undefined;

/** Events that follow from decisions and skills; calls and their results are taken from the record. */
const COMPARED = new Set(['state', 'model', 'plan', 'skill-selected', 'resource-loaded', 'observation']);

export function compareRuns(
  recorded: readonly AuditRecord[],
  replayed: readonly AuditEvent[],
  read: ReadText,
): Difference[] {
  const before = recorded.filter(({ type }) => COMPARED.has(type));
  const after = replayed.filter(({ type }) => COMPARED.has(type));
  const differences: Difference[] = [];
  for (const [index, was] of before.entries()) {
    const is = after[index];
    if (is?.type !== was.type) {
      differences.push({ at: was.seq, what: 'course', recorded: name(was), replayed: is ? name(is) : 'nothing' });
      return differences;
    }
    differences.push(...compareEvents(was, is, read));
  }
  const extra = after[before.length];
  const last = before.at(-1)?.seq ?? 0;
  return extra
    ? [...differences, { at: last, what: 'course', recorded: 'nothing', replayed: name(extra) }]
    : differences;
}

function compareEvents(was: AuditRecord, is: AuditEvent, read: ReadText): Difference[] {
  const at = was.seq;
  const values = (event: AuditEvent): [string, TextRef | string][] => {
    switch (event.type) {
      case 'state':
        return [['state', name(event)]];
      case 'model':
        return [['prompt', event.prompt]];
      case 'plan':
        return [['plan', event.plan]];
      case 'observation':
        return [['observation', event.text]];
      case 'skill-selected':
        return [['skill', `${event.skill} ${event.source}`]];
      case 'resource-loaded':
        return [[`${event.skill} ${event.path}`, event.sha256]];
      default:
        return [];
    }
  };
  const now = new Map(values(is));
  return values(was).flatMap(([what, old]): Difference[] => {
    const found = now.get(what) ?? '';
    if (typeof old === 'string' || typeof found === 'string')
      return old === found ? [] : [{ at, what, recorded: String(old), replayed: String(found) }];
    return old.sha256 === found.sha256 ? [] : [{ at, what, ...firstOtherLine(read(old), read(found)) }];
  });
}

function firstOtherLine(old: string | undefined, found: string | undefined): Pick<Difference, 'recorded' | 'replayed'> {
  if (old === undefined || found === undefined)
    return { recorded: old === undefined ? 'not kept' : 'a text', replayed: 'another' };
  const [a, b] = [old.split('\n'), found.split('\n')];
  const at = a.findIndex((line, index) => line !== b[index]);
  const index = at === -1 ? a.length : at;
  return { recorded: cut(a[index]), replayed: cut(b[index]) };
}

function cut(line: string | undefined): string {
  if (line === undefined) return 'nothing';
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function name(event: AuditEvent): string {
  if (event.type === 'state') return `${event.from} → ${event.to}`;
  return event.type === 'skill-selected' ? `select ${event.skill}` : event.type;
}
