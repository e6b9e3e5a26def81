// Where machines share packs: a folder or an address, in which the digest of a job names the file.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import { type ReadArchive, readArchiveFile } from '../source/archive.ts';
import { downloadIfThere } from '../source/download.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** As a name of files and folders. Throws a Fault for anything but a digest: it may come from a shared queue. */
export function digestName(digest: string): string {
  const [, hex] = DIGEST.exec(digest) ?? [];
  if (hex === undefined)
    throw new Fault('ParamInvalid', { en: `no digest: ${visible(digest)}`, zh: `不是摘要: ${visible(digest)}` });
  return hex;
}

export function isAddress(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Undefined where there is none. */
export async function findPack(location: string, digest: string, stop?: AbortSignal): Promise<ReadArchive | undefined> {
  const name = `${digestName(digest)}.zip`;
  return isAddress(location) ? await downloadPack(location, name, stop) : readPack(path.join(location, name));
}

/** The signature is written last: a reader in between finds a pack that is not signed yet. */
export function putPack(folder: string, digest: string, { bytes, signature }: Required<ReadArchive>): string {
  const file = path.join(folder, `${digestName(digest)}.zip`);
  makeFolder(folder, 0o755);
  writeFileAtomic(file, bytes, { mode: 0o644 });
  writeFileAtomic(`${file}.sig`, signature, { mode: 0o644 });
  return file;
}

function readPack(file: string): ReadArchive | undefined {
  return existsSync(file) ? readArchiveFile(file) : undefined;
}

async function downloadPack(location: string, name: string, stop?: AbortSignal): Promise<ReadArchive | undefined> {
  const url = `${location.replace(/\/+$/, '')}/${name}`;
  const bytes = await downloadIfThere(url, 'private', stop);
  if (!bytes) return undefined;
  const signature = (await downloadIfThere(`${url}.sig`, 'private', stop))?.toString('utf8');
  return { bytes, ...(signature !== undefined && { signature }) };
}
