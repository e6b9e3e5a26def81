// One requested effect, as plain data: it can be stored, asked about, approved later and performed then.
import type { Json } from '../base/json.ts';
import type { Source } from '../skill/skill.ts';

/** Who asks, for the record and for the skill; the request id is always there. */
export interface CallContext {
  readonly request_id: string;
  readonly agent_id?: string;
  readonly user_id?: string;
}

interface CallBase {
  readonly context: CallContext;
  /** The role on whose behalf it happens. */
  readonly role?: string;
  /** Reach the network from inside the sandbox. */
  readonly network?: boolean;
  /** Lower than the usual limit; for a person also higher, within that of the user's settings. */
  readonly timeoutSeconds?: number;
  /** A person typed this very call: files they name may lie anywhere. Never set for a model, a skill or a job. */
  readonly byPerson?: boolean;
  /** The folder that person stood in: paths they typed are meant from there. */
  readonly from?: string;
}

interface SkillCall {
  /** A name, a folder name or `source:name`. */
  readonly skill: string;
  readonly source?: Source;
}

/** A file of a skill that an interpreter fits, run in the project. */
export interface RunScript extends CallBase, SkillCall {
  readonly kind: 'run_script';
  readonly script: string;
  /** The script is a Python module, named as behind `python -m`. */
  readonly asModule?: boolean;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** The standard input of this process is its own: a person's pipe. */
  readonly ownInput?: boolean;
}

/** A program with its words, run in the project folder; no shell in between. */
export interface RunCommand extends CallBase, Partial<SkillCall> {
  readonly kind: 'run_command';
  readonly argv: readonly string[];
  /** The skills whose lists all apply when the call belongs to none of them. */
  readonly active?: readonly string[];
}

/** A script that a shell reads in the project folder. */
export interface RunShell extends CallBase, Partial<SkillCall> {
  readonly kind: 'run_shell';
  readonly script: string;
  /** As of a command: the skills whose lists all apply when the call belongs to none of them. */
  readonly active?: readonly string[];
}

/** A skill by its name alone: its command with these parameters, or the text of a prompt skill. */
export interface InvokeSkill extends CallBase, SkillCall {
  readonly kind: 'invoke';
  /** Fills `{input}`, or the first parameter that is needed. */
  readonly input?: string;
  /** Words behind the input, for `$1` to `$9` and `$ARGUMENTS`. */
  readonly more?: readonly string[];
  readonly params: Readonly<Record<string, Json>>;
}

/** An action of a protocol skill, which may be named `role/skill`. */
export interface CallAction extends CallBase, SkillCall {
  readonly kind: 'call';
  readonly action: string;
  readonly params: Readonly<Record<string, Json>>;
  /** Sent as it stands instead of the request, to see what the skill makes of it. */
  readonly stdin?: string;
  /** Not held against what the skill declares, to see what it makes of it. */
  readonly isTrial?: boolean;
}

/** A tool of our own, done in this process: reading, writing and deleting files, a request to the network. */
export interface UseTool extends CallBase, Partial<SkillCall> {
  readonly kind: 'use_tool';
  readonly tool: string;
  readonly args: Readonly<Record<string, Json>>;
  /** Sees and changes files as the calls of its run do: in their layer. */
  readonly layered?: boolean;
  /** As of a command: the skills whose lists all apply when the call belongs to none of them. */
  readonly active?: readonly string[];
}

/** A tool of a server that the user's settings name. */
export interface UseServer extends CallBase, Partial<SkillCall> {
  readonly kind: 'use_server';
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, Json>>;
  /** As of a command: the skills whose lists all apply when the call belongs to none of them. */
  readonly active?: readonly string[];
}

/** A script of the project's bin/, run in the project folder. */
export interface RunWorker extends CallBase {
  readonly kind: 'run_worker';
  readonly interpreter: string;
  /** Below the project: `bin/x.py`. */
  readonly script: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Names its processes, so that another process can end them. */
  readonly tag?: string;
}

/** The packages that a skill imports: asked for at the index, or, with `locked`, built as they were locked. */
export interface PrepareEnvironment extends CallBase, SkillCall {
  readonly kind: 'prepare';
  readonly ecosystem: 'python' | 'node';
  /** What the resolver is asked for. */
  readonly wanted: readonly string[];
  /** An environment as its lock file has it. */
  readonly locked?: Json;
  /** What npm packages would run at installation is left out. */
  readonly withoutScripts?: boolean;
  /** How it differs from what the lock has, which it takes the place of once it is built. */
  readonly changes?: readonly string[];
}

export type Call =
  | RunScript
  | RunCommand
  | RunShell
  | InvokeSkill
  | CallAction
  | UseTool
  | UseServer
  | RunWorker
  | PrepareEnvironment;
