// run.json: the summary of a run for people, gathered from its events.
import { sha256 } from '../base/ids.ts';
import { removeHidden } from '../base/text.ts';
import type { AuditContext, AuditEvent, AuditRecord } from './event.ts';
import { readKeptBytes } from './observation.ts';

export interface RunSummary extends AuditContext {
  run_id: string;
  kind: string;
  version: string;
  private: boolean;
  tier: string | null;
  started: string;
  ended: string | null;
  /** `running` until the end is known; for a resumable run, its interim state. */
  outcome: string;
  request: string | null;
  request_sha256: string;
  skills: { skill: string; source: string; digest?: string }[];
  resources: { skill: string; path: string; sha256: string }[];
  tools: { call: string; tool: string; skill?: string; state: string; exit: number | null; duration_ms: number }[];
  exit_codes: number[];
  interrupts: string[];
  artifacts: { path: string; sha256: string; bytes: number }[];
  /** The beginning of its output. */
  output: string | null;
  budget: Record<string, number> | null;
}

/** Longer texts are truncated to this. */
export const EXCERPT = 500;

type Lists = Pick<RunSummary, 'tier' | 'skills' | 'resources' | 'tools' | 'exit_codes' | 'interrupts' | 'artifacts'>;

const OPEN = new Set(['running', 'interrupted', 'partial', 'error']);

/**
 * The summary of an unfinished run, from its events: anybody could have written its run.json. From there comes only what
 * no event says, and never an outcome that such a run cannot have.
 */
export function summarizeRecords(
  { folder, summary = {} }: { readonly folder: string; readonly summary: Record<string, unknown> | undefined },
  records: readonly AuditRecord[],
): Record<string, unknown> | undefined {
  const start = records.find((record) => record.type === 'run-start');
  if (start?.type !== 'run-start') return undefined;
  const lists: Lists = {
    tier: start.tier,
    skills: [],
    resources: [],
    tools: [],
    exit_codes: [],
    interrupts: [],
    artifacts: [],
  };
  for (const record of records) addToSummary(lists, record, record.tier);
  const asked = readKeptBytes(folder, start.request);
  const isAsked = asked !== undefined && sha256(asked) === start.request.sha256;
  return {
    ...summary,
    kind: start.kind,
    version: start.version,
    started: start.ts,
    ended: null,
    outcome: OPEN.has(String(summary.outcome)) ? summary.outcome : 'running',
    request: isAsked ? removeHidden(asked.toString('utf8')).slice(0, EXCERPT).toWellFormed() : null,
    request_sha256: start.request.sha256,
    output: null,
    ...lists,
  };
}

export function addToSummary(summary: Lists, event: AuditEvent, tier: string | null): void {
  switch (event.type) {
    case 'skill-selected': {
      const { skill, source, digest } = event;
      summary.skills.push({ skill, source, ...(digest !== undefined && { digest }) });
      break;
    }
    case 'resource-loaded':
      summary.resources.push({ skill: event.skill, path: event.path, sha256: event.sha256 });
      break;
    case 'call-result': {
      const { call, tool, skill, state, exit, duration_ms } = event;
      summary.tools.push({ call, tool, ...(skill !== undefined && { skill }), state, exit, duration_ms });
      if (exit !== null) summary.exit_codes.push(exit);
      if (exit !== null) summary.tier = weaker(summary.tier, tier);
      break;
    }
    case 'interrupt':
      summary.interrupts.push(event.interrupt);
      break;
    case 'artifact':
      summary.artifacts.push({ path: event.path, sha256: event.sha256, bytes: event.bytes });
      break;
    default:
  }
}

/** Of several the one that confined least. */
function weaker(known: string | null, tier: string | null): string | null {
  return known !== null && tier !== null && known < tier ? known : (tier ?? known);
}
