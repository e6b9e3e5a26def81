// Whether a scheduled action would run on a grant: a schedule has nobody to ask.
import { typedWord } from '../base/text/shell-word.ts';
import { consentFor } from '../door/consent/consent.ts';
import { unnamedBy } from '../door/consent/unnamed.ts';
import type { Door } from '../door/door.ts';
import { findStanding, type GrantSources } from '../door/standing-grant.ts';
import { allowanceOf, secretsOf } from '../door/work.ts';
import { decide } from '../policy/decide.ts';
import type { Grant } from '../policy/grant/grant.ts';
import type { Policy } from '../policy/policy.ts';
import { roleAllowance } from '../policy/role.ts';
import { type Tier, tierOption } from '../policy/tier.ts';
import { calledName } from '../registry/called-name.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Role } from '../registry/role/role.ts';
import { digestIfSound } from '../skill/digest.ts';
import { runCommand } from '../tools/run-command.ts';
import { runScript } from '../tools/run-script.ts';
import type { ToolName } from '../tools/tool-name.ts';
import type { FindInstalled } from './target-skill.ts';

/** The machine a role would run on. */
export interface LintPlace {
  readonly env: Door['env'];
  readonly policy: Omit<Policy, 'skills' | 'role' | 'tier'>;
  readonly grants: GrantSources;
  readonly tier: Tier;
  readonly installed: FindInstalled;
}

export interface SkillTarget {
  readonly skill: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type GrantNeed =
  | { readonly state: 'granted'; readonly grant: Grant }
  | {
      readonly state: 'missing' | 'expired' | 'changed';
      /** The one that ended, or that was given for other files. */
      readonly grant?: Grant;
      /** Grants it. */
      readonly command: string;
    };

/** Undefined where no grant is needed, or none would help. */
export function grantNeed(
  role: Role,
  skill: SkillEntry,
  { action, params }: SkillTarget,
  place: LintPlace,
): GrantNeed | undefined {
  const decision = decideFor(role, skill, place);
  const digest = digestIfSound(skill);
  if (decision.effect === 'deny' || (decision.effect === 'allow' && !decision.onlyGrant) || !digest) return undefined;
  const { network } = skill.manifest;
  const granted = { script: skill.manifest.entry ?? '', action, params };
  const work = { tool: 'run_script', skill, digest, network, granted } as const;
  const { grant, expired, voided } = findStanding(work, place.tier, place.grants);
  const { reach } = consentFor(work, place.tier, place.grants);
  const unnamed = secretsOf(skill).filter((name) => !reach.variables.includes(name));
  if (grant && unnamedBy(grant, unnamed).length === 0) return { state: 'granted', grant };
  const options = [`--action ${typedWord(action)}`, ...(network ? ['--network'] : []), ...tierOption(place.tier)];
  const command = ['skillwright grants add', typedWord(calledName(skill)), ...options].join(' ');
  if (voided) return { state: 'changed', grant: voided, command };
  return expired ? { state: 'expired', grant: expired, command } : { state: 'missing', command };
}

export function decideFor(role: Role, skill: SkillEntry, { policy, tier }: LintPlace) {
  const tool = toolOf(skill);
  const { entry = '', network } = skill.manifest;
  const asked = { tool, script: entry, argv: [entry], network };
  return decide(asked, { ...policy, role: roleAllowance(role), skills: [allowanceOf(skill)], tier });
}

export function toolOf({ kind }: SkillEntry): ToolName {
  return kind === 'command' ? runCommand.name : runScript.name;
}
