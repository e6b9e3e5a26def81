// Every event of a run, as one union. Texts are referenced by hash and stored beside the log, never in it.
import { isRecord, type Json } from '../base/json.ts';
import { findTool, riskOf } from '../tools/list.ts';

/** A text by the hash of what is kept of it (redacted, truncated); `ref` names the file that holds it and its number there, if it was kept. */
export interface TextRef {
  readonly sha256: string;
  /** Length of the whole text, before truncation. */
  readonly bytes: number;
  readonly ref?: string;
  /** Its first byte in that file, and how many are kept. */
  readonly at?: readonly [start: number, length: number];
  readonly cut?: boolean;
}

/** Who acts for whom; the same ids a skill receives. Null where unknown. */
export interface AuditContext {
  readonly request_id: string;
  readonly agent_id: string | null;
  readonly user_id: string | null;
}

interface CallPart {
  /** The id of the call within the run. */
  readonly call: string;
}

export type AuditEvent =
  | { readonly type: 'run-start'; readonly kind: string; readonly request: TextRef; readonly version: string }
  | {
      readonly type: 'run-resumed';
      readonly torn: boolean;
      /** Events that had been written and are missing, as after a power cut. */
      readonly lost?: number;
    }
  | { readonly type: 'state'; readonly from: string; readonly to: string }
  | { readonly type: 'setting-ignored'; readonly setting: string }
  | {
      readonly type: 'model';
      readonly model: string;
      readonly prompt: TextRef;
      readonly answer: TextRef;
      readonly input_tokens: number;
      readonly output_tokens: number;
      /** In US dollars, from input_price and output_price of the settings. */
      readonly cost?: number;
    }
  /** The skills a model can choose from, when a run is opened. */
  | { readonly type: 'skill-index'; readonly index: TextRef }
  | { readonly type: 'plan'; readonly plan: TextRef }
  /** More of a budget that was used up: a person said so when asked, or resumed the run. */
  | {
      readonly type: 'budget-extended';
      readonly budget: string;
      readonly more: number;
      readonly by: 'answer' | 'resume';
    }
  | { readonly type: 'skill-selected'; readonly skill: string; readonly source: string; readonly digest?: string }
  | { readonly type: 'resource-loaded'; readonly skill: string; readonly path: string; readonly sha256: string }
  | (CallPart & {
      readonly type: 'decision';
      readonly tool: string;
      readonly effect: string;
      readonly risk: string;
      readonly role?: string;
      readonly layers: readonly { readonly layer: string; readonly rule: string; readonly effect: string }[];
    })
  | (CallPart & {
      readonly type: 'approval';
      readonly key: string;
      /** `effects`: not answered yet; from now on only effects are asked about. */
      readonly answer: 'yes' | 'no' | 'effects';
      readonly scope?: string;
      readonly by: string;
      /** Why not, as the person said it. */
      readonly reason?: TextRef;
    })
  | (CallPart & { readonly type: 'grant'; readonly grant: string })
  /** What a person's grants let the call reach beyond its sandbox: names, never values. */
  | (CallPart & {
      readonly type: 'reach';
      readonly grants: readonly string[];
      readonly reach: Readonly<Record<string, Json>>;
    })
  | (CallPart & {
      readonly type: 'call-intent';
      readonly tool: string;
      readonly skill?: string;
      readonly digest?: string;
      readonly args: TextRef;
      readonly network: boolean;
    })
  /** One attempt to reach a host through the proxy of the call, when it has ended. */
  | (CallPart & {
      readonly type: 'network';
      readonly way: string;
      readonly host: string;
      readonly port: number;
      readonly verdict: string;
      readonly reason?: string;
      /** What was connected to, or refused. */
      readonly address?: string;
      readonly sent: number;
      readonly received: number;
      /** Neither TLS nor plain HTTP. */
      readonly opaque?: boolean;
    })
  /** What a person said about a host while the call waited. */
  | (CallPart & {
      readonly type: 'host-answer';
      readonly host: string;
      readonly port: number;
      readonly answer: string;
    })
  | (CallPart & { readonly type: 'progress'; readonly fraction?: number; readonly text?: TextRef })
  | (CallPart & {
      readonly type: 'call-result';
      readonly tool: string;
      readonly skill?: string;
      readonly state: string;
      readonly exit: number | null;
      readonly duration_ms: number;
      readonly error?: string;
      readonly output?: TextRef;
      readonly not_enforced?: readonly string[];
    })
  | { readonly type: 'observation'; readonly call?: string; readonly text: TextRef }
  | { readonly type: 'artifact'; readonly path: string; readonly sha256: string; readonly bytes: number }
  | { readonly type: 'interrupt'; readonly interrupt: string; readonly kind: string }
  | {
      readonly type: 'interrupt-answer';
      readonly interrupt: string;
      readonly by: 'person' | 'model';
      readonly answer: TextRef;
      /** Why not, as the person said it. */
      readonly reason?: TextRef;
      /** Why no decision was made, if so. */
      readonly refused?: string;
    }
  | { readonly type: 'checkpoint'; readonly sha256: string }
  | { readonly type: 'run-end'; readonly outcome: string; readonly run_sha256: string };

/** One line of the log: the event, its time, caller and sandbox, and the hash of the line before. */
export type AuditRecord = AuditEvent &
  AuditContext & {
    readonly seq: number;
    readonly ts: string;
    readonly tier: string | null;
    /** The hash of the line before. */
    readonly prev: string;
    /** Made with the key of the user; older records have none. */
    readonly seal?: string;
  };

/** These must be flushed to disk before the work they announce continues. */
export function isDurable(event: AuditEvent): boolean {
  if (event.type === 'call-intent') return !isReading(event.tool);
  return event.type === 'interrupt' || event.type === 'run-end';
}

/** Of reading nothing is left that a power cut could make uncertain. */
function isReading(name: string): boolean {
  const tool = findTool(name);
  return tool !== undefined && riskOf(tool) === 'low';
}

/** The texts an event references. */
export function textsOf(record: AuditRecord): TextRef[] {
  return Object.values(record).filter(
    (value): value is TextRef => isRecord(value) && typeof value.sha256 === 'string' && typeof value.bytes === 'number',
  );
}
