// The packages of a pinned job: named by the lock entries they were agreed to as, and built from the lock where this machine lacks them.
import { Fault } from '../../base/errors.ts';
import type { Outcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import { perform } from '../../door/perform.ts';
import { entryHash, type LockedEnvironment } from '../../environment/lock/lock-entry.ts';
import { plainLocked, readEnvironments } from '../../environment/lock/lock-file.ts';
import { lockPlace } from '../../environment/lock/lock-place.ts';
import { readPrepared } from '../../environment/store/prepared.ts';
import { findSound } from '../../environment/store/sound.ts';
import { JOB_SPEAKER } from '../../jobs/executor.ts';
import type { JobTarget } from '../../jobs/payload.ts';
import { calledName } from '../../registry/called-name.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { boundDigest } from '../../registry/role/skill.ts';
import { digestIfSound, digestSkill } from '../../skill/digest.ts';
import { machineFor } from '../environment/machine.ts';
import { type DoorOptions, openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';

type Places = Pick<Runtime, 'home' | 'project'>;

/** What is prepared here for the very files that a job is pinned to. */
export function withEnvironments(
  target: JobTarget,
  skill: SkillEntry | undefined,
  pinned: string | undefined,
  { home, project }: Places,
): JobTarget {
  if (!('skill' in target) || !skill || pinned === undefined) return target;
  const digest = digestIfSound(skill);
  if (digest === undefined || boundDigest(skill, digest) !== pinned) return target;
  const parts = readPrepared(home, project, digest)?.parts ?? [];
  const environments = parts.map(({ entry }) => entry).sort();
  return environments.length === 0 ? target : { ...target, environments };
}

/** Undefined where all of them are there now; else the outcome that says why not. Throws a Fault for what the lock does not name. */
export async function buildMissing(
  environments: readonly Digest[],
  skill: SkillEntry,
  runtime: Runtime,
  options: DoorOptions,
): Promise<Outcome | undefined> {
  const { digest } = digestSkill(skill);
  for (const entry of environments) {
    const part = readPrepared(runtime.home, runtime.project, digest)?.parts.find((one) => one.entry === entry);
    if (part && findSound(runtime.home, part.name)) continue;
    const locked = requireLocked(entry, skill, runtime);
    await requireMachine(locked, skill, runtime);
    // Whoever agreed to this entry on this machine is not asked again when it was pruned.
    const outcome = await build(locked, skill, runtime, {
      ...options,
      yes: options.yes === true || part !== undefined,
    });
    if (outcome.state !== 'success') return outcome;
  }
  return undefined;
}

async function build(
  { entry, ...locked }: LockedEnvironment,
  skill: SkillEntry,
  runtime: Runtime,
  options: DoorOptions,
) {
  using door = openDoor(runtime, { ...options, kind: 'prepare' });
  const call = {
    kind: 'prepare',
    skill: calledName(skill),
    ecosystem: entry.ecosystem,
    wanted: entry.wanted,
    locked: plainLocked({ entry, ...locked }),
    context: door.context,
  } as const;
  const outcome = await perform(call, door, JOB_SPEAKER);
  door.finish(outcome);
  return outcome;
}

/** Packages are chosen for one kind of machine. */
async function requireMachine({ entry }: LockedEnvironment, skill: SkillEntry, runtime: Runtime): Promise<void> {
  const here = await machineFor(entry.ecosystem, runtime);
  if (entry.platform === here.platform && entry.interpreter === here.interpreter) return;
  const name = visible(calledName(skill));
  const [locked, found] = [entry, here].map(({ platform, interpreter }) => `${interpreter}, ${platform}`);
  throw new Fault(
    'PackageRefused',
    {
      en: `the packages of ${name} that the job names are for ${locked}, and this machine is ${found}`,
      zh: `任务所用的 ${name} 的软件包适用于 ${locked}，而本机为 ${found}`,
    },
    {
      details: { environment: entryHash(entry), locked: locked ?? '', found: found ?? '' },
      hint: {
        en: 'Give the job a label that only machines of that kind have (`skillwright start --label`), or queue it on one like this.',
        zh: '请为任务指定只有该类机器才有的标签（`skillwright start --label`），或在与本机同类的机器上提交。',
      },
    },
  );
}

function requireLocked(entry: Digest, skill: SkillEntry, { project }: Places): LockedEnvironment {
  const file = lockPlace(project);
  const found = readEnvironments(file).find(({ hash }) => hash === entry);
  if (found) return found;
  const name = visible(calledName(skill));
  throw new Fault(
    'PackageRefused',
    {
      en: `the job names packages of ${name} that the lock here does not (${entry.slice(0, 19)})`,
      zh: `任务所用的 ${name} 的软件包不在此处的锁文件中（${entry.slice(0, 19)}）`,
    },
    {
      details: { environment: entry, lock: file },
      hint: {
        en: `Bring .agent/environments.lock.json of the machine that queued it here, or queue the job anew after \`skillwright prepare ${name}\`.`,
        zh: `请将提交任务的机器上的 .agent/environments.lock.json 带到此处，或在 \`skillwright prepare ${name}\` 之后重新提交任务。`,
      },
    },
  );
}
