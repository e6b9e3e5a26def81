// One attempt of a call to reach a host: where to, what became of it, how much went each way.

/** How a program asked for it. */
export type AttemptWay = 'connect' | 'http' | 'socks';

/** Why an attempt was refused: it could have been let through, and was not. */
export type RefusalReason =
  /** Nobody consented to the host and port. */
  | 'not-consented'
  /** A person was asked and said no, or did not answer in time, or had been asked too often. */
  | 'answered-no'
  | 'not-answered'
  | 'too-many-questions'
  /** The name leads to this machine, its neighbours or a metadata service, and that address was not consented. */
  | 'private-address'
  /** The TLS server name, or the host of a plain request in a tunnel, is not the one that was asked for, or cannot be told. */
  | 'server-name'
  /** Port 443 without TLS: nobody can tell whom it is for. */
  | 'not-tls'
  /** The consent was withdrawn while the connection was open. */
  | 'revoked'
  | 'byte-limit'
  | 'connection-limit'
  /** No request that a proxy understands. */
  | 'malformed';

/** Why an attempt that was allowed came to nothing. */
export type FailureReason = 'unresolved' | 'unreachable' | 'timeout' | 'upstream';

export type HostVerdict =
  | { readonly verdict: 'allowed' }
  | { readonly verdict: 'refused'; readonly reason: RefusalReason }
  | { readonly verdict: 'failed'; readonly reason: FailureReason };

export type HostAttempt = HostVerdict & {
  readonly way: AttemptWay;
  /** In its one spelling; as it was written where it has none. */
  readonly host: string;
  readonly port: number;
  /** The address that was connected to, or for which it was refused. */
  readonly address?: string;
  /** Bytes from the call and to it. */
  readonly sent: number;
  readonly received: number;
  /** Neither TLS nor plain HTTP: nothing inside was looked at. */
  readonly opaque?: true;
};

export const ALLOWED: HostVerdict = { verdict: 'allowed' };

export function refusal(reason: RefusalReason): HostVerdict {
  return { verdict: 'refused', reason };
}

export function failure(reason: FailureReason): HostVerdict {
  return { verdict: 'failed', reason };
}
