// Does it: the approved bytes, in the sandbox, within limits; results come out through the path guard.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder } from '../base/files.ts';
import { findHiddenFiles } from '../base/hidden-files.ts';
import { type CopyReport, copyOut } from '../process/copy-out.ts';
import { buildEnvironment } from '../process/environment.ts';
import { defaultLimits, withOwnLimits } from '../process/limits.ts';
import type { Ended, Order, Tier } from '../process/order.ts';
import { runProcess } from '../process/run.ts';
import { type Snapshot, takeSnapshot } from '../process/snapshot.ts';
import { openWorkFolder } from '../process/work-folder.ts';
import type { Door } from './door.ts';
import { startWords } from './start-words.ts';
import type { Work } from './work.ts';

export interface Executed {
  readonly ended: Ended;
  readonly outputs: CopyReport;
  readonly tier: Tier;
  readonly notEnforced: readonly string[];
}

export async function execute(work: Work, secrets: Readonly<Record<string, string>>, door: Door): Promise<Executed> {
  const sandbox = await door.sandbox();
  const snapshot = work.skill && takeSnapshot(work.skill.folder, snapshotOptions(work, door));
  makeFolder(door.folders.work);
  const folder = openWorkFolder(door.folders.work);
  try {
    const output = path.join(folder.folder, 'output');
    makeFolder(output);
    const order = await buildOrder(work, snapshot, folder.folder, secrets, door);
    const launch = sandbox.prepare(order);
    const ended = await runProcess(launch, {
      timeoutMs: order.timeoutMs,
      stdin: order.stdin ?? '',
      inputFolder: folder.folder,
      signal: door.signal,
      onProgress: door.onProgress,
    });
    const outputs = copyOut({ from: output, to: door.folders.output, root: door.places.project });
    return { ended, outputs, tier: launch.tier, notEnforced: launch.notEnforced };
  } finally {
    folder.close();
  }
}

function snapshotOptions({ digest, seconds }: Work, door: Door) {
  return { store: door.folders.snapshots, expectedDigest: digest, holdMs: seconds * 1000, now: door.clock.now() };
}

async function buildOrder(
  work: Work,
  snapshot: Snapshot | undefined,
  folder: string,
  secrets: Readonly<Record<string, string>>,
  door: Door,
): Promise<Order> {
  const { project } = door.places;
  const timeoutMs = work.seconds * 1000;
  const started = await startWords(work, snapshot, door);
  const { env, refused } = buildEnvironment({
    host: door.env,
    work: folder,
    secrets,
    debug: door.debug ?? false,
    programs: started.programs,
  });
  if (refused.length > 0)
    throw new Fault('PermissionDenied', {
      en: `${refused.join(', ')} may not be set for a skill`,
      zh: `不允许为技能设置 ${refused.join(', ')}`,
    });
  return {
    argv: started.argv,
    cwd: work.cwd === 'work' ? folder : project,
    env,
    view: {
      work: folder,
      ...(work.skill && snapshot && { skill: { at: work.skill.folder, from: snapshot.folder } }),
      project: { folder: project, hide: findHiddenFiles(project), writable: work.writes },
      readOnly: [...started.readOnly, ...door.runtimes],
      writable: [],
    },
    network: work.network,
    limits: withOwnLimits(defaultLimits(timeoutMs), door.limits),
    timeoutMs,
    ...(work.stdin !== undefined && { stdin: work.stdin }),
  };
}
