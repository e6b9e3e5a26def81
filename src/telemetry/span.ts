// Recorded spans, and unrecorded ones that only propagate their trace context.
import { randomId } from '../base/ids.ts';
import {
  type Attribute,
  type Attributes,
  type RemoteSpan,
  type Span,
  type SpanKind,
  type Tracer,
  writeTraceparent,
} from '../base/telemetry.ts';
import type { Sampling } from './settings.ts';

/** The data of an ended span. Times are milliseconds since 1970, with fractions. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly begunAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly error: string | undefined;
}

export type OnEnd = (span: EndedSpan) => void;

/** The root of a trace in this process: the sampling decision is made here, for all child spans. */
export function openTracer(parent: RemoteSpan | undefined, sampling: Sampling, onEnd: OnEnd): Tracer {
  return {
    begin(name, attributes, kind = 'internal') {
      const traceId = parent?.traceId ?? randomHex(32);
      const isSampled = isKept(traceId, parent, sampling);
      if (!isSampled) return unrecorded({ traceId, spanId: randomHex(16), isSampled });
      return new RecordedSpan({ id: traceId, clock: openClock(), onEnd }, parent?.spanId, name, kind, attributes);
    },
  };
}

function isKept(traceId: string, parent: RemoteSpan | undefined, { ratio, followsParent }: Sampling): boolean {
  if (parent && followsParent) return parent.isSampled;
  // The last 13 digits, as a fraction of the largest number they can be.
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio;
}

/** The clock is read once per trace: no clock change moves anything within it. */
function openClock(): () => number {
  const offset = Date.now() - performance.now();
  return () => offset + performance.now();
}

interface Trace {
  readonly id: string;
  readonly clock: () => number;
  readonly onEnd: OnEnd;
}

/** Exported as it is when it ends, to save allocations: one object for each span, and one for its attributes. */
class RecordedSpan implements Span, EndedSpan {
  readonly #trace: Trace;
  readonly parentId: string | undefined;
  readonly spanId = randomHex(16);
  readonly kind: SpanKind;
  readonly begunAt: number;
  readonly attributes: Record<string, Attribute | undefined>;
  name: string;
  endedAt = 0;
  error: string | undefined;

  constructor(trace: Trace, parentId: string | undefined, name: string, kind: SpanKind, attributes: Attributes = {}) {
    this.#trace = trace;
    this.parentId = parentId;
    this.name = name;
    this.kind = kind;
    this.attributes = { ...attributes };
    this.begunAt = trace.clock();
  }

  get traceId() {
    return this.#trace.id;
  }

  get ids() {
    return { trace_id: this.traceId, span_id: this.spanId };
  }

  get traceparent() {
    return writeTraceparent({ traceId: this.traceId, spanId: this.spanId, isSampled: true });
  }

  begin(name: string, attributes?: Attributes, kind: SpanKind = 'internal'): Span {
    return new RecordedSpan(this.#trace, this.spanId, name, kind, attributes);
  }

  rename(name: string): void {
    this.name = name;
  }

  /** An ended span may be in a sent batch already. */
  set(attributes: Attributes): void {
    if (this.endedAt === 0) Object.assign(this.attributes, attributes);
  }

  end(error?: string): void {
    if (this.endedAt !== 0) return;
    this.endedAt = this.#trace.clock();
    this.error = error;
    this.#trace.onEnd(this);
  }
}

/** Random bytes in bulk: asking for a few at a time costs more than everything else a span does. */
let drawn = '';
function randomHex(length: number): string {
  if (drawn.length < length) drawn = randomId(2_048);
  const taken = drawn.slice(0, length);
  drawn = drawn.slice(length);
  return taken;
}

/** Its children are unrecorded, too. */
function unrecorded(ids: RemoteSpan): Span {
  const span: Span = {
    ids: { trace_id: ids.traceId, span_id: ids.spanId },
    traceparent: writeTraceparent(ids),
    begin: () => span,
    rename: () => {},
    set: () => {},
    end: () => {},
  };
  return span;
}
