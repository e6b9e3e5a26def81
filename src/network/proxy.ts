// The proxy of one call: lets its programs reach the hosts that were consented, and names every attempt.
import type { Socket } from 'node:net';
import { canonicalHost } from '../base/host/name.ts';
import { ALLOWED, failure, type HostAttempt, type HostVerdict, refusal } from './attempt.ts';
import { ClientConnection } from './connection.ts';
import { inspectFirst } from './inspect.ts';
import { DEFAULT_LIMITS, type ProxyLimits } from './limits.ts';
import { connectOut, type Outgoing } from './outgoing.ts';
import { createHostJudge, type HostJudge, type HostJudgeOptions } from './reach.ts';
import { forwardHead } from './request-head.ts';
import { type TunnelOptions, tunnel } from './tunnel.ts';
import { createRequestJudge } from './tunnelled-http.ts';
import { connectUpstream, type Upstream } from './upstream.ts';
import { readWanted, type WantedHost } from './wanted.ts';

export interface ProxyOptions extends Omit<HostJudgeOptions, 'limits' | 'signal'> {
  /** Called once for each attempt, when its connection is closed. */
  readonly record: (attempt: HostAttempt) => void;
  readonly limits?: Partial<ProxyLimits>;
  /** The way out of this machine, where there is no other. */
  readonly upstream?: Upstream;
}

export interface Proxy {
  /** Serves one connection of a program. */
  accept(client: Socket): void;
  /** Those that have ended. */
  attempts(): readonly HostAttempt[];
  /** Cuts what is open; every attempt is recorded by then. */
  close(): Promise<void>;
}

export function openProxy(options: ProxyOptions): Proxy {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const end = new AbortController();
  return new CallProxy(options, limits, judgeOf(options, limits, end.signal), end);
}

function judgeOf({ rules, ask, lookup }: ProxyOptions, limits: ProxyLimits, signal: AbortSignal): HostJudge {
  return createHostJudge({ rules, ...(ask && { ask }), ...(lookup && { lookup }), limits, signal });
}

/** Time for a program to read why it was refused. */
const FAREWELL_MS = 2000;

class CallProxy implements Proxy {
  readonly #options: ProxyOptions;
  readonly #limits: ProxyLimits;
  readonly #reach: HostJudge;
  readonly #end: AbortController;
  readonly #attempts: HostAttempt[] = [];
  readonly #open = new Map<ClientConnection, Promise<void>>();
  #recheck: NodeJS.Timeout | undefined;
  #accepted = 0;
  #bytes = 0;

  constructor(options: ProxyOptions, limits: ProxyLimits, reach: HostJudge, end: AbortController) {
    this.#options = options;
    this.#limits = limits;
    this.#reach = reach;
    this.#end = end;
  }

  accept(client: Socket): void {
    client.on('error', () => {});
    // Beyond the polite refusal: a program that goes on all the same would only fill the record.
    const { connections, connectionsAtOnce } = this.#limits;
    if (this.#end.signal.aborted || ++this.#accepted > connections + 1 || this.#open.size > connectionsAtOnce) {
      client.destroy();
      return;
    }
    const connection = new ClientConnection(client);
    this.#open.set(connection, this.#handle(connection));
    this.#watch();
  }

  attempts(): readonly HostAttempt[] {
    return this.#attempts;
  }

  async close(): Promise<void> {
    clearInterval(this.#recheck);
    this.#end.abort();
    for (const connection of this.#open.keys()) connection.cut();
    await Promise.all(this.#open.values());
  }

  async #handle(connection: ClientConnection): Promise<void> {
    try {
      await this.#serve(connection);
    } finally {
      connection.cut();
      this.#open.delete(connection);
      const attempt = connection.attempt();
      if (attempt) this.#attempts.push(attempt);
      if (attempt) this.#options.record(attempt);
    }
  }

  async #serve(connection: ClientConnection): Promise<void> {
    const { client } = connection;
    const wanted = await readWanted(client, this.#limits.headMs);
    if (!wanted) return await farewell(client);
    connection.wanted = wanted;
    const verdict = await this.#connect(connection, wanted);
    if (verdict.verdict === 'allowed' && connection.outgoing)
      return await this.#pass(connection, wanted, connection.outgoing);
    connection.settle(verdict);
    wanted.refuse(verdict);
    await farewell(client);
  }

  /** Consent, then the address, then the connection; each step only after the one before. */
  async #connect(connection: ClientConnection, wanted: WantedHost): Promise<HostVerdict> {
    const host = canonicalHost(wanted.host);
    const { port } = wanted;
    if (host === undefined) return refusal('malformed');
    if (this.#accepted > this.#limits.connections || this.#open.size >= this.#limits.connectionsAtOnce)
      return refusal('connection-limit');
    const consent = await this.#reach.consent(host, port);
    if (!consent.consented) return refusal(consent.reason);
    const found = await this.#reach.addressesOf(host, port);
    if ('refused' in found) {
      connection.address = found.address;
      return refusal(found.refused);
    }
    const { upstream, lookup } = this.#options;
    const { connectMs } = this.#limits;
    // Behind a proxy of the user's, names need not resolve on this machine.
    if ('failed' in found && !upstream) return failure(found.failed);
    connection.outgoing = upstream
      ? await connectUpstream(upstream, { host, port, isPlain: wanted.plain !== undefined }, connectMs, lookup)
      : await connectOut({ addresses: 'addresses' in found ? found.addresses : [], port }, connectMs);
    if (!connection.outgoing) return failure(upstream ? 'upstream' : 'unreachable');
    if (!upstream) connection.address = connection.outgoing.socket.remoteAddress;
    return this.#reach.covers(host, port) ? ALLOWED : refusal('revoked');
  }

  async #pass(connection: ClientConnection, wanted: WantedHost, outgoing: Outgoing): Promise<void> {
    const { client } = connection;
    const bounds = { idleMs: this.#limits.idleMs, count: this.#counterOf(connection) };
    if (!wanted.plain) {
      wanted.accept();
      const judge = this.#judgeOf(connection, wanted);
      return await tunnel(client, outgoing, {
        ...bounds,
        judge,
        inspect: () => this.#inspect(connection, wanted),
      });
    }
    const forwarded = this.#forward(wanted.plain, wanted);
    if (!forwarded) {
      connection.settle(refusal('malformed'));
      wanted.refuse(refusal('malformed'));
      return await farewell(client);
    }
    outgoing.socket.write(forwarded.bytes);
    connection.count('sent', forwarded.bytes.length);
    await tunnel(client, outgoing, { ...bounds, body: forwarded.body });
  }

  /** A request in the tunnel that is for another host ends it. */
  #judgeOf(connection: ClientConnection, { host }: WantedHost): NonNullable<TunnelOptions['judge']> {
    const judge = createRequestJudge(host);
    return {
      hear: judge.hear,
      mayPass(bytes) {
        const mayPass = judge.mayPass(bytes);
        if (!mayPass) connection.settle(refusal('server-name'));
        if (judge.isHttp()) connection.isOpaque = false;
        return mayPass;
      },
    };
  }

  async #inspect(connection: ClientConnection, wanted: WantedHost): Promise<boolean> {
    const found = await inspectFirst(connection.client, wanted, this.#limits);
    if (found === 'opaque') connection.isOpaque = true;
    if (found === 'pass' || found === 'opaque') return true;
    connection.settle(refusal(found));
    return false;
  }

  #forward({ head, origin }: NonNullable<WantedHost['plain']>, { host, port }: WantedHost) {
    const authority = port === 80 ? host : `${host}:${port}`;
    const { upstream } = this.#options;
    if (!upstream) return forwardHead(head, authority, origin);
    const login = upstream.authorization === undefined ? [] : [`Proxy-Authorization: ${upstream.authorization}`];
    return forwardHead(head, authority, `http://${authority}${origin}`, login);
  }

  #counterOf(connection: ClientConnection): TunnelOptions['count'] {
    return (direction, bytes) => {
      connection.count(direction, bytes);
      this.#bytes += bytes;
      if (this.#bytes <= this.#limits.bytes) return true;
      connection.settle(refusal('byte-limit'));
      return false;
    };
  }

  /** What is not allowed any more is cut, though nothing passes. */
  #watch(): void {
    this.#recheck ??= setInterval(() => {
      for (const connection of this.#open.keys()) {
        const { wanted, outgoing } = connection;
        if (!wanted || !outgoing || this.#reach.covers(wanted.host, wanted.port)) continue;
        connection.settle(refusal('revoked'));
        connection.cut();
      }
      if (this.#open.size > 0) return;
      clearInterval(this.#recheck);
      this.#recheck = undefined;
    }, this.#limits.recheckMs).unref();
  }
}

function farewell(client: Socket): Promise<void> {
  if (client.closed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, FAREWELL_MS);
  client.once('close', () => {
    clearTimeout(timer);
    resolve();
  });
  // Read to its end: unread bytes would turn the answer into a reset.
  client.resume();
  client.once('end', () => client.end());
  return promise;
}
