// The append-only record of a run: which events become lines, for whom they were done, and which must be on disk at once.
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/errors.ts';
import { type ChainEnd, type ChainOptions, openChain } from './chain.ts';
import { type AuditContext, type AuditEvent, type AuditRecord, isDurable } from './event.ts';
import { verifyLog } from './verify.ts';

export interface LogOptions extends Omit<ChainOptions, 'from'> {
  readonly context: AuditContext;
  readonly clock: Clock;
  readonly tier?: string;
  /** Continues after the last complete event of a stopped run. */
  readonly resume?: boolean;
}

export interface AuditLog {
  append(event: AuditEvent, tier?: string): AuditRecord;
  close(): void;
}

export function openLog(options: LogOptions): AuditLog {
  const { folder, head, project, run, key, redact, clock, context } = options;
  const place = { folder, head, project, run, key, ...(redact && { redact }) };
  const chain = openChain({ ...place, ...(options.resume && { from: goOn(options) }) });
  const { request_id, agent_id, user_id } = context;
  return {
    append(event, tier = options.tier) {
      const ts = new Date(clock.now()).toISOString();
      const who = { request_id, agent_id, user_id, tier: tier ?? null };
      const use = { isDurable: isDurable(event), isEnd: event.type === 'run-end' };
      const recorded = chain.append(({ seq, prev }): AuditRecord => ({ ...event, seq, ts, ...who, prev }), use);
      return recorded;
    },
    close: () => chain.close(),
  };
}

/** Events after the last flush may be lost in a power cut; the run continues with those that are left. */
function goOn({ folder, head, project, run, key }: LogOptions): ChainEnd {
  const found = verifyLog({ folder, head, project }, run, key);
  if (!found.ok && found.lost === undefined) throw new Fault('IntegrityMismatch', `${folder}: ${found.why ?? ''}`);
  if (found.ended) throw new Fault('AlreadyExists', `${run} has ended`);
  return found;
}
