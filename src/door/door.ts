// What the door needs from its surroundings: passed in, so that a test can stand anywhere.
import type { RunFolder } from '../audit/run-folder.ts';
import type { Clock } from '../base/clock.ts';
import type { Guarded } from '../base/guarded-path.ts';
import type { Language } from '../base/language.ts';
import type { Tracer } from '../base/telemetry.ts';
import type { Digest } from '../base/value/digest.ts';
import type { BuildBounds } from '../environment/build/bounds.ts';
import type { IndexSettings } from '../environment/index-place.ts';
import type { LockedEnvironment } from '../environment/lock/lock-entry.ts';
import type { EnvironmentManifest } from '../environment/store/manifest.ts';
import type { UsedPackages } from '../environment/use/used.ts';
import type { HostAnswer, HostQuestion } from '../network/reach.ts';
import type { Approvals } from '../policy/approval.ts';
import type { EffectsOnly } from '../policy/asking.ts';
import type { Grant } from '../policy/grant/grant.ts';
import type { Places } from '../policy/place.ts';
import type { Allowance, Policy } from '../policy/policy.ts';
import type { ApprovalAnswer, ApprovalQuestion, OfferedGrant } from '../policy/question/facts.ts';
import type { SeenFiles } from '../policy/question/seen-files.ts';
import type { Tier } from '../policy/tier.ts';
import type { Ended, Limits } from '../process/order.ts';
import type { Progress } from '../process/progress.ts';
import type { Sandbox } from '../process/sandbox/sandbox.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { VariableUse } from '../skill/need/need.ts';
import type { Source } from '../skill/skill.ts';
import type { InterruptStore } from '../store/interrupt-store.ts';
import type { Use } from '../store/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RunHosts } from './network/run-hosts.ts';
import type { ServerHost } from './server/server-host.ts';

export interface Door {
  readonly language: Language;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Places;
  /** What the project has guarded beyond the names every project has, as it is now. */
  readonly guarded: () => Guarded;
  readonly folders: DoorFolders;
  /** Throws a Fault that suggests near names. */
  resolve(reference: string, source?: Source): SkillEntry;
  /** Throws a Fault for an installed skill that is not what was installed: as a whole, or the one file that is read. */
  requireUnchanged(skill: SkillEntry, looked: { readonly digest: Digest } | { readonly file: string }): void;
  /** The folder whose agents/ hold the roles: the project, or files that were fetched for a job. */
  readonly roles: string;
  /** `role/skill` as a skill of that role; undefined where there is no such role or skill. */
  resolveRole(reference: string): Promise<SkillOfRole | undefined>;
  /** Everything but the skills and the tier, which the call decides. */
  readonly policy: Omit<Policy, 'skills' | 'tier' | 'places' | 'effectsOnly'>;
  /** Whether only effects are asked about, and who said so. */
  readonly effectsOnly: EffectsChoice;
  /** Whether content inspection finds something grave in these files. */
  hasGraveFinding(skill: SkillEntry, digest: Digest): Promise<boolean>;
  /** Which variables its code reads, as far as reading the code tells. */
  variablesRead(skill: SkillEntry): Promise<readonly VariableUse[]>;
  /** Lists that bind every call through this door, beside those of its own skills: of the run another run is part of. */
  readonly within?: readonly Allowance[];
  readonly grants: () => readonly Grant[];
  /** Digests of the skills that ship with the product, by name. */
  readonly shipped: Readonly<Record<string, Digest>>;
  readonly approvals: Approvals;
  /** Asks a person; absent where nobody is there to answer. */
  readonly ask?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** Writes the grant that a person gave by "always", on the owner's record; absent where nobody could give one. */
  readonly grantAlways?: (wanted: OfferedGrant) => Grant;
  /** What of a skill a person has said yes to before. */
  readonly seen: SeenFiles;
  /** Somebody reads the answer and can call again: missing parameters are a question, not a failure. */
  readonly attended: boolean;
  /** A person said yes in advance to what this command asks. */
  readonly yes: boolean;
  /** Somebody has said no already: whatever would be allowed is refused, on the record. */
  readonly no?: { readonly reason?: string };
  readonly interrupts: InterruptStore;
  readonly sandbox: () => Promise<Sandbox>;
  readonly limits: Partial<Limits> & Record<'timeoutSeconds' | 'scriptSeconds' | 'commandSeconds', number>;
  /** What the user's own settings say about the way out. */
  readonly network: { readonly caFile?: string; readonly upstreamProxy?: string };
  /** Asks a person about a host that a call of theirs tries to reach; absent where nobody is there to answer. */
  readonly askHost?: (question: HostQuestion & { readonly skill: string }, signal: AbortSignal) => Promise<HostAnswer>;
  /** Asks a person about the whole network, where hosts cannot be told apart; absent where nobody is there to answer. */
  readonly askNetwork?: (question: NetworkQuestion) => Promise<Exclude<HostAnswer, 'always'>>;
  /** Servers of others, as the user's own settings name them. */
  readonly servers: ServerHost;
  /** What they answered for the rest of the run. */
  readonly runHosts: RunHosts;
  readonly interpreters: readonly string[];
  /** What the user's own settings say about packages. */
  readonly environment: IndexSettings & BuildBounds & { readonly isolated: boolean };
  /** The packages of a skill at this digest, and those of configured runtimes. Throws a Fault for what was changed; `holds` keeps the others from being removed. */
  readonly packages: (skill: SkillEntry | undefined, digest: Digest | '', holds: DisposableStack) => UsedPackages;
  /** Keeps what was agreed to and built, on the owner's record. */
  readonly keepPrepared: (built: BuiltPackages) => Promise<void>;
  /** Folders of configured runtimes, shown read-only. Throws a Fault where one may not be shown any more. */
  readonly runtimes: () => readonly string[];
  readonly run: Pick<RunFolder, 'record' | 'keep' | 'keptFolder'>;
  /** Remembers one execution; what prevented that, if anything. */
  recordUse(skill: SkillEntry, use: Use): Promise<string | undefined>;
  /** The project as the calls of a run see it that may write into it. */
  readonly workspace: Workspace;
  /** Names every process of its calls, so that another process can end them. */
  readonly tag?: string;
  readonly debug?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** All that a process wrote to stderr, without secrets, once it has ended. */
  readonly onStderr?: (text: string) => void;
  /** What a process left when it ended, without secrets. */
  readonly onEnded?: (ended: Ended) => void;
  /** What its calls hang below; absent where nothing is traced. */
  readonly tracer?: Tracer;
  /** The same door, with the same record and the same approvals, for calls that differ in this. */
  derive(change: DoorChange): Door;
}

/** For the code of a skill as it is now. */
export interface BuiltPackages {
  readonly skill: string;
  readonly digest: Digest;
  readonly manifest: EnvironmentManifest;
  /** Takes the place of what the lock has for the same needs; absent where it is there already. */
  readonly locked?: LockedEnvironment;
}

/** A skill that was let reach hosts, in a sandbox that shares the network of the machine. */
export interface NetworkQuestion {
  readonly skill: string;
  readonly hosts: readonly string[];
  readonly tier: Tier;
}

/** Shared by all calls of a command: a person may choose it at a question. */
export interface EffectsChoice {
  by(): EffectsOnly | undefined;
  /** From now on, until the process ends. */
  choose(): void;
  /** Whether it may be answered at a question: at the first one of a run, and where it does not hold already. */
  offer(): boolean;
}

export interface DoorChange {
  /** Lists that bind these calls beside those of the door. */
  readonly within?: readonly Allowance[];
  readonly interrupts?: InterruptStore;
  /** Ends these calls, too. */
  readonly signal?: AbortSignal | undefined;
  readonly tracer?: Tracer | undefined;
}

export interface SkillOfRole {
  readonly skill: SkillEntry;
  readonly role: Allowance;
  /** Where its skills work. */
  readonly folder: string;
}

/** Folders of our own, all under home but the output folder. */
export interface DoorFolders {
  readonly snapshots: string;
  readonly cache: string;
  readonly work: string;
  /** Of skills that a person lets keep files between runs. */
  readonly homes: string;
  /** Where results go, inside the project. */
  readonly output: string;
}
