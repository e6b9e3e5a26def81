// What settings say once they are read: one plain value. Types only: they are public, and name no schema.
import type { ModelSettings } from '../model/settings.ts';
import type { VetPolicy } from './vet-policy.ts';

export interface ConfigPlaces {
  readonly project: string;
  readonly home: string;
}

export interface Execution {
  readonly default: 'ask' | 'deny';
  readonly requireApprovalFor: readonly string[];
  /** Tools that may still be asked for where the default is `deny`. */
  readonly enabled: readonly string[];
  readonly denied: readonly string[];
  /** The only programs that are started; absent: any. */
  readonly programs?: readonly string[];
  /** Whether what stays inside sandbox and layer needs a yes of its own. */
  readonly ask: 'each' | 'effects';
}

/** What every server of others has. */
interface ServerFacts {
  /** Only these of its tools; absent: all of them. */
  readonly tools?: readonly string[];
  readonly timeoutSeconds?: number;
}

/** A program that speaks on its standard streams, started in the sandbox. */
export interface ProgramServer extends ServerFacts {
  readonly command: readonly string[];
  /** Variables of the user's environment that it gets. */
  readonly variables: readonly string[];
  /** Hosts that it may reach, as grants spell them. */
  readonly hosts: readonly string[];
  /** Absolute: folders outside the project that it may read. */
  readonly read: readonly string[];
}

/** A server by its address. */
export interface AddressServer extends ServerFacts {
  readonly url: string;
  /** The variable whose value is sent as a bearer token. */
  readonly tokenEnv?: string;
}

/** Another program's tools by the Model Context Protocol, as the user's own settings name it. */
export type ServerSettings = ProgramServer | AddressServer;

/** The settings that count: those of the user with what a trusted project adds, all defaults filled in. */
export interface Config {
  /** As written; absent: the standard roots. */
  readonly skillRoots?: readonly string[];
  /** Absolute. */
  readonly outputFolder: string;
  readonly model: ModelSettings;
  /** All layers together. */
  readonly execution: Execution;
  /** The same by layer, for explaining a decision. */
  readonly executionLayers: { readonly user: Execution; readonly project: Partial<Execution> };
  readonly security: {
    readonly maxSkillBodyLines: number;
    readonly blockAngleBracketsInFrontmatter: boolean;
    /** What findings of content inspection mean for an installation. */
    readonly vet: VetPolicy;
  };
  readonly limits: {
    readonly memoryBytes: number;
    readonly processes: number;
    readonly fileBytes: number;
    readonly openFiles: number;
    /** The longest a skill, or a person for one call, may ask for. */
    readonly timeoutSeconds: number;
    /** Unless something else is asked for. */
    readonly scriptSeconds: number;
    readonly commandSeconds: number;
  };
  /** How large a project, and what calls do to it, may be. */
  readonly workspace: {
    readonly projectFiles: number;
    readonly layerFiles: number;
    readonly layerBytes: number;
    readonly copyFiles: number;
    readonly copyBytes: number;
    /** Folders below the project that calls do not see. */
    readonly leaveOut: readonly string[];
    /** Even where an overlay can be had. */
    readonly alwaysCopy: boolean;
  };
  /** Of the user's own settings only. The file is absolute. */
  readonly network: { readonly caFile?: string; readonly upstreamProxy?: string };
  readonly interpreters: readonly string[];
  /** Absolute folders, mounted read-only. */
  readonly runtimes: { readonly venv?: string; readonly nodeModules?: string };
  /** Packages of skills, of the user's own settings only. */
  readonly environment: {
    readonly pythonIndex?: string;
    readonly npmRegistry?: string;
    readonly indexHosts: readonly string[];
    readonly isolated: boolean;
    readonly maxBytes: number;
    readonly maxFiles: number;
    readonly buildSeconds: number;
  };
  readonly retention: { readonly runsDays: number; readonly observationsDays: number; readonly trashDays: number };
  readonly budgets: {
    readonly turns: number;
    readonly toolCalls: number;
    readonly scriptRuns: number;
    readonly tokens: number;
    readonly seconds: number;
    readonly cost: number;
    readonly catalogTokens: number;
  };
  /** Who answers the question of a script: a model first, or nobody but a person. */
  readonly interrupts: { readonly decideWith: 'person' | 'model' };
  /** A PostgreSQL server, as written; absent: a file on this machine. */
  readonly store: { readonly url?: string; readonly name?: string };
  /** A folder or an address, of the user's own settings only. */
  readonly packs?: string;
  /** By the names their tools are called with; of the user's own settings only. */
  readonly mcpServers: Readonly<Record<string, ServerSettings>>;
  /** Of this machine: jobs that name them are taken here. */
  readonly labels: readonly string[];
}
