// Puts the signed pack of a role where other machines look for it, under the name of each digest jobs can be pinned to.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, removeTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { visible } from '../../base/text.ts';
import { isAddress, putPack } from '../../distribution/publish/location.ts';
import { archiveDigest, packRole } from '../../distribution/publish/role-pack.ts';
import { readPrivateKey } from '../../distribution/sign/key-store.ts';
import { signPack } from '../../distribution/sign/signature.ts';
import { requireRole } from '../../jobs/executor.ts';
import { type Pinnable, pinnablesOf } from '../../jobs/pin.ts';
import { digestIfSound } from '../../skill/digest.ts';
import type { Runtime } from '../runtime.ts';
import { unpackRole } from './fetch-pack.ts';
import { fetchedRoot } from './role-files.ts';

export interface PublishOrder {
  readonly role: string;
  /** The folder; `packs` of the user's settings unless given. */
  readonly to?: string | undefined;
  /** A key of the user's own, by its name. */
  readonly key: string;
}

export interface PublishedRole {
  readonly folder: string;
  readonly signer: string;
  readonly packs: readonly (Pinnable & { readonly path: string })[];
}

/** Throws a Fault for what no worker would take: nothing is put there then. */
export async function publishRole({ role: name, to, key }: PublishOrder, runtime: Runtime): Promise<PublishedRole> {
  runtime.requireConfig();
  const { home, clock, project } = runtime;
  const role = await requireRole(project, name);
  const folder = folderOf(to, runtime);
  const { id: signer } = readPrivateKey(home, key);
  const pinnables = pinnablesOf(role, digestIfSound);
  const bytes = packRole(role.folder);
  await requireSame(bytes, pinnables, runtime);
  const signature = signPack({ archive: archiveDigest(bytes), skills: pinnables }, home, key, clock.now());
  const packs = pinnables.map((one) => ({ ...one, path: putPack(folder, one.digest, { bytes, signature }) }));
  return { folder, signer, packs };
}

/** Throws a Fault where there is no folder to write to. */
function folderOf(written: string | undefined, { config }: Runtime): string {
  if (written !== undefined) return path.resolve(written);
  if (config.packs !== undefined && !isAddress(config.packs)) return config.packs;
  throw new Fault('Usage', {
    en:
      config.packs === undefined
        ? '--to is needed: your settings name no packs'
        : '--to is needed: packs is an address',
    zh: config.packs === undefined ? '需要 --to: 个人配置中没有 packs' : '需要 --to: packs 是一个地址',
  });
}

/** Unpacked as a worker does it, it must be what jobs are pinned to here. */
async function requireSame(bytes: Buffer, pinnables: readonly Pinnable[], { home, config }: Runtime): Promise<void> {
  makeFolder(fetchedRoot(home));
  const staged = path.join(fetchedRoot(home), `.new-${randomId()}`);
  try {
    const { digests } = await unpackRole(bytes, staged, config.security.vet);
    const other = pinnables.find(({ digest }) => !digests.includes(digest));
    if (other) throw leftOut(other.name);
  } finally {
    removeTree(staged);
  }
}

function leftOut(name: string): Fault {
  return new Fault(
    'IntegrityMismatch',
    { en: `${visible(name)} holds files that no pack has`, zh: `${visible(name)} 含有不能打包的文件` },
    {
      hint: {
        en: 'Remove __pycache__, .git and the like from agents/.',
        zh: '请从 agents/ 中移除 __pycache__、.git 等。',
      },
    },
  );
}
