// One connection of a program while it is served, and the attempt it is in the end.
import type { Socket } from 'node:net';
import { canonicalHost } from '../base/host/name.ts';
import { ALLOWED, type HostAttempt, type HostVerdict } from './attempt.ts';
import type { Outgoing } from './outgoing.ts';
import type { WantedHost } from './wanted.ts';

export class ClientConnection {
  readonly client: Socket;
  wanted: WantedHost | undefined;
  outgoing: Outgoing | undefined;
  address: string | undefined;
  isOpaque = false;
  #sent = 0;
  #received = 0;
  #verdict: HostVerdict | undefined;

  constructor(client: Socket) {
    this.client = client;
  }

  count(direction: 'sent' | 'received', bytes: number): void {
    if (direction === 'sent') this.#sent += bytes;
    else this.#received += bytes;
  }

  /** The first reason counts: what follows comes of it. */
  settle(verdict: HostVerdict): void {
    this.#verdict ??= verdict;
  }

  cut(): void {
    this.client.destroy();
    this.outgoing?.socket.destroy();
  }

  /** Undefined where nobody said what was wanted. */
  attempt(): HostAttempt | undefined {
    if (!this.wanted) return undefined;
    const { way, host, port } = this.wanted;
    return {
      ...{ way, host: canonicalHost(host) ?? host.slice(0, 253), port },
      ...(this.#verdict ?? ALLOWED),
      ...(this.address !== undefined && { address: this.address }),
      ...{ sent: this.#sent, received: this.#received },
      ...(this.isOpaque && { opaque: true }),
    };
  }
}
