// Opens telemetry to an OTLP receiver from the environment. It never fails, delays or outlives what it reports on.
import { hostname } from 'node:os';
import { toFault } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import { inLanguage, type Language } from '../base/language.ts';
import { once } from '../base/once.ts';
import { type Loss, type Measurement, readTraceparent, type Telemetry, type Tracer } from '../base/telemetry.ts';
import { VERSION } from '../base/version.ts';
import { createBatches } from './batch.ts';
import { encodeMetrics, encodeSpans, type Sender } from './encode.ts';
import { createMeter, type Meter } from './meter.ts';
import { type DeliveryLimits, openSignalSender, type SignalSender } from './send.ts';
import { readSettings, type TelemetryEnvironment, type TelemetrySettings } from './settings.ts';
import { type EndedSpan, openTracer } from './span.ts';

/** The shutdown deadline: pending data has this long to be delivered when the process ends. */
const CLOSE_MS = 1_000;

/** An invalid variable disables telemetry; where something would have been sent, the reason is reported. */
export function openTelemetry(env: TelemetryEnvironment, language: Language = 'en'): Telemetry {
  try {
    return openExport(env, readSettings(env));
  } catch (error) {
    const { en, zh } = toFault(error).detail;
    return switchedOff(inLanguage({ en: `switched off: ${en}`, zh: `已关闭: ${zh}` }, language));
  }
}

function openExport(env: TelemetryEnvironment, settings: TelemetrySettings): Telemetry {
  const sender: Sender = { resource: { ...ownResource(), ...settings.resource }, version: VERSION };
  const shutdown = new AbortController();
  const end = new AbortController();
  const signals = { shutdown: shutdown.signal, end: end.signal };
  const losses = countLosses();
  const spans = exportSpans(settings, sender, signals, losses);
  const metrics = exportMetrics(settings, sender, signals, losses);
  const below = (parent: string | undefined) => openTracer(readTraceparent(parent), settings.sampling, spans.add);
  const close = once(async () => {
    shutdown.abort();
    const timer = setTimeout(() => end.abort(), CLOSE_MS);
    await Promise.all([spans.close(), metrics.close()]);
    clearTimeout(timer);
  });
  return {
    begin: below(env.TRACEPARENT).begin,
    below,
    measure: metrics.measure,
    watch: metrics.watch,
    onLoss: losses.onFirst,
    async close() {
      await close();
      return losses.take();
    },
  };
}

function switchedOff(reason: string): Telemetry {
  const losses = countLosses();
  const tell = once(() => losses.add({}, reason));
  const below = (parent: string | undefined): Tracer => ({
    begin(...span) {
      tell();
      return openTracer(readTraceparent(parent), { ratio: 0, followsParent: false }, () => {}).begin(...span);
    },
  });
  return {
    begin: below(undefined).begin,
    below,
    measure: tell,
    watch() {
      tell();
      return () => {};
    },
    onLoss: losses.onFirst,
    close: async () => losses.take(),
  };
}

type Signals = Pick<DeliveryLimits, 'shutdown' | 'end'>;

function exportSpans({ traces, batching }: TelemetrySettings, sender: Sender, signals: Signals, losses: Losses) {
  if (!traces) return { add: () => {}, close: async () => {} };
  const transport = openSignalSender(traces, { ...signals, totalMs: batching.timeoutMs });
  const { add, drain } = createBatches<EndedSpan>({
    batching,
    onFull: () => losses.add({ spans: 1 }, 'more spans than the queue holds'),
    async send(items) {
      const sent = await transport.send(encodeSpans(items, sender));
      const lost = sent.ok ? sent.rejected : items.length;
      if (lost > 0) losses.add({ spans: lost }, sent.reason);
    },
  });
  return {
    add,
    async close() {
      await drain();
      transport.close();
    },
  };
}

function exportMetrics(settings: TelemetrySettings, sender: Sender, signals: Signals, losses: Losses) {
  const { metrics: target, metricEvery } = settings;
  if (!target) return { measure: () => {}, watch: () => () => {}, close: async () => {} };
  const meter = createMeter(Date.now);
  const watched = new Set<() => Promise<readonly Measurement[]>>();
  const transport = openSignalSender(target, { ...signals, totalMs: metricEvery.timeoutMs });
  const sendOnce = singleFlight(() => sendMetrics({ meter, watched, transport, sender, losses }));
  let timer: NodeJS.Timeout | undefined;
  // Commands that measure nothing have no timer.
  const start = () => (timer ??= setInterval(() => void sendOnce(), metricEvery.intervalMs).unref());
  return {
    measure(...measurement: Measurement) {
      start();
      meter.measure(...measurement);
    },
    watch(read: () => Promise<readonly Measurement[]>) {
      start();
      watched.add(read);
      return () => void watched.delete(read);
    },
    async close() {
      if (!timer) return;
      clearInterval(timer);
      await sendOnce();
      transport.close();
    },
  };
}

interface MetricExport {
  readonly meter: Meter;
  readonly watched: ReadonlySet<() => Promise<readonly Measurement[]>>;
  readonly transport: SignalSender;
  readonly sender: Sender;
  readonly losses: Losses;
}

async function sendMetrics({ meter, watched, transport, sender, losses }: MetricExport): Promise<void> {
  const read = await Promise.allSettled([...watched].map((one) => one()));
  const gauges = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const collected = meter.collect(gauges);
  if (collected.length === 0) return;
  const sent = await transport.send(encodeMetrics(collected, sender));
  const lost = sent.ok ? sent.rejected : collected.length;
  if (lost > 0) losses.add({ metrics: lost }, sent.reason);
}

interface Losses {
  add(lost: Partial<Pick<Loss, 'spans' | 'metrics'>>, reason: string): void;
  onFirst(say: (loss: Loss) => void): void;
  /** What was dropped since the last call. */
  take(): Loss | undefined;
}

function countLosses(): Losses {
  let lost: Loss | undefined;
  let say: ((loss: Loss) => void) | undefined;
  return {
    add({ spans = 0, metrics = 0 }, reason) {
      lost = { spans: (lost?.spans ?? 0) + spans, metrics: (lost?.metrics ?? 0) + metrics, reason };
      say?.(lost);
      say = undefined;
    },
    onFirst(listener) {
      say = listener;
    },
    take() {
      const taken = lost;
      lost = undefined;
      return taken;
    },
  };
}

function ownResource(): Record<string, string> {
  return {
    'service.version': VERSION,
    'service.instance.id': randomId(),
    'host.name': hostname(),
    'process.pid': String(process.pid),
    'telemetry.sdk.name': 'skillwright',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': VERSION,
  };
}

/** A flush in progress is shared by all callers. */
function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
