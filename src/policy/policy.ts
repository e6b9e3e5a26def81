// The words of a decision: what is asked, what each layer says, what comes out.
import type { ToolRule } from '../skill/skill.ts';
import type { Risk, ToolName } from '../tools/tool-name.ts';
import type { AskMode, Beyond, EffectsOnly } from './asking.ts';
import type { ObeyedFile, ToolUse } from './need.ts';
import type { Places } from './place.ts';
import { type PolicyRule, sayRule } from './rule.ts';
import type { Tier } from './tier.ts';

/** From strict to lax. */
export const EFFECTS = ['deny', 'ask', 'allow'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What is asked for, before its tool is known to exist. */
export interface AskedCall extends ToolUse {
  readonly tool: string;
  /** The call wants to reach the network from inside the sandbox. */
  readonly network?: boolean;
  /** Of the files it changes, those that other tools obey. */
  readonly obeyed?: readonly ObeyedFile[];
  /** A person typed this very command, as with `edit`. Never set for a model, a skill or a job. */
  readonly byPerson?: boolean;
  /** Files that it changes are those of the layer of its run. */
  readonly inLayer?: boolean;
  readonly beyond?: readonly Beyond[];
  /** Content inspection found something grave in the skill; looked for where nobody would be asked otherwise. */
  readonly finding?: boolean;
}

/** Settings of the user; unknown names in them mean nothing. */
export interface PolicySettings {
  readonly default: 'ask' | 'deny';
  /** Absent: everything but reading. */
  readonly requireApprovalFor?: readonly string[];
  /** Tools switched on where the default is `deny`. */
  readonly enabled?: readonly string[];
  readonly denied?: readonly string[];
  /** The only programs that are started; absent: any. */
  readonly programs?: readonly string[];
}

/** Settings of a project: each can only add a restriction. */
export interface Tightening {
  readonly default?: 'ask' | 'deny';
  readonly requireApprovalFor?: readonly string[];
  readonly denied?: readonly string[];
  readonly programs?: readonly string[];
  /** `each` is the only word that tightens. */
  readonly ask?: AskMode;
}

export interface Allowance {
  readonly name: string;
  /** Absent: no restriction. Empty: no tool at all. */
  readonly allowedTools?: readonly ToolRule[];
  /** The folder of a skill, which its list may name. */
  readonly folder?: string;
  /** A skill's own declaration that it needs the network. */
  readonly network?: boolean;
}

export interface Policy {
  readonly settings: PolicySettings;
  readonly project?: Tightening;
  /** What the program adds that has us as a library: it can only restrict, as a project can. */
  readonly caller?: Tightening;
  readonly role?: Allowance;
  /** The skill a call belongs to; for a call that belongs to none, every active skill. */
  readonly skills?: readonly Allowance[];
  /** What this run permits, such as read-only tools. */
  readonly runtime?: Allowance;
  readonly tier?: Tier;
  /** Absent: each call that needs a yes is asked about. Never there for a remote caller or a job. */
  readonly effectsOnly?: EffectsOnly;
  readonly places: Places;
}

export interface Layer {
  readonly layer: 'tools' | 'state' | 'files' | 'global' | 'project' | 'role' | 'skill' | 'runtime' | 'sandbox';
  readonly rule: PolicyRule;
  readonly effect: Effect;
}

/** A layer as records and `--json` carry it: the rule in words. */
export interface SpokenLayer extends Pick<Layer, 'layer' | 'effect'> {
  readonly rule: string;
}

export function speakLayers(layers: readonly Layer[]): SpokenLayer[] {
  return layers.map(({ layer, rule, effect }) => ({ layer, rule: sayRule(rule).en, effect }));
}

export interface PolicyDecision {
  readonly effect: Effect;
  readonly risk: Risk;
  /** Undefined for a name nobody knows. */
  readonly tool: ToolName | undefined;
  readonly layers: readonly Layer[];
  /** Only a grant that reaches down to this tier can turn `ask` into yes. */
  readonly onlyGrant?: Tier;
  /** Neither `--yes` nor a grant nor an earlier yes to other calls can: other tools obey what it changes. */
  readonly onlyPerson?: true;
  /** It is allowed because it stays inside: nobody has seen it, so what it changes is asked about at the end. */
  readonly inside?: true;
}
