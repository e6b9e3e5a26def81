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
  /** Of this machine: jobs that name them are taken here. */
  readonly labels: readonly string[];
}
