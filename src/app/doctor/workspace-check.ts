// How calls get a project they can write into here: tried, not guessed.
import path from 'node:path';
import { toFault } from '../../base/errors.ts';
import { makeFolder, removeTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { inLanguage, type Text } from '../../base/language.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import type { Runtime } from '../runtime.ts';
import type { MachineCheck } from './machine.ts';

export async function checkWorkspace(sandbox: Sandbox | undefined, runtime: Runtime): Promise<MachineCheck> {
  const why = sandbox?.layers ? await whyNoOverlay(sandbox.layers, runtime) : NO_MOUNTS;
  const detail = why === undefined ? OVERLAY : copied(why);
  return {
    name: 'workspace',
    ok: why === undefined,
    needed: false,
    detail: inLanguage(detail, runtime.language),
  };
}

const OVERLAY: Text = {
  en: 'overlay: calls write into a layer over the project',
  zh: 'overlay: 调用写入覆盖在项目上的层',
};
const NO_MOUNTS: Text = { en: 'this tier mounts nothing', zh: '此沙箱级别无法挂载' };

function copied(why: Text): Text {
  return {
    en: `copy: calls work on a copy of the project (${why.en})`,
    zh: `copy: 调用在项目的副本上工作（${why.zh}）`,
  };
}

/** Mounts one over this very project: the disks of both have a say. */
async function whyNoOverlay(
  mounts: NonNullable<Sandbox['layers']>,
  { home, project, config }: Runtime,
): Promise<Text | undefined> {
  const { mountOverlay } = await import('../../workspace/overlay.ts');
  const folder = absolutePath(path.join(home, '.agent', 'cache', `workspace-${randomId()}`));
  try {
    makeFolder(folder);
    const layer = await mountOverlay({ folder, project, own: [], bounds: config.workspace }, mounts);
    await layer.close();
    return undefined;
  } catch (error) {
    return toFault(error).sentence;
  } finally {
    removeTree(folder);
  }
}
