// What keeps a role from doing its work: in its file, in its schedules, and on this machine.
import type { Diagnostic, Severity } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { canonicalJson, type Json } from '../base/json.ts';
import { nearest, visible } from '../base/text.ts';
import { AUTOMATIC_ACTIONS } from '../invoke/action.ts';
import type { Door } from '../invoke/door.ts';
import { refuseUnknown } from '../invoke/param.ts';
import { readSecret } from '../invoke/secret.ts';
import { findStanding, type GrantSources } from '../invoke/standing-grant.ts';
import { allowanceOf } from '../invoke/work.ts';
import { decide } from '../policy/decide.ts';
import type { Policy } from '../policy/policy.ts';
import { roleAllowance } from '../policy/role.ts';
import type { Tier } from '../policy/tier.ts';
import type { SkillEntry } from '../registry/discover.ts';
import type { Role } from '../registry/role.ts';
import { skillOfRole } from '../registry/role-skill.ts';
import { digestSkill } from '../skill/digest.ts';
import { checkValues } from './check-params.ts';
import { readSchedules, type Schedule } from './schedule.ts';

/** The machine the role would work on. */
export interface LintPlace {
  readonly env: Door['env'];
  readonly policy: Omit<Policy, 'skills' | 'role' | 'tier'>;
  readonly grants: GrantSources;
  readonly tier: Tier;
}

interface SkillTarget {
  readonly skill: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export function lintRole(role: Role, place: LintPlace): Diagnostic[] {
  if (!role.usable) return [...role.diagnostics];
  const { schedules, diagnostics } = readSchedules(role);
  const skills = role.skills.flatMap(({ name }) => skillOfRole(role, name) ?? []);
  return [
    ...role.diagnostics,
    ...diagnostics,
    ...skills.flatMap((skill) => [...lintTools(role, skill, place), ...lintSecrets(role, skill, place)]),
    ...schedules.flatMap((schedule) => lintTarget(role, schedule)),
    ...lintRepeated(role, schedules),
    ...lintGrants(role, schedules, place),
    ...(schedules.some(({ target }) => 'prompt' in target) && role.instructions === undefined
      ? [
          say(
            role,
            'instructions-missing',
            'warning',
            'a prompt is scheduled, but there is no CLAUDE.md',
            'write CLAUDE.md',
          ),
        ]
      : []),
  ];
}

/** A skill the role could never run. */
function lintTools(role: Role, skill: SkillEntry, place: LintPlace): Diagnostic[] {
  if (skill.kind === 'prompt') return [];
  const denying = decideFor(role, skill, place).layers.find(({ effect }) => effect === 'deny');
  if (!denying) return [];
  const tool = toolOf(skill);
  const message = `${skill.name} needs ${tool}, which is denied (${denying.layer}: ${denying.rule})`;
  const fix = denying.layer === 'role' ? `add ${tool} to allowed_tools` : `skillwright explain … ${tool} says why`;
  return [say(role, 'tool-denied', 'error', message, fix)];
}

function lintSecrets(role: Role, { name, manifest }: SkillEntry, { env }: LintPlace): Diagnostic[] {
  return (manifest.secrets ?? [])
    .filter((secret) => !isSet(secret, env))
    .map((secret) => {
      const message = `${name}: secret ${secret} is not set here`;
      return say(role, 'secret-missing', 'warning', message, `set ${secret}, or ${secret}_FILE to the path of a file`);
    });
}

function isSet(secret: string, env: Door['env']): boolean {
  try {
    return Boolean(readSecret(secret, env));
  } catch {
    return false;
  }
}

/** The skill, the action and the parameters a schedule names, against what there is. */
function lintTarget(role: Role, { id, target }: Schedule): Diagnostic[] {
  if ('prompt' in target) return [];
  const skill = skillOfRole(role, target.skill);
  const wrong = (code: string, message: string, fix: string) => [
    say(role, code, 'error', `schedule ${id}: ${message}`, fix),
  ];
  if (!skill) return wrong('skill-unknown', `there is no skill ${target.skill}`, offer(target.skill, role.skills));
  if (skill.kind !== 'protocol')
    return wrong(
      'skill-kind',
      `${target.skill} is a ${skill.kind} skill and has no actions`,
      'use a prompt that names it',
    );
  const declared = skill.manifest.actions ?? [];
  const action = declared.find(({ name }) => name === target.action);
  if (!action && declared.length > 0 && !AUTOMATIC_ACTIONS.includes(target.action))
    return wrong('action-unknown', `there is no action ${target.action}`, offer(target.action, declared));
  const problem = action && whyNotParams(action.params, target);
  return problem === undefined ? [] : wrong('params-invalid', problem, 'correct params');
}

function whyNotParams(declared: Parameters<typeof checkValues>[0], { params }: SkillTarget): string | undefined {
  try {
    const names = declared.map(({ name }) => name);
    if (names.length > 0) refuseUnknown(Object.keys(params), names);
    checkValues(declared, params as Record<string, Json>);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  const missing = declared.filter(
    ({ name, required, default: usual }) => required && usual === undefined && !(name in params),
  );
  return missing.length > 0 ? `params lack ${missing.map(({ name }) => name).join(', ')}` : undefined;
}

/** The same thing at the same times under two names would be done twice. */
function lintRepeated(role: Role, schedules: readonly Schedule[]): Diagnostic[] {
  const same = Map.groupBy(schedules, ({ when, timezone, target }) => canonicalJson({ when, timezone, target }));
  return [...same.values()].flatMap(([first, ...others]) =>
    others.map(({ id }) =>
      say(role, 'job-twice', 'warning', `schedule ${id} does the same as ${first?.id}`, 'remove one of them'),
    ),
  );
}

/** Nobody can be asked while a schedule runs: what it needs has to be granted before. */
function lintGrants(role: Role, schedules: readonly Schedule[], place: LintPlace): Diagnostic[] {
  const targets = schedules.flatMap(({ target }) => ('prompt' in target ? [] : [target]));
  const commands = targets.flatMap((target) => missingGrant(role, target, place) ?? []);
  return [...new Set(commands)].map((command) =>
    say(role, 'grant-missing', 'warning', 'a schedule would wait for a decision, because nothing is granted', command),
  );
}

/** The command that grants it. */
function missingGrant(role: Role, { skill: name, action, params }: SkillTarget, place: LintPlace): string | undefined {
  const skill = skillOfRole(role, name);
  if (skill?.kind !== 'protocol') return undefined;
  const decision = decideFor(role, skill, place);
  const digest = tryDigest(skill.folder);
  if (decision.effect === 'deny' || (decision.effect === 'allow' && !decision.onlyGrant) || !digest) return undefined;
  const { network } = skill.manifest;
  const granted = { script: skill.manifest.entry ?? '', action, params };
  const work = { tool: 'run_script', skill, digest, network, writes: false, granted } as const;
  if (findStanding(work, place.tier, place.grants).grant) return undefined;
  const tier = place.tier === 'S0' || place.tier === 'S1' ? ` --tier ${place.tier}` : '';
  return `skillwright grants add ${skill.name} --action ${action}${network ? ' --network' : ''}${tier}`;
}

function decideFor(role: Role, skill: SkillEntry, { policy, tier }: LintPlace) {
  const tool = toolOf(skill);
  const { entry = '', network } = skill.manifest;
  const asked = { tool, path: entry, argv: [entry], network, writes: false };
  return decide(asked, { ...policy, role: roleAllowance(role), skills: [allowanceOf(skill)], tier });
}

function toolOf({ kind }: SkillEntry): 'run_script' | 'run_command' {
  return kind === 'command' ? 'run_command' : 'run_script';
}

function tryDigest(folder: string): string | undefined {
  try {
    return digestSkill(folder).digest;
  } catch {
    return undefined;
  }
}

function offer(word: string, there: readonly { readonly name: string }[]): string {
  const names = there.map(({ name }) => name);
  const [near] = nearest(word, names);
  return near === undefined ? `there is: ${names.join(', ') || 'none'}` : `did you mean ${near}?`;
}

function say({ file }: Role, code: string, severity: Severity, message: string, fix: string): Diagnostic {
  return { code, severity, path: file, message: visible(message), fix: visible(fix) };
}
