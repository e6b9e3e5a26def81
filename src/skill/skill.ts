// What a skill is, as values: the words every other folder uses.
import type { Diagnostic } from '../base/diagnostic.ts';

export const PROFILES = ['lenient', 'spec', 'strict'] as const;
/** How strictly SKILL.md is read: as people write it, as agentskills.io specifies, or with every required section too. */
export type Profile = (typeof PROFILES)[number];

export const KINDS = ['prompt', 'command', 'protocol'] as const;
/** How a skill is used: its instructions are read, its command is run, or its script speaks the protocol. */
export type Kind = (typeof KINDS)[number];

export const SOURCES = ['project', 'user', 'builtin'] as const;
/** Where a skill comes from; the first that has one of a name answers for it. */
export type Source = (typeof SOURCES)[number];

/** One entry of `allowed-tools`: a tool as the author named it, and the pattern in parentheses if there was one. */
export interface ToolRule {
  readonly tool: string;
  readonly pattern?: string;
}

export const PARAM_TYPES = ['string', 'number', 'integer', 'boolean', 'file', 'path', 'url', 'email'] as const;
export type ParamType = (typeof PARAM_TYPES)[number];

export interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly required: boolean;
  /** `required: false` was written: without a value its place in a command is left out. */
  readonly optional?: boolean;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  /** Of a number. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of a text, in characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Of a text: an expression that matches somewhere in it. */
  readonly pattern?: string;
  readonly description?: string;
  /** A value that starts with `-` may stand as a whole word. */
  readonly allowDash?: boolean;
}

export interface SkillAction {
  readonly name: string;
  readonly description?: string;
  readonly params: readonly Param[];
}

/** The frontmatter of a SKILL.md, checked: whatever stands here can be relied on. */
export interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly author?: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly argumentHint?: string;
  /** Absent: no restriction of its own. Empty: no tool at all. */
  readonly allowedTools?: readonly ToolRule[];
  readonly disableModelInvocation: boolean;
  readonly userInvocable: boolean;
  readonly runMode: 'inline' | 'subagent';
  readonly command?: string;
  readonly params?: readonly Param[];
  readonly entry?: string;
  readonly actions?: readonly SkillAction[];
  /** Seconds. */
  readonly timeout?: number;
  readonly requires?: readonly string[];
  readonly secrets?: readonly string[];
  readonly network: boolean;
  readonly deterministic: boolean;
  /** Opaque: never shown to a model. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Fields nobody here knows, kept as they were. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/** A manifest that could be read, or none; either way, what was found on the way. */
export interface ParsedSkill {
  readonly manifest?: Manifest;
  /** What a skill without a manifest calls itself, where that could be read. */
  readonly name?: string;
  readonly diagnostics: readonly Diagnostic[];
}
