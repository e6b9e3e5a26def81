// The network of one call: none, the machine's, or a proxy of its own to the hosts that were consented.
import { type HostRule, showHostRule } from '../../base/host-rule.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import type { AskHost } from '../../network/reach.ts';
import { certificateVariables, proxyVariables } from '../../process/child/bridge.ts';
import type { OrderNetwork } from '../../process/order.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import type { Door } from '../door.ts';

/** What a call may reach, and who hears of it. */
export interface HostReach {
  /** Grows by what a person grants while the call waits. */
  readonly hosts: readonly HostRule[];
  /** The same as it is by now: what is not among them any more is cut. */
  readonly hostsNow: () => readonly HostRule[];
  /** Asks a person about another host; absent where nobody is there. */
  readonly askHost?: AskHost;
  readonly onAttempt: (attempt: HostAttempt) => void;
}

export interface CallNetwork {
  readonly order: OrderNetwork;
  readonly env: Readonly<Record<string, string>>;
  /** Files outside the project that it reads for that. */
  readonly readOnly: readonly string[];
  /** Undefined where no proxy saw any. */
  readonly attempts?: () => readonly HostAttempt[];
  /** Cuts what is open; every attempt has been told by then. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const nothing = async () => {};
const NONE: CallNetwork = { order: 'none', env: {}, readOnly: [], close: nothing, [Symbol.asyncDispose]: nothing };

/** Where nothing can be reached and nobody asked, there is no proxy to wait for. */
export async function openCallNetwork(
  { network, hosts: reach }: { readonly network: boolean; readonly hosts: HostReach },
  { can }: Pick<Sandbox, 'can'>,
  { network: settings }: Pick<Door, 'network'>,
): Promise<CallNetwork> {
  if (network) return { ...NONE, ...trusted(settings), order: 'all' };
  const { hosts, hostsNow, askHost, onAttempt } = reach;
  // Without a network of its own, hosts cannot be told apart.
  if (!can.proxy || (hosts.length === 0 && !askHost)) return NONE;
  const [{ openProxy }, { readUpstream }] = await Promise.all([
    import('../../network/proxy.ts'),
    import('../../network/upstream.ts'),
  ]);
  const { upstreamProxy } = settings;
  const proxy = openProxy({
    rules: () => stillAllowed(hosts, hostsNow()),
    record: onAttempt,
    ...(askHost && { ask: askHost }),
    ...(upstreamProxy !== undefined && { upstream: readUpstream(upstreamProxy) }),
  });
  const { env, readOnly } = trusted(settings);
  return {
    order: { proxy },
    env: { ...env, ...proxyVariables() },
    readOnly,
    attempts: () => proxy.attempts(),
    close: () => proxy.close(),
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

/** What was allowed when the call began, and still is. */
function stillAllowed(hosts: readonly HostRule[], now: readonly HostRule[]): readonly HostRule[] {
  const allowed = new Set(now.map(showHostRule));
  return hosts.filter((rule) => allowed.has(showHostRule(rule)));
}

function trusted({ caFile }: Door['network']): Pick<CallNetwork, 'env' | 'readOnly'> {
  return caFile === undefined ? { env: {}, readOnly: [] } : { env: certificateVariables(caFile), readOnly: [caFile] };
}
