// The port to traces and metrics. Off means absent: with `tracer?.begin(…)` nothing is then even put together.

export type Attribute = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, Attribute | undefined>>;

export type SpanKind = 'internal' | 'client' | 'consumer';

/** Whatever spans can begin below. */
export interface Tracer {
  begin(name: string, attributes?: Attributes, kind?: SpanKind): Span;
}

/** Something that takes time. Attributes are names, numbers and codes; never what somebody wrote or a program printed. */
export interface Span extends Tracer {
  /** As log lines carry them. */
  readonly ids: { readonly trace_id: string; readonly span_id: string };
  /** For another process that works on below it. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** The first time counts. With the kind of failure, where it is one. */
  end(error?: string): void;
}

export interface Metric {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly name: string;
  /** As UCUM writes it: `s`, or `{job}` for things that are counted. */
  readonly unit: string;
  readonly about: string;
}

export type Measurement = readonly [metric: Metric, value: number, attributes?: Attributes];

/** What could not be delivered, and the last reason. */
export interface Loss {
  readonly spans: number;
  readonly metrics: number;
  readonly reason: string;
}

/** Spans begin below what the environment names, else in a trace of their own. No method throws or waits for a network. */
export interface Telemetry extends Tracer {
  /** Below a span of another process; in a trace of their own where that is none. */
  below(traceparent: string | undefined): Tracer;
  /** A counter grows by it, a histogram takes it in. */
  measure(...measurement: Measurement): void;
  /** Gauges are read before each export, until the returned function is called. */
  watch(read: () => Promise<readonly Measurement[]>): () => void;
  /** Called once, for the first loss. */
  onLoss(say: (loss: Loss) => void): void;
  /** Delivers what is left, within a second; says what was lost since it was last asked. */
  close(): Promise<Loss | undefined>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const;

/** Only where the user names a receiver. */
export function isTelemetryWanted(env: Environment): boolean {
  return ENDPOINTS.some((name) => env[name]) && env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';
}

export interface RemoteSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** A W3C traceparent, if it is one. */
export function readTraceparent(text: string | undefined): RemoteSpan | undefined {
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, isSampled }: RemoteSpan): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
