// Where machines share packs: a folder or an address, in which the digest of a job names the file.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { type Digest, digestName } from '../../base/value/digest.ts';
import { type ReadArchive, readArchiveFile } from '../source/archive.ts';
import { downloadIfThere } from '../source/download.ts';

export function isAddress(location: string): boolean {
  return /^https?:\/\//i.test(location);
}

/** Undefined where there is none. */
export async function findPack(location: string, digest: Digest, stop?: AbortSignal): Promise<ReadArchive | undefined> {
  const name = `${digestName(digest)}.zip`;
  return isAddress(location) ? await downloadPack(location, name, stop) : readPack(path.join(location, name));
}

/** The signature is written last: a reader in between finds a pack that is not signed yet. */
export function putPack(folder: string, digest: Digest, { bytes, signature }: Required<ReadArchive>): string {
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
