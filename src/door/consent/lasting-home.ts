// The home of a skill that lasts: below Skillwright's own folder, for one skill of one place, used by one call at a time.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import { type AbsolutePath, absolutePath } from '../../base/value/absolute-path.ts';
import { tryLock } from '../../store/sqlite/lock.ts';
import { HOME_PARTS, type HomeOwner, homeFolder } from './home-place.ts';
import { removeStartFiles } from './start-file.ts';

export interface LastingHome extends Disposable {
  readonly folder: AbsolutePath;
}

const RETRY_MS = 50;

/** Waits while another call is in it, at most as long as the call itself may take. */
export async function openHome(
  homes: string,
  owner: HomeOwner,
  { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
): Promise<LastingHome> {
  const folder = homeFolder(homes, owner);
  const home = absolutePath(path.join(folder, HOME_PARTS.home));
  makeFolder(home);
  const release = await lockWithin(path.join(folder, HOME_PARTS.lock), waitMs, signal);
  if (!release) throw inUse(owner);
  try {
    writeFileAtomic(path.join(folder, HOME_PARTS.owner), JSON.stringify(owner));
    removeStartFiles(home);
  } catch (error) {
    release();
    throw error;
  }
  return { folder: home, [Symbol.dispose]: release };
}

async function lockWithin(
  file: string,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<(() => void) | undefined> {
  const end = Date.now() + waitMs;
  for (;;) {
    const release = tryLock(file);
    if (release || Date.now() >= end || signal?.aborted) return release;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function inUse({ skill }: HomeOwner): Fault {
  const shown = visible(skill);
  return new Fault(
    'Conflict',
    { en: `another call works in the home of ${shown}`, zh: `另一调用正在使用 ${shown} 的主目录` },
    {
      hint: {
        en: 'Wait for it, or stop it. A home that lasts is for one call at a time.',
        zh: '请等待其结束或将其停止。保留的主目录同一时间只供一个调用使用。',
      },
    },
  );
}
