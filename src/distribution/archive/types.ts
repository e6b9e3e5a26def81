// Every archive type there is. A type is one file, and an entry here.
import { zipArchive } from './archive.ts';
import { tarArchive } from './tar.ts';
import { type ArchiveFile, type ArchiveLimits, type ArchiveType, isNamedAs } from './type.ts';

const ARCHIVE_TYPES: readonly ArchiveType[] = [zipArchive, tarArchive];

/** As people are told them: `.zip`, … */
export const ARCHIVE_SUFFIXES: readonly string[] = ARCHIVE_TYPES.flatMap(({ suffixes }) => suffixes);

export function isArchiveName(name: string): boolean {
  return ARCHIVE_TYPES.some((type) => isNamedAs(type, name));
}

/** What nothing recognises is read as a zip file, which says what is wrong with it. */
export function openAnyArchive(bytes: Buffer, limits: ArchiveLimits): ArchiveFile[] {
  const type = ARCHIVE_TYPES.find((one) => one.recognises(bytes)) ?? zipArchive;
  return type.open(bytes, limits);
}
