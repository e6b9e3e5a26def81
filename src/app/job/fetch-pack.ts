// Brings the pack of a digest to this machine: signed by a trusted key, vetted, and exactly those files. Runs none of it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, nameFolder, removeTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import { gravestWith, type VetPolicy } from '../../config/vet-policy.ts';
import { findPack } from '../../distribution/publish/location.ts';
import { requireSigner, stageRole } from '../../distribution/publish/role-pack.ts';
import { openKeyStore } from '../../distribution/sign/key-store.ts';
import type { Vetting } from '../../distribution/vet/vet.ts';
import type { Runtime } from '../runtime.ts';
import { digestsIn, fetchedFolder, fetchedRoot, rememberSigner } from './role-files.ts';

export interface Fetched {
  readonly role: string;
  /** Who signed it. */
  readonly signer: string;
}

/** Undefined where the settings name no place for packs, or there is none of it. Throws a Fault for one that is refused. */
export async function fetchPack(
  { home, config }: Runtime,
  digest: Digest,
  stop?: AbortSignal,
): Promise<Fetched | undefined> {
  const pack = config.packs === undefined ? undefined : await findPack(config.packs, digest, stop);
  if (!pack) return undefined;
  const signer = requireSigner(pack, openKeyStore(home));
  makeFolder(fetchedRoot(home));
  const staged = path.join(fetchedRoot(home), `.new-${randomId()}`);
  try {
    const { role, digests } = await unpackRole(pack.bytes, staged, config.security.vet);
    if (!digests.includes(digest)) throw otherFiles(role);
    rememberSigner(staged, signer);
    nameFolder(staged, fetchedFolder(home, digest));
    return { role, signer };
  } finally {
    removeTree(staged);
  }
}

/** The folder with the files of this digest, fetched where they are not here yet. Throws a Fault where they cannot be had. */
export async function requireFetched(runtime: Runtime, digest: Digest): Promise<string> {
  const folder = fetchedFolder(runtime.home, digest);
  if (existsSync(folder) || (await fetchPack(runtime, digest))) return folder;
  const { packs } = runtime.config;
  const hint = { en: '`skillwright jobs publish` puts one there.', zh: '`skillwright jobs publish` 可发布。' };
  const detail =
    packs === undefined
      ? { en: 'your settings name no packs to fetch from', zh: '个人配置中没有获取包的 packs' }
      : { en: `no pack of ${digest} in ${visible(packs)}`, zh: `${visible(packs)} 中没有 ${digest} 的包` };
  throw new Fault('DataNotFound', detail, { hint });
}

/** Into a folder that is not there yet. Throws a Fault for what no worker takes without a person. */
export async function unpackRole(
  bytes: Buffer,
  folder: string,
  policy: VetPolicy,
): Promise<{ readonly role: string; readonly digests: readonly string[] }> {
  const { role, vetting } = stageRole(bytes, folder);
  refuseGrave(vetting, policy);
  return { role, digests: await digestsIn(folder) };
}

/** Nobody is there to answer what only a person may; milder findings are accepted, since the user chose the place and trusts the key. */
function refuseGrave({ findings }: Vetting, policy: VetPolicy): void {
  const found = findings.map(({ severity }) => severity);
  const grave = gravestWith('refuse', found, policy) ?? gravestWith('person', found, policy);
  if (!grave) return;
  const { file, says } = findings.find(({ severity }) => severity === grave) ?? { file: '', says: { en: '', zh: '' } };
  throw new Fault('PermissionDenied', {
    en: `findings of severity ${grave} need a person: ${file}: ${says.en}`,
    zh: `${grave} 级别的发现须由人决定: ${file}: ${says.zh}`,
  });
}

function otherFiles(role: string): Fault {
  return new Fault('IntegrityMismatch', {
    en: `the pack holds other files of ${role} than its name says`,
    zh: `包中 ${role} 的文件与其名称不符`,
  });
}
