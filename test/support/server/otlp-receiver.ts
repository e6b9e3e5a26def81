// A receiver of OTLP over HTTP on loopback: keeps what it gets, and answers as a test wants it to.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { SelfSigned } from './self-signed.ts';

export interface Got {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface ReceivedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
  readonly explicitBounds?: readonly number[];
  readonly bucketCounts?: readonly string[];
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly ReceivedPoint[];
}

/** One answer for each request, the last one for all others. */
export type Reply = (response: ServerResponse, got: Got) => void;
export const accept: Reply = (response) => void response.writeHead(200).end('{}');
export const never: Reply = () => {};

export interface Receiver {
  readonly url: string;
  readonly env: { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string };
  readonly got: readonly Got[];
  /** How often somebody connected. */
  connections(): number;
  /** Ends every connection as soon as it rests. */
  hangUp(): Promise<void>;
  spans(): ReceivedSpan[];
  /** As last received. */
  metrics(): Map<string, ReceivedMetric>;
  resource(): Readonly<Record<string, unknown>>;
}

export function openReceiver(t: TestContext, ...replies: readonly Reply[]): Promise<Receiver> {
  return receive(t, replies);
}

export function openSecureReceiver(t: TestContext, identity: SelfSigned): Promise<Receiver> {
  return receive(t, [], identity);
}

async function receive(t: TestContext, replies: readonly Reply[], identity?: SelfSigned): Promise<Receiver> {
  const got: Got[] = [];
  const take: RequestListener = async (request, response) => {
    const { url = '', headers } = request;
    const sent = await buffer(request);
    const body = String(headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent);
    const one = { path: url, headers, body };
    got.push(one);
    (replies[got.length - 1] ?? replies.at(-1) ?? accept)(response, one);
  };
  const server = identity ? createSecureServer(identity, take) : createServer(take);
  let [connections, open] = [0, 0];
  server.on('connection', (socket) => {
    connections++;
    open++;
    socket.on('close', () => open--);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bodies = (path: string) =>
    got.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as Message);
  return {
    url,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    got,
    connections: () => connections,
    async hangUp() {
      for (; open > 0; await sleep(5)) server.closeIdleConnections();
    },
    spans: () => bodies('/v1/traces').flatMap(readSpans),
    metrics: () => new Map(bodies('/v1/metrics').flatMap(readMetrics)),
    resource: () => plain(bodies('/v1/traces')[0]?.resourceSpans?.[0]?.resource.attributes ?? []),
  };
}

/** The spans below each other, as one indented line each. */
export function treeOf(spans: readonly ReceivedSpan[], parent?: string, depth = 0): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .sort((a, b) => (a.start < b.start ? -1 : 1))
    .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...treeOf(spans, span.spanId, depth + 1)]);
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type WrittenPoint = Omit<ReceivedPoint, 'attributes'> & { readonly attributes: readonly Pair[] };

interface Message {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly { readonly spans: readonly WrittenSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly WrittenMetric[] }[];
  }[];
}

interface WrittenSpan extends Omit<ReceivedSpan, 'attributes' | 'start' | 'end'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Pair[];
}

interface WrittenMetric {
  readonly name: string;
  readonly unit: string;
  readonly gauge?: { readonly dataPoints: readonly WrittenPoint[] };
  readonly sum?: { readonly dataPoints: readonly WrittenPoint[] };
  readonly histogram?: { readonly dataPoints: readonly WrittenPoint[] };
}

function readSpans({ resourceSpans = [] }: Message): ReceivedSpan[] {
  const written = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  return written.map(({ attributes, startTimeUnixNano, endTimeUnixNano, ...span }) => ({
    ...span,
    start: BigInt(startTimeUnixNano),
    end: BigInt(endTimeUnixNano),
    attributes: plain(attributes),
  }));
}

function readMetrics({ resourceMetrics = [] }: Message): [string, ReceivedMetric][] {
  const written = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  return written.map(({ name, unit, gauge, sum, histogram }) => {
    const { dataPoints = [] } = gauge ?? sum ?? histogram ?? {};
    const points = dataPoints.map((point) => ({ ...point, attributes: plain(point.attributes) }));
    return [name, { name, unit, points }];
  });
}

function plain(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, 'intValue' in value ? Number(value.intValue) : Object.values(value)[0]]),
  );
}
