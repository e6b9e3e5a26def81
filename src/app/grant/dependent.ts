// What rests on a grant: schedules that run by it or whose code reaches something by it, and questions that wait.

import { showHostRule } from '../../base/host-rule.ts';
import { isRecord, isTextList, type Json } from '../../base/json.ts';
import { NO_REACH } from '../../policy/consent/reach.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { listRoles } from '../../registry/role/role.ts';
import type { ListedInterrupt } from '../../store/interrupt-store.ts';
import { schedulesOf } from '../job/open-jobs.ts';
import { needsOf } from '../job/trouble.ts';
import { listWaiting } from '../resume/waiting.ts';
import { lintPlace } from '../role/lint.ts';
import type { Runtime } from '../runtime.ts';

export interface Dependents {
  /** By id. */
  readonly schedules: readonly string[];
  /** Ids of saved questions. */
  readonly questions: readonly string[];
}

/** By the id of a grant; those that nothing rests on are absent. */
export async function dependentsOf(
  grants: readonly Grant[],
  runtime: Runtime,
): Promise<ReadonlyMap<string, Dependents>> {
  if (grants.length === 0) return new Map();
  const schedules = await schedulesByGrant(runtime);
  const waiting = await listWaiting(runtime);
  const found = grants.map((grant): [string, Dependents] => {
    const questions = waiting.filter((question) => restsOn(question, grant)).map(({ id }) => id);
    return [grant.id, { schedules: schedules.get(grant.id) ?? [], questions }];
  });
  return new Map(found.filter(([, { schedules: some, questions }]) => some.length + questions.length > 0));
}

/** The sandbox is tried only where there is a schedule to judge. */
async function schedulesByGrant(runtime: Runtime): Promise<ReadonlyMap<string, string[]>> {
  const roles = await listRoles(runtime.project);
  const schedules = schedulesOf(roles).schedules.filter(({ enabled }) => enabled);
  const by = new Map<string, string[]>();
  if (schedules.length === 0) return by;
  const place = await lintPlace(runtime);
  for (const schedule of schedules) {
    const role = roles.find(({ name }) => name === schedule.role);
    const { grant, reach } = role ? needsOf(role, schedule, place) : {};
    const used = [
      ...(grant?.grant ? [grant.grant] : []),
      ...(reach?.grants ?? []),
      ...(reach?.lost ? [reach.lost.grant] : []),
    ];
    for (const id of new Set(used.map((one) => one.id))) by.set(id, [...(by.get(id) ?? []), schedule.id]);
  }
  return by;
}

/** A question shows what the call would reach: some of it by this grant, for this skill. */
function restsOn({ facts }: ListedInterrupt, { skill, reach = NO_REACH }: Grant): boolean {
  if (!isRecord(facts) || typeof facts.skill !== 'string' || nameIn(facts.skill) !== skill) return false;
  const shown = isRecord(facts.reach) ? facts.reach : {};
  const has = (kind: Json | undefined, names: readonly string[]) =>
    isTextList(kind) && kind.some((name) => names.includes(name));
  return (
    has(shown.hosts, reach.hosts.map(showHostRule)) ||
    has(shown.variables, reach.variables) ||
    has(
      shown.programs,
      reach.programs.map(({ file }) => file),
    ) ||
    has(shown.devices, reach.devices) ||
    (reach.home && shown.home !== undefined)
  );
}

/** Of `source:name@version`. */
function nameIn(skillId: string): string {
  return skillId.replace(/^\w+:/, '').replace(/@[^@]*$/, '');
}
