// The two steps that a call of kind `prepare` has: asking the index what needs come to, and building what was locked.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { HostAttempt } from '../../network/attempt.ts';
import { resolveInterpreter } from '../../process/interpreter.ts';
import type { Limits } from '../../process/order.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import { openWorkFolder } from '../../process/work-folder.ts';
import { type IndexSettings, indexPlace } from '../index-place.ts';
import type { LockedEnvironment } from '../lock/lock-entry.ts';
import type { NeedSet } from '../need/need-set.ts';
import { resolveNode } from '../node/resolve.ts';
import { type Resolution, resolvePython } from '../python/resolve.ts';
import { storeFolder } from '../store/sound.ts';
import type { BuildBounds } from './bounds.ts';
import { type Built, buildEnvironment } from './build.ts';
import type { Workshop } from './workshop.ts';

/** What the machine and its user bring along. */
export interface PrepareSurroundings {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder of our own for what is remembered of interpreters and pipes. */
  readonly cache: string;
  readonly sandbox: Sandbox;
  readonly limits: Partial<Limits>;
  readonly settings: IndexSettings & BuildBounds & { readonly isolated: boolean };
  readonly network: Workshop['network'];
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
  readonly onAttempt: (attempt: HostAttempt) => void;
}

export async function resolveNeeds(needs: NeedSet, around: PrepareSurroundings): Promise<Resolution> {
  const index = indexPlace(needs.ecosystem, around.settings);
  return await inWorkshop(around, async (workshop) =>
    needs.ecosystem === 'node'
      ? await resolveNode(needs, index, npmSearch(around), workshop)
      : await resolvePython(needs, await pythonOf(around), index, workshop),
  );
}

export async function buildLocked(
  locked: LockedEnvironment,
  withoutScripts: boolean,
  around: PrepareSurroundings,
): Promise<Built> {
  const { ecosystem } = locked.entry;
  const interpreter = ecosystem === 'python' ? await pythonOf(around) : undefined;
  const order = {
    ...{ home: around.home, locked, withoutScripts, now: around.now, isolated: around.settings.isolated },
    ...{ index: indexPlace(ecosystem, around.settings), npm: npmSearch(around) },
    ...(interpreter && { interpreter }),
    ...(around.signal && { signal: around.signal }),
  };
  requireSandbox(around.sandbox);
  return await buildEnvironment(order, (folder) => workshopIn(folder, around));
}

export async function pythonOf({
  env,
  home,
  project,
  cache,
}: Pick<PrepareSurroundings, 'env' | 'home' | 'project' | 'cache'>) {
  return await resolveInterpreter('python', { path: env.PATH ?? '', home, project, cacheFolder: cache });
}

function npmSearch({ env, project }: PrepareSurroundings) {
  return { path: env.PATH ?? '', project };
}

async function inWorkshop<Result>(around: PrepareSurroundings, work: (workshop: Workshop) => Promise<Result>) {
  requireSandbox(around.sandbox);
  const { folder, close } = openWorkFolder(path.join(storeFolder(around.home), '.building'));
  try {
    return await work(workshopIn(folder, around));
  } finally {
    close();
  }
}

function workshopIn(folder: string, around: PrepareSurroundings): Workshop {
  const { sandbox, cache, env, limits, settings, network, signal, onAttempt } = around;
  return { sandbox, folder, cache, env, limits, bounds: settings, network, onAttempt, ...(signal && { signal }) };
}

/** Files of others are unpacked: never without walls. */
function requireSandbox({ can, tier }: Sandbox): void {
  if (can.files && can.calls) return;
  throw new Fault('PermissionDenied', {
    en: `environments are not built in sandbox ${tier}`,
    zh: `沙箱 ${tier} 中不构建环境`,
  });
}
