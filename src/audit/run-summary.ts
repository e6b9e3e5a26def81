// run.json: what a person wants to know of a run afterwards, gathered from its events.
import type { AuditContext, AuditEvent } from './event.ts';

export interface RunSummary extends AuditContext {
  run_id: string;
  kind: string;
  version: string;
  private: boolean;
  tier: string | null;
  started: string;
  ended: string | null;
  /** `running` until the end is known; of a run that can go on later, how it stands. */
  outcome: string;
  request: string | null;
  request_sha256: string;
  skills: { skill: string; source: string; digest?: string }[];
  resources: { skill: string; path: string; sha256: string }[];
  tools: { call: string; tool: string; skill?: string; state: string; exit: number | null; duration_ms: number }[];
  exit_codes: number[];
  interrupts: string[];
  artifacts: { path: string; sha256: string; bytes: number }[];
  /** The beginning of what came out of it. */
  output: string | null;
  budget: Record<string, number> | null;
}

export function addToSummary(summary: RunSummary, event: AuditEvent): void {
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
