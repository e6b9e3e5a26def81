// A person's standing permission for one thing of one skill, as its files are now.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { commandsOf } from '../../door/kind/shell.ts';
import { runFilesOfAll, runPlaces } from '../../door/run-file.ts';
import { followed } from '../../door/standing-grant.ts';
import type { Grant, GrantTarget } from '../../policy/grant/grant.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { boundDigest } from '../../registry/role/skill.ts';
import { digestSkill } from '../../skill/digest.ts';
import type { Runtime } from '../runtime.ts';
import { guardedOf } from '../workspace/guarded.ts';
import { type AskedConsent, readConsented, refuseIdleConsent } from './consented.ts';
import { declaredVariables } from './declared.ts';
import { giveGrant } from './give.ts';
import { findGrantee, type NamedGrantee, namesWorkers } from './grantee.ts';
import { whyOfNoUse } from './idle.ts';
import { refuseOwnScript } from './own-script.ts';
import { type AskedReach, reachOf, readWrites, refuseIdleReach } from './reach.ts';
import { type GrantedThing, targetFor } from './target.ts';

export interface GrantOrder extends NamedGrantee, AskedReach {
  readonly thing: GrantedThing;
  /** What its code may reach beyond the sandbox. */
  readonly consent?: AskedConsent;
  /** Absent: it holds until it is revoked. */
  readonly lifetimeMs?: number | undefined;
  /** Bound to the folder, so that changes of its files keep it. */
  readonly follow: boolean;
}

export interface AddedGrant {
  readonly grant: Grant;
  /** Variables that its calls are handed beside those it names. */
  readonly declared: readonly string[];
  /** What keeps it from helping, here and now. */
  readonly note?: Text | undefined;
}

export async function addGrant(order: GrantOrder, runtime: Runtime): Promise<AddedGrant> {
  runtime.requireConfig();
  const { skill, role } = await findGrantee(order, runtime);
  const { digest, files } = digestSkill(skill);
  const named = targetFor(order.thing, { skill, files, isWorker: namesWorkers(order.skill) });
  refuseOwnScript(named, skill, files, runtime);
  const target = await withRunFiles(named, skill, runtime);
  const { project } = runtime;
  const reach = { ...order, writes: readWrites(order.writes, { project, guarded: () => guardedOf(runtime) }) };
  refuseIdleReach(target, skill, reach);
  const consented = readConsented(order.consent ?? {}, runtime);
  refuseIdleConsent(target, consented, order.follow);
  requireLifetime(order.lifetimeMs);
  const now = runtime.clock.now();
  const wanted = {
    skill: calledName(skill),
    bound: order.follow ? { follow: followed(skill) } : { digest: boundDigest(skill, digest) },
    target,
    ...reachOf(target, reach),
    ...(consented && { reach: consented }),
    created: now,
    expires: order.lifetimeMs === undefined ? null : now + order.lifetimeMs,
  };
  const grant = giveGrant(wanted, runtime);
  return { grant, declared: declaredVariables(grant, skill), note: await whyOfNoUse(grant, { skill, role }, runtime) };
}

/** A command is granted for the files it runs as they are now. */
async function withRunFiles(target: GrantTarget, skill: SkillEntry, { places }: Runtime): Promise<GrantTarget> {
  if (target.kind !== 'command' && target.kind !== 'shell') return target;
  const commands = target.kind === 'command' ? [target.words] : await commandsOf(target.script);
  const runs = runFilesOfAll(commands, runPlaces(places, skill));
  return runs.length === 0 ? target : { ...target, runs };
}

function requireLifetime(lifetimeMs: number | undefined): void {
  if (lifetimeMs === undefined || lifetimeMs > 0) return;
  throw new Fault('Usage', { en: '--expires must be more than nothing', zh: '--expires 须大于零' });
}
