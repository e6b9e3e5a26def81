// Approvals: for one call (bound to what was shown, used once, for ten minutes), or for a skill and tool until the run ends.
import type { Clock } from '../base/clock.ts';
import { sha256 } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import type { Digest } from '../base/value/digest.ts';
import { toolOf } from '../tools/list.ts';
import type { ToolName } from '../tools/tool-name.ts';
import type { Reach } from './consent/reach.ts';
import type { RunFile } from './grant/grant.ts';
import type { ObeyedFile } from './need.ts';
import type { PolicyDecision } from './policy.ts';

/** What an approval is about: another value of any of these needs another one. With scope `run` the arguments do not count. */
export interface ApprovalSubject {
  /** Of the skill's files; empty for a call without a skill. */
  readonly digest: Digest | '';
  readonly tool: ToolName;
  /** The whole of the arguments, as they will be used. */
  readonly args: unknown;
  readonly network: boolean;
  readonly policy: string;
  /** What it changes that other tools obey; absent where there is nothing. */
  readonly obeyed?: readonly ObeyedFile[];
  /** What it may reach beyond its sandbox by this very yes; absent where a yes gives nothing of the kind. */
  readonly reach?: Reach;
  /** Unapplied changes by others that it could send away; absent where there are none. */
  readonly mixed?: readonly RunFile[];
}

/** `once`: this very call. `run`: this skill and tool until the run ends. */
export type ApprovalScope = 'once' | 'run';
/** How the answer came: at the prompt, by `--yes`, by `resume`, or told by a program that asked somebody. */
export type Answerer = 'person' | 'yes-option' | 'resume' | 'client';

/** A yes that nobody gave at our own question counts no more than `--yes` does. */
export function isFromAfar(by: Answerer): boolean {
  return by === 'yes-option' || by === 'client';
}

export interface Approval {
  readonly key: string;
  readonly scope: ApprovalScope;
  readonly by: Answerer;
  readonly expires: number;
}

export interface Approvals {
  give(subject: ApprovalSubject, scope: ApprovalScope, by: Answerer): void;
  /** The approval that covers this call; one for `once` is used up by it. */
  take(subject: ApprovalSubject): Approval | undefined;
}

const LIFETIME_MS = 10 * 60 * 1000;

/** Approvals of one run. They are kept in memory only, so nothing can be planted. */
export function createApprovals(clock: Clock): Approvals {
  const given = new Map<string, Approval>();
  return {
    give(subject, scope, by) {
      if (scope === 'run' && !scopesFor(subject).includes('run')) throw new Error('not offered for this call');
      const expires = scope === 'run' ? Number.POSITIVE_INFINITY : clock.now() + LIFETIME_MS;
      const approval = { key: approvalKey(subject, scope), scope, by, expires };
      given.set(approval.key, approval);
    },
    take(subject) {
      for (const scope of ['once', 'run'] as const) {
        const approval = given.get(approvalKey(subject, scope));
        if (approval?.scope === 'once') given.delete(approval.key);
        if (approval && approval.expires > clock.now()) return approval;
      }
      return undefined;
    },
  };
}

export function approvalKey(subject: ApprovalSubject, scope: ApprovalScope = 'once'): string {
  const { args, ...standing } = subject;
  return sha256(`skillwright approval 1\n${canonicalJson(scope === 'once' ? subject : { ...standing, scope })}`);
}

/** A command can be anything, a call without a skill has no files to hold on to, and what others obey is no habit: asked every time. */
export function scopesFor({
  digest,
  tool,
  obeyed,
  mixed,
}: Pick<ApprovalSubject, 'digest' | 'tool' | 'obeyed' | 'mixed'>): readonly ApprovalScope[] {
  const canBeAnything = /^(?:command|shell)$/.test(toolOf(tool).about);
  return canBeAnything || digest === '' || obeyed || mixed ? ['once'] : ['once', 'run'];
}

/** What `--yes` is asked to answer. */
export interface YesQuestion {
  readonly about: 'call' | 'trust' | 'changed-key';
  readonly decision?: Pick<PolicyDecision, 'effect' | 'onlyGrant' | 'onlyPerson'>;
  /** The gravest finding in what the call would run. */
  readonly finding?: string;
  /** What it would be handed that nobody consented to by name. */
  readonly variables?: readonly string[];
}

const GRAVE = new Set(['HIGH', 'CRITICAL']);

/** `--yes` answers what policy asks, and nothing else. */
export function yesAnswers({ about, decision, finding, variables = [] }: YesQuestion): boolean {
  if (about !== 'call' || decision?.effect !== 'ask' || decision.onlyGrant || decision.onlyPerson) return false;
  return variables.length === 0 && (finding === undefined || !GRAVE.has(finding.toUpperCase()));
}
