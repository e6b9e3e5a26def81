// `prepare`: what a skill's packages come to, asked of the index, or the packages built as they were locked.

import { Fault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Data } from '../../base/outcome.ts';
import { buildLocked, type PrepareSurroundings, resolveNeeds } from '../../environment/build/prepare-work.ts';
import { indexPlace } from '../../environment/index-place.ts';
import { entryHash, type LockedEnvironment, packageWord } from '../../environment/lock/lock-entry.ts';
import { plainLocked, readLocked } from '../../environment/lock/lock-file.ts';
import { needDigest } from '../../environment/need/need-set.ts';
import { tellManifest } from '../../environment/store/manifest.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import { calledName } from '../../registry/called-name.ts';
import { digestSkill } from '../../skill/digest.ts';
import { runCommand } from '../../tools/run-command.ts';
import type { PrepareEnvironment } from '../call.ts';
import type { Door } from '../door.ts';
import type { CallEffect } from '../work.ts';
import type { ToolWork } from './tool.ts';

/** It is a command like one that a person types: settings that deny or ask about those decide about it. */
export async function understandPrepare(call: PrepareEnvironment, door: Door): Promise<ToolWork> {
  const skill = (await door.resolveRole(call.skill))?.skill ?? door.resolve(call.skill, call.source);
  const { digest } = digestSkill(skill);
  const locked = call.locked === undefined ? undefined : requireLocked(call.locked);
  const words = locked ? buildWords(locked, call.changes) : resolveWords(call, door);
  const effect: CallEffect = {
    ...{ tool: runCommand.name, skill, digest, words },
    args: argsOf(call, locked),
    asked: { tool: runCommand.name, argv: words, network: true },
    granted: {},
    allowances: [],
    network: true,
  };
  const run: ToolWork['run'] = async ({ onAttempt }) => {
    const around = await surroundingsOf(door, onAttempt);
    if (!locked) return await resolve(call, around);
    const { manifest, found } = await buildLocked(locked, call.withoutScripts ?? false, around);
    const isNew = (call.changes ?? []).length > 0;
    await door.keepPrepared({ skill: calledName(skill), digest, manifest, ...(isNew && { locked }) });
    return { ...tellManifest(manifest), found };
  };
  return { ...effect, run };
}

async function resolve({ ecosystem, wanted }: PrepareEnvironment, around: PrepareSurroundings): Promise<Data> {
  const needs = { ecosystem, wanted, digest: needDigest(ecosystem, wanted) };
  const { entry, by } = await resolveNeeds(needs, around);
  const resolved = { by, at: new Date(around.now).toISOString() };
  return { locked: plainLocked({ hash: entryHash(entry), entry, resolved, trees: {} }) };
}

async function surroundingsOf(door: Door, onAttempt: (attempt: HostAttempt) => void): Promise<PrepareSurroundings> {
  const { places, env, folders, limits, environment, network, clock, signal } = door;
  return {
    ...{ home: places.home, project: places.project, env, cache: folders.cache, sandbox: await door.sandbox() },
    ...{ limits, settings: environment, network, now: clock.now(), onAttempt },
    ...(signal && { signal }),
  };
}

function requireLocked(value: Json): LockedEnvironment {
  const locked = readLocked(value);
  if (locked) return locked;
  throw new Fault('IntegrityMismatch', 'environments.lock.json', { details: { check: 'environment-lock' } });
}

/** A yes to a build is a yes to this very entry. */
function argsOf(
  { ecosystem, wanted, withoutScripts }: PrepareEnvironment,
  locked: LockedEnvironment | undefined,
): Json {
  if (!locked) return { step: 'resolve', ecosystem, wanted: [...wanted] };
  return { step: 'build', entry: locked.hash, ...(withoutScripts && { without_scripts: true }) };
}

function resolveWords({ ecosystem, wanted }: PrepareEnvironment, { environment }: Door): string[] {
  const { url } = indexPlace(ecosystem, environment);
  return ecosystem === 'python'
    ? ['pip', 'install', '--dry-run', '--index-url', url, ...wanted]
    : ['npm', 'install', '--package-lock-only', '--registry', url, ...wanted];
}

function buildWords({ entry, hash }: LockedEnvironment, changes: readonly string[] = []): string[] {
  const packages = entry.packages.map((one) => packageWord(entry, one));
  const words =
    entry.ecosystem === 'python'
      ? ['pip', 'install', '--require-hashes', '--only-binary', ':all:', '--index-url', entry.index]
      : ['npm', 'ci', '--ignore-scripts', '--registry', entry.index];
  const changed = changes.length === 0 ? [] : [`(changes the lock: ${changes.join(', ')})`];
  return [...words, ...packages, ...changed, `(${hash.slice(0, 19)})`];
}
