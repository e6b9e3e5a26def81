// A line of a run's log as the event it is: each kind with its fields, and what every line has.
import { isJson } from '../base/json.ts';
import {
  type Check,
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isNull,
  isNumber,
  isObject,
  isOptional,
  isText,
  isWord,
} from '../base/value/shape.ts';
import type { AuditContext, AuditEvent, AuditRecord, TextRef } from './event.ts';

type EventOf<Type extends AuditEvent['type']> = Omit<Extract<AuditEvent, { type: Type }>, 'type'>;

const isTextOrNull = isEither(isText, isNull);

function isRange(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(isNumber);
}

const isTextRef = isObject<TextRef>({
  sha256: isText,
  bytes: isNumber,
  ref: isOptional(isText),
  at: isOptional(isRange),
  cut: isOptional(isFlag),
});

const isLayer = isObject<EventOf<'decision'>['layers'][number]>({ layer: isText, rule: isText, effect: isText });

/** A kind of event without its fields does not compile. */
const EVENTS: { readonly [Type in AuditEvent['type']]: Check<EventOf<Type>> } = {
  'run-start': isObject<EventOf<'run-start'>>({ kind: isText, request: isTextRef, version: isText }),
  'run-resumed': isObject<EventOf<'run-resumed'>>({ torn: isFlag, lost: isOptional(isNumber) }),
  state: isObject<EventOf<'state'>>({ from: isText, to: isText }),
  'setting-ignored': isObject<EventOf<'setting-ignored'>>({ setting: isText }),
  model: isObject<EventOf<'model'>>({
    model: isText,
    prompt: isTextRef,
    answer: isTextRef,
    input_tokens: isNumber,
    output_tokens: isNumber,
    cost: isOptional(isNumber),
  }),
  'skill-index': isObject<EventOf<'skill-index'>>({ index: isTextRef }),
  plan: isObject<EventOf<'plan'>>({ plan: isTextRef }),
  'budget-extended': isObject<EventOf<'budget-extended'>>({
    budget: isText,
    more: isNumber,
    by: isWord(['answer', 'resume']),
  }),
  'skill-selected': isObject<EventOf<'skill-selected'>>({ skill: isText, source: isText, digest: isOptional(isText) }),
  'resource-loaded': isObject<EventOf<'resource-loaded'>>({ skill: isText, path: isText, sha256: isText }),
  decision: isObject<EventOf<'decision'>>({
    call: isText,
    tool: isText,
    effect: isText,
    risk: isText,
    role: isOptional(isText),
    layers: isListOf(isLayer),
  }),
  approval: isObject<EventOf<'approval'>>({
    call: isText,
    key: isText,
    answer: isWord(['yes', 'no', 'effects']),
    scope: isOptional(isText),
    by: isText,
    reason: isOptional(isTextRef),
  }),
  grant: isObject<EventOf<'grant'>>({ call: isText, grant: isText }),
  network: isObject<EventOf<'network'>>({
    call: isText,
    way: isText,
    host: isText,
    port: isNumber,
    verdict: isText,
    reason: isOptional(isText),
    address: isOptional(isText),
    sent: isNumber,
    received: isNumber,
    opaque: isOptional(isFlag),
  }),
  'host-answer': isObject<EventOf<'host-answer'>>({ call: isText, host: isText, port: isNumber, answer: isText }),
  reach: isObject<EventOf<'reach'>>({ call: isText, grants: isListOf(isText), reach: isMapOf(isJson) }),
  'call-intent': isObject<EventOf<'call-intent'>>({
    call: isText,
    tool: isText,
    skill: isOptional(isText),
    digest: isOptional(isText),
    args: isTextRef,
    network: isFlag,
  }),
  progress: isObject<EventOf<'progress'>>({
    call: isText,
    fraction: isOptional(isNumber),
    text: isOptional(isTextRef),
  }),
  'call-result': isObject<EventOf<'call-result'>>({
    call: isText,
    tool: isText,
    skill: isOptional(isText),
    state: isText,
    exit: isEither(isNumber, isNull),
    duration_ms: isNumber,
    error: isOptional(isText),
    output: isOptional(isTextRef),
    not_enforced: isOptional(isListOf(isText)),
  }),
  observation: isObject<EventOf<'observation'>>({ call: isOptional(isText), text: isTextRef }),
  artifact: isObject<EventOf<'artifact'>>({ path: isText, sha256: isText, bytes: isNumber }),
  interrupt: isObject<EventOf<'interrupt'>>({ interrupt: isText, kind: isText }),
  'interrupt-answer': isObject<EventOf<'interrupt-answer'>>({
    interrupt: isText,
    by: isWord(['person', 'model']),
    answer: isTextRef,
    reason: isOptional(isTextRef),
    refused: isOptional(isText),
  }),
  checkpoint: isObject<EventOf<'checkpoint'>>({ sha256: isText }),
  'run-end': isObject<EventOf<'run-end'>>({ outcome: isText, run_sha256: isText }),
};

const CHECKS = new Map<string, Check<unknown>>(Object.entries(EVENTS));

type Frame = AuditContext & Omit<AuditRecord, keyof AuditContext | 'type'>;

const isFramed = isObject<Frame>({
  request_id: isText,
  agent_id: isTextOrNull,
  user_id: isTextOrNull,
  seq: isNumber,
  ts: isText,
  tier: isTextOrNull,
  prev: isText,
  seal: isOptional(isText),
});

/** Undefined for a line that is no event of a run. */
export function readAuditRecord(value: Record<string, unknown>): AuditRecord | undefined {
  return isFramed(value) && isEvent(value) ? value : undefined;
}

function isEvent(value: Record<string, unknown>): value is AuditEvent & Record<string, unknown> {
  return typeof value.type === 'string' && CHECKS.get(value.type)?.(value) === true;
}
