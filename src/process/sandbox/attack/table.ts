// Every escape attempt of attack-probe.pl: the threat it stands for, and which open point lets it through.
import type { Capabilities } from '../capability.ts';
import type { OpenPoint } from '../not-enforced.ts';

export interface AttackAttempt {
  readonly threat: number;
  readonly openBy: readonly OpenPoint[];
  /** Stopped by other means in tiers that can do this, whatever is open. */
  readonly closedBy?: (can: Capabilities) => boolean;
  /** Only root could do this even without a sandbox. */
  readonly root?: boolean;
}

const files = (threat = 40): AttackAttempt => ({ threat, openBy: ['no-file-isolation'] });
const filesOfRoot = (): AttackAttempt => ({ threat: 40, openBy: ['no-file-isolation'], root: true });
const network = (): AttackAttempt => ({ threat: 39, openBy: ['no-network-isolation'] });
const calls = (threat = 40): AttackAttempt => ({ threat, openBy: ['no-call-filter'] });
const powers = (threat = 40): AttackAttempt => ({ threat, openBy: ['root-powers'], root: true });
const memory = (closedBy: (can: Capabilities) => boolean = () => false): AttackAttempt => ({
  threat: 98,
  openBy: ['memory-per-process', 'no-limits'],
  closedBy,
});
const limits = (): AttackAttempt => ({ threat: 42, openBy: ['no-limits'] });

export const ATTEMPTS: Readonly<Record<string, AttackAttempt>> = {
  'read-home': files(),
  'read-through-link': files(),
  'link-home-file': files(),
  'read-hidden': files(53),
  'see-names': { threat: 40, openBy: ['file-names-visible'] },
  'write-home': files(),
  'truncate-home': files(),
  'rename-home': files(),
  'mode-home': files(),
  'times-home': files(),
  'write-project': files(),
  'mode-project': files(),
  'generation-project': calls(),
  'lease-project': calls(),
  'write-skill': files(),
  'write-system': filesOfRoot(),
  'write-root': filesOfRoot(),
  'raw-device': filesOfRoot(),
  'kernel-settings': filesOfRoot(),
  'proc-root': files(),
  tcp: network(),
  udp: network(),
  'unix-path': network(),
  'unix-project': network(),
  'unix-abstract': network(),
  'unix-datagram-pair': network(),
  netlink: network(),
  interfaces: calls(39),
  'proc-network': { threat: 39, openBy: ['no-network-isolation'] },
  'packet-socket': powers(39),
  'read-environment': { threat: 36, openBy: ['no-process-isolation'] },
  'read-command-lines': { threat: 36, openBy: ['no-process-isolation'] },
  'find-process': { threat: 40, openBy: ['processes-visible'] },
  'signal-process': { threat: 40, openBy: ['no-process-isolation', 'signals'] },
  'limit-process': { threat: 40, openBy: ['no-process-isolation'] },
  'fork-bomb': { threat: 41, openBy: ['no-process-limit', 'no-limits'] },
  memory: limits(),
  'memory-of-all': memory(),
  'memory-shared': memory(),
  'memory-semaphores': memory(({ calls }) => calls),
  'memory-messages': memory(({ calls }) => calls),
  'memory-sockets': memory(),
  'memory-inodes': memory(({ files, temporary }) => files && !temporary),
  'file-size': limits(),
  'open-files': limits(),
  'fill-tmp': { threat: 42, openBy: ['no-file-isolation'] },
  'fill-shm': { threat: 42, openBy: ['no-file-isolation'] },
  'fill-devices': { threat: 42, openBy: ['no-file-isolation'], root: true },
  'memory-file': calls(42),
  'shared-memory': calls(98),
  semaphores: calls(98),
  'message-queues': calls(98),
  'user-namespace': calls(),
  'clone-namespace': calls(),
  clone3: calls(),
  'io-uring': calls(39),
  keyring: calls(),
  'trace-child': calls(),
  'page-faults': calls(),
  'file-handles': calls(),
  personality: calls(),
  'unknown-call': calls(),
  'terminal-input': calls(57),
  mount: powers(),
  'change-root': powers(),
  capabilities: powers(),
  'set-user': powers(),
  'inherited-files': { threat: 61, openBy: ['inherited-descriptors'] },
  'fake-verdict': { threat: 61, openBy: ['inherited-descriptors'] },
  daemon: { threat: 43, openBy: ['daemons-may-survive'] },
};
