// Runs one action of a role's own skill or of an installed one: builds the request, validates everything first, and calls the door.
import { Fault } from '../base/errors.ts';
import { flatten } from '../base/flat-outcome.ts';
import type { Failure, Outcome } from '../base/outcome.ts';
import { nearest, visible } from '../base/text.ts';
import type { CallAction, CallContext, InvokeSkill } from '../door/call.ts';
import type { Door } from '../door/door.ts';
import { fail, nameFault } from '../door/fail.ts';
import { describeAction } from '../door/kind/action.ts';
import { checkPatterns } from '../door/param-pattern.ts';
import { answering, perform, type Speaker } from '../door/perform.ts';
import { secretsFor } from '../door/secret.ts';
import { secretsOf } from '../door/work.ts';
import { roleAllowance } from '../policy/role.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { findRole, listRoles, type Role, requireUsable } from '../registry/role/role.ts';
import { skillOfRole } from '../registry/role/skill.ts';
import { checkValues } from './check-params.ts';
import type { SkillOrder, SkillResult } from './skill-order.ts';
import { NO_ROLE } from './target-skill.ts';

export const JOB_SPEAKER: Speaker = { agent: 'jobs', surface: 'call' };

/** Never throws: an invalid order is an outcome too, and nothing has run then. */
export async function performSkill(order: SkillOrder, door: Door, context: CallContext): Promise<Outcome> {
  try {
    const { call, role } = await checkOrder(order, door, context);
    return await perform(call, role ? door.derive({ within: [roleAllowance(role)] }) : door, JOB_SPEAKER);
  } catch (error) {
    return failAsJob(error, door, order.skill_name);
  }
}

interface CheckedOrder {
  readonly skill: SkillEntry;
  readonly call: CallAction | InvokeSkill;
  /** The role whose list binds an installed skill; that of a role's own binds it anyway. */
  readonly role?: Role;
}

/** Throws a Fault for an unknown role, skill or action, for params that do not fit, and for a secret that is not set. */
export async function checkOrder(order: SkillOrder, door: Door, context: CallContext): Promise<CheckedOrder> {
  const { agent_role, skill_name, action, params = {}, timeout } = order;
  const role = agent_role === NO_ROLE ? undefined : await requireRole(door.roles, agent_role);
  const own = role && skillOfRole(role, skill_name);
  const skill = own ?? requireInstalled(role, skill_name, door);
  const limit = timeout !== undefined && { timeoutSeconds: timeout };
  const asked = { skill: own ? own.name : skill_name, params, context, ...limit };
  const isCommand = skill.kind === 'command' && action === '';
  const call = isCommand ? ({ kind: 'invoke', ...asked } as const) : ({ kind: 'call', action, ...asked } as const);
  if (call.kind === 'call') {
    describeAction(call, { skill, ...(own && role && { folder: role.folder }) }, door);
    const declared = skill.manifest.actions?.find(({ name }) => name === action)?.params ?? [];
    checkValues(declared, params);
    await checkPatterns(declared, params);
  }
  secretsFor({ secrets: secretsOf(skill) }, door);
  return { skill, call, ...(role && !own && { role }) };
}

export function failAsJob(error: unknown, door: Door, skill?: string): Outcome {
  return fail(answering(door, JOB_SPEAKER), nameFault(error), {}, skill);
}

export function toResult(outcome: Outcome, action: string): SkillResult {
  if (outcome.state === 'success') {
    const { data, message, metadata } = outcome.product?.reply ?? {};
    return {
      success: true,
      action,
      data: data ?? {},
      ...(message !== undefined && { message }),
      ...(metadata && { metadata }),
      outcome: flatten(outcome),
    };
  }
  const { code, msg, details } = failureOf(outcome);
  const error = {
    code: code ?? outcome.state.toUpperCase(),
    message: msg ?? outcome.summary,
    ...(details !== undefined && { details }),
  };
  return { success: false, action, error, outcome: flatten(outcome) };
}

function failureOf(outcome: Outcome): Failure {
  if (outcome.state === 'interrupted' && outcome.waitsFor === 'approval') return { code: 'APPROVAL_REQUIRED' };
  return 'failure' in outcome ? outcome.failure : {};
}

export async function requireRole(project: string, name: string): Promise<Role> {
  const role = await findRole(project, name);
  if (!role) throw await unknownRole(project, name);
  requireUsable(role);
  return role;
}

/** Throws a Fault that offers the skills of the role, or names near those that are installed. */
function requireInstalled(role: Role | undefined, name: string, door: Door): SkillEntry {
  try {
    return door.resolve(name);
  } catch (error) {
    if (role && error instanceof Fault && error.type === 'SkillNotFound') throw unknownSkill(role, name);
    throw error;
  }
}

function unknownSkill(role: Role, name: string): Fault {
  const names = role.skills.map((one) => one.name);
  const near = nearest(name, names);
  const list = (near.length > 0 ? near : names).map(visible).join(', ');
  return new Fault('SkillNotFound', visible(`${role.name}/${name}`), {
    details: { skill: name, role: role.name, suggestions: near },
    hint:
      near.length > 0
        ? { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` }
        : { en: `The role has: ${list || 'none'}.`, zh: `该角色有: ${list || '无'}。` },
  });
}

async function unknownRole(project: string, name: string): Promise<Fault> {
  const names = (await listRoles(project)).map((role) => role.name);
  const near = nearest(name, names);
  const shown = visible(name);
  const list = near.map(visible).join(', ');
  return new Fault(
    'DataNotFound',
    { en: `no role ${shown} in agents/`, zh: `agents/ 中没有角色 ${shown}` },
    {
      details: { role: name, suggestions: near },
      hint:
        list === ''
          ? { en: '`skillwright roles list` shows them.', zh: '`skillwright roles list` 列出角色。' }
          : { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` },
    },
  );
}
