// Carries a preparation out: what the lock or the index says, agreed to and built, one kind of packages after the other.
import { type Json, toJson } from '../../base/json.ts';
import type { Outcome } from '../../base/outcome.ts';
import { VERSION } from '../../base/version.ts';
import { perform, type Speaker } from '../../door/perform.ts';
import { indexPlace } from '../../environment/index-place.ts';
import { lockChanges } from '../../environment/lock/lock-change.ts';
import type { LockedEnvironment } from '../../environment/lock/lock-entry.ts';
import { plainLocked, readEnvironments, readLocked, writeEnvironment } from '../../environment/lock/lock-file.ts';
import { lockPlace } from '../../environment/lock/lock-place.ts';
import type { NeedSet } from '../../environment/need/need-set.ts';
import { type Caller, type OpenDoor, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { machineFor } from './machine.ts';
import type { PrepareRequest } from './prepare.ts';
import { notLocked } from './refuse.ts';

const OF_RECORD = { kind: 'prepare', version: VERSION } as const;
const SPEAKER: Speaker = { agent: 'skillwright', surface: 'own' };

export interface Preparation {
  readonly request: PrepareRequest;
  /** As the door finds the skill. */
  readonly reference: string;
  readonly runtime: Runtime;
  readonly caller: Caller;
  /** Said in advance, to every package. */
  readonly yes: boolean;
}

interface Chosen {
  readonly locked: LockedEnvironment;
  /** Against what the lock has. */
  readonly changes: readonly string[];
}

/** What was built, or the outcome that refuses or waits. */
export async function carryOut(sets: readonly NeedSet[], preparation: Preparation): Promise<Json[] | Outcome> {
  const { request, runtime, caller, yes } = preparation;
  using door = openDoor(runtime, { ...caller, ...OF_RECORD, request: request.skill, yes });
  const built: Json[] = [];
  let last: Outcome | undefined;
  for (const needs of sets) {
    const chosen = await lockedFor(needs, preparation);
    if ('state' in chosen) return chosen;
    last = await build(needs, chosen, preparation, door);
    if (last.state !== 'success') break;
    const { changes } = chosen;
    built.push(toJson({ ...Object(last.product?.result), ...(changes.length > 0 && { changes }) }));
  }
  if (last) door.finish(last);
  return last && last.state !== 'success' ? last : built;
}

/** What the lock proposes for this machine, else what the index has; the new entry is written beside the others. */
async function lockedFor(needs: NeedSet, preparation: Preparation): Promise<Chosen | Outcome> {
  const { runtime, request } = preparation;
  const file = lockPlace(runtime.project);
  const machine = await machineFor(needs.ecosystem, runtime);
  const known = readEnvironments(file).filter(({ entry }) => entry.needs === needs.digest);
  const fitting = known.filter(
    ({ entry }) => entry.platform === machine.platform && entry.interpreter === machine.interpreter,
  );
  const { url } = indexPlace(needs.ecosystem, runtime.config.environment);
  const found = fitting.find(({ entry }) => entry.index === url) ?? fitting[0];
  if (found && !request.update) return { locked: found, changes: [] };
  if (request.frozen) throw notLocked(needs, file);
  const locked = await resolveAnew(needs, preparation);
  if ('state' in locked) return locked;
  if (!found) writeEnvironment(file, locked);
  if (!found || found.hash === locked.hash) return { locked: found ?? locked, changes: [] };
  return { locked, changes: lockChanges(found.entry, locked.entry) };
}

async function resolveAnew(
  needs: NeedSet,
  { request, reference, runtime, caller }: Preparation,
): Promise<LockedEnvironment | Outcome> {
  // Whoever types the command wants the index asked; what comes of it is decided by the yes to the build.
  using asking = openDoor(runtime, { ...caller, ...OF_RECORD, request: request.skill, yes: true });
  const { ecosystem, wanted } = needs;
  const call = {
    kind: 'prepare',
    skill: reference,
    ...sourceOf(request),
    ecosystem,
    wanted,
    ...typedIn(asking),
  } as const;
  const outcome = await perform(call, asking, SPEAKER);
  asking.finish(outcome);
  const locked = outcome.state === 'success' ? readLocked(readField(outcome.product?.result, 'locked')) : undefined;
  return locked ?? outcome;
}

async function build(needs: NeedSet, { locked, changes }: Chosen, { request, reference }: Preparation, door: OpenDoor) {
  const { ecosystem, wanted } = needs;
  const call = {
    kind: 'prepare',
    skill: reference,
    ...sourceOf(request),
    ecosystem,
    wanted,
    ...typedIn(door),
  } as const;
  const withoutScripts = request.withoutScripts ? { withoutScripts: true } : {};
  const changed = changes.length > 0 ? { changes } : {};
  return await perform({ ...call, locked: plainLocked(locked), ...withoutScripts, ...changed }, door, SPEAKER);
}

function typedIn({ context }: OpenDoor) {
  return { byPerson: true, context } as const;
}

function sourceOf({ source }: PrepareRequest) {
  return source === undefined ? {} : { source };
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
