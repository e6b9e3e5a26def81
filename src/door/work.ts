// A call, understood: which skill at which digest, what is asked of policy, what a person would be shown, how it runs.
import type { Json } from '../base/json.ts';
import type { Answering, Outcome } from '../base/outcome.ts';
import type { Digest } from '../base/value/digest.ts';
import type { GrantedCall, RunFile } from '../policy/grant/grant.ts';
import type { Allowance, AskedCall, Policy } from '../policy/policy.ts';
import type { OWN_INPUT } from '../process/order.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { CallView } from '../tools/call-view.ts';
import { isExecuting } from '../tools/list.ts';
import type { runCommand } from '../tools/run-command.ts';
import type { runScript } from '../tools/run-script.ts';
import type { runShell } from '../tools/run-shell.ts';
import type { ToolName } from '../tools/tool-name.ts';
import type { Call } from './call.ts';
import type { Door } from './door.ts';
import type { Executed } from './executed.ts';

/** A script that a shell reads. */
interface ShellProgram {
  readonly shell: string;
  /** The words that may name files it runs. */
  readonly commands: readonly (readonly string[])[];
  /** Interpreters that its commands start by name. */
  readonly interpreters: readonly string[];
}

/** What is started: a script of the skill by its interpreter, a program by its name, or a shell. */
export type Program =
  | ShellProgram
  | {
      readonly script: string;
      readonly args: readonly string[];
      readonly interpreter?: string;
      /** The script is run as this module of the skill. */
      readonly module?: string;
    }
  | { readonly argv: readonly [string, ...string[]] };

/** What policy, a person and the record need to know of a call, however it is done. */
export interface CallEffect {
  readonly tool: ToolName;
  readonly skill?: SkillEntry;
  /** The role the skill belongs to, and what it may use. */
  readonly role?: Allowance;
  /** Of the skill's files as they are now; empty without a skill. */
  readonly digest: Digest | '';
  /** The whole of the arguments: an approval is bound to them. */
  readonly args: Json;
  /** One entry is one word, as a person is shown it. */
  readonly words: readonly string[];
  /** What it would do to the files as they are now, with so many lines of them. */
  readonly preview?: (most?: number) => Promise<CallView>;
  readonly asked: AskedCall;
  /** Files of the project that a command runs: a yes is for these bytes. */
  readonly runs?: readonly RunFile[];
  readonly granted: Pick<
    GrantedCall,
    'action' | 'params' | 'script' | 'argv' | 'shell' | 'runs' | 'path' | 'paths' | 'url' | 'remote' | 'digest'
  >;
  readonly allowances: readonly Allowance[];
  readonly network: boolean;
}

/** An effect that a program has. */
export interface Work extends CallEffect {
  readonly tool: typeof runScript.name | typeof runCommand.name | typeof runShell.name;
  readonly program: Program;
  /** Whose words run: code of the skill at its digest, or a text of the caller's that at most names the skill. */
  readonly origin: 'skill' | 'caller';
  /** Absent: the project. */
  readonly cwd?: string;
  readonly stdin?: string | typeof OWN_INPUT;
  readonly seconds: number;
  readonly secrets: readonly string[];
  /** Files outside the project that the call was given, to be read. */
  readonly files: readonly string[];
  /** The output folder, and which of the results in it the call names. */
  readonly output: { readonly folder: string; readonly names: readonly string[] };
  /** A file below the project in which the call may leave a question; it is gone afterwards. */
  readonly question?: string;
  /** Names its processes, so that another process can end them. */
  readonly tag?: string;
  /** Whether it counts as a use of the skill. */
  readonly counts: boolean;
  /** What its end means. */
  conclude(executed: Executed, by: Answering): Outcome;
}

/** A call that needs no effect: it is answered as soon as it is understood. */
export interface AnsweredCall {
  answer(by: Answering): Outcome;
}

/** The policy of this very call. How strong the sandbox is matters only to what runs in it. */
export async function policyOf({ tool, role, allowances }: CallEffect, door: Door): Promise<Policy> {
  const skills = [...allowances, ...(door.within ?? [])];
  const effectsOnly = door.effectsOnly.by();
  const confined = isExecuting(tool) && { tier: (await door.sandbox()).tier };
  const mode = effectsOnly && { effectsOnly };
  return { ...door.policy, ...(role && { role }), skills, ...confined, ...mode, places: door.places };
}

export function wantsNetwork(call: Call, skill: SkillEntry | undefined): boolean {
  return call.network ?? skill?.manifest.network ?? false;
}

export function allowanceOf({ name, folder, manifest }: SkillEntry): Allowance {
  return {
    name,
    folder,
    network: manifest.network,
    ...(manifest.allowedTools && { allowedTools: manifest.allowedTools }),
  };
}

/** A person may ask for any time for one call, others for less; a command may only lower it, a script asks for what it needs. The user's own limit caps everything. */
export function secondsFor(
  call: Call,
  skill: SkillEntry | undefined,
  kind: 'script' | 'command',
  { limits }: Pick<Door, 'limits'>,
): number {
  const usual = kind === 'script' ? limits.scriptSeconds : limits.commandSeconds;
  const own = skill?.manifest.timeout ?? usual;
  const limit = kind === 'script' ? own : Math.min(usual, own);
  const asked = call.timeoutSeconds ?? limit;
  return Math.min(limits.timeoutSeconds, call.byPerson ? asked : Math.min(limit, asked));
}

export function secretsOf({ manifest }: SkillEntry): string[] {
  return [...(manifest.secrets ?? [])];
}

export function secretWords(skill: SkillEntry): string[] {
  return secretsOf(skill).map((name) => `secret: ${name}`);
}
