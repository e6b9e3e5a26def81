// The types of this folder: what is asked of a process, how a sandbox turns that into a launch, and how it ended.
import type { ErrorType } from '../base/error/catalogue.ts';
import type { AbsolutePath } from '../base/value/absolute-path.ts';
import type { Tier } from '../policy/tier.ts';
import type { ProxyPort } from './child/bridge.ts';

/** Raised only by the user. Zero is not allowed: every limit is a positive number. */
export interface Limits {
  /** Address space of one process, or of the whole call where a cgroup limits it. */
  readonly memoryBytes: number;
  readonly processes: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  readonly cpuSeconds: number;
}

/** Content at one path shown at another; where a tier cannot mount, the call's arguments are rewritten. */
export interface Mapped {
  readonly at: AbsolutePath;
  readonly from: AbsolutePath;
}

/** The files a process sees besides the system folders. */
export interface View {
  /** The private folder of this call, writable. */
  readonly work: AbsolutePath;
  /** A home of the skill's own, writable: it lasts for one run, or for good. */
  readonly home?: AbsolutePath;
  /** Programs outside the system folders, each shown with what it needs of its installation. */
  readonly programs?: readonly AbsolutePath[];
  /** Character devices beside those that every call has. */
  readonly devices?: readonly AbsolutePath[];
  /** The snapshot `from`, read-only, or a copy of it to write into, shown at the skill's own path `at` where the tier can. */
  readonly skill?: Mapped & { readonly writable?: boolean };
  /** What is hidden at the skill's own path; also closed where the snapshot itself is visible. */
  readonly closed?: readonly AbsolutePath[];
  /** The call's own folder for results `from`, shown writable at the output folder `at` where the tier can. */
  readonly output?: Mapped;
  /** One empty file of the call's own `from`, shown writable at `at`, where an empty file exists as mount point. */
  readonly placed?: Mapped;
  readonly project?: ProjectView;
  /** Folders of ours `from`, shown read-only at `at`: another place only where the call has a root of its own. */
  readonly packages?: readonly Mapped[];
  readonly readOnly: readonly AbsolutePath[];
  readonly writable: readonly AbsolutePath[];
}

export interface ProjectView {
  readonly folder: AbsolutePath;
  /** Resolved from the folder. */
  readonly hide: readonly string[];
  readonly writable: boolean;
  /** Shown writable in place of the project's own files; what is hidden is hidden in it. */
  readonly layer?: ShownLayer;
}

export interface ShownLayer {
  readonly from: AbsolutePath;
  /** Where `from` is mounted: the namespaces of this process. */
  readonly holder?: LayerHolder;
}

export interface LayerHolder {
  readonly pid: number;
  /** As root: whom everything in the layer belongs to. Else the holder has a user namespace. */
  readonly user?: number;
}

/** `none`: at most a loopback of its own. `all`: the machine's. `proxy`: its own, and in it nothing else but the proxy. */
export type OrderNetwork = 'none' | 'all' | { readonly proxy: ProxyPort };

/** One process as requested, before a tier is chosen. */
export interface Order {
  /** The first argument is the absolute path of a program. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly view: View;
  readonly network: OrderNetwork;
  readonly limits: Limits;
  readonly timeoutMs: number;
  readonly stdin?: Uint8Array | string | typeof OWN_INPUT;
}

/** Standard input is that of this process, handed over as it is. */
export const OWN_INPUT = 0;

export type { Tier };

/** Content to read, a file to write to, or what the launcher needs: where it reports whether the program ran, where it asks
 * whether the host is still there, the channel on which it hands a socket over. */
export type Handed = Uint8Array | { readonly write: string } | 'report' | 'host' | 'channel';

export const FIRST_HANDED = 3;

/** One process as it is started: the sandbox's own program and arguments before the requested ones. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What the process gets as descriptor 3, 4, … */
  readonly descriptors: readonly Handed[];
  /** Serves what comes through the channel. */
  readonly proxy?: ProxyPort;
  readonly uid?: number;
  readonly gid?: number;
  readonly tier: Tier;
  readonly notEnforced: readonly string[];
  /** Ending the first process ends every process of the call, however it hides. */
  readonly endsTree: boolean;
  /** The perl that ends what is left of the call when the host is killed, where nothing else does. */
  readonly watchedBy?: string;
  /** The limit of the whole call that was reached; read after its first process has ended. */
  reached?(): ErrorType | undefined;
  /** Called once after the process has ended, also when it never started. */
  release(): void;
}

export type EndReason = 'exit' | 'timeout' | 'aborted' | 'output-limit';

export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly durationMs: number;
  readonly why: EndReason;
  /** The program never ran: the reason, in the sandbox's own words. */
  readonly unstarted?: string;
  /** The limit of the whole call that was reached. */
  readonly limit?: ErrorType;
}
