// Skills from an archive: several folders in a pack, or one skill in a `.skill` file.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { errorCode, readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { ARCHIVE_LIMITS } from '../archive/type.ts';
import { openAnyArchive } from '../archive/types.ts';
import { MANIFEST_NAME, readManifest } from '../publish/manifest.ts';
import { groupSkills, type Offer, type OfferedFile, type OfferedSkill, type WantedSkills } from './offer.ts';

/** Nothing larger than this could pass: everything stored uncompressed, with headers of the longest names. */
const FILE_LIMIT = ARCHIVE_LIMITS.totalBytes + 8 * 1024 * 1024;
const SIGNATURE_LIMIT = 64 * 1024;

export interface ReadArchive {
  readonly bytes: Buffer;
  /** The file beside it with its name and `.sig`. */
  readonly signature?: string;
}

export function readArchiveFile(file: string): ReadArchive {
  const bytes = readBounded(file);
  const signature = readSignature(`${file}.sig`);
  return { bytes, ...(signature !== undefined && { signature }) };
}

export function openArchiveFile(file: string, wanted: WantedSkills): Offer {
  const { bytes, signature } = readArchiveFile(file);
  const offer = openArchiveBytes(bytes, { kind: 'archive', location: file }, wanted);
  return { ...offer, ...(signature !== undefined && { signed: { bytes, signature } }) };
}

// An existing signature that cannot be read is not the same as none.
function readSignature(file: string): string | undefined {
  try {
    return readTextIfThere(file)?.slice(0, SIGNATURE_LIMIT);
  } catch (error) {
    throw new Fault('SignatureRefused', visible(`${file}: ${errorCode(error) ?? 'unreadable'}`), { cause: error });
  }
}

export function openArchiveBytes(
  bytes: Buffer,
  at: { readonly kind: 'archive' | 'index'; readonly location: string },
  { names }: WantedSkills,
): Offer {
  const files = openAnyArchive(bytes, ARCHIVE_LIMITS).map(
    ({ name, executable, size, read }): OfferedFile => ({ path: name, executable, size, read }),
  );
  const listed = files.find(({ path }) => path === MANIFEST_NAME);
  const manifest = listed && readManifest(listed.read().toString('utf8'));
  const skills = groupSkills(files, { names });
  const empty = names.length === 0 ? emptyFolders(files, skills) : [];
  return {
    origin: { ...at, digest: `sha256:${sha256(bytes)}` },
    skills: [...skills, ...empty],
    ...(manifest && { manifest }),
  };
}

/** In a pack of skills every folder beside them is meant as one, too: without SKILL.md it is damaged, not unsaid. */
function emptyFolders(files: readonly OfferedFile[], skills: readonly OfferedSkill[]): OfferedSkill[] {
  const good = skills.map(({ folder }) => folder);
  if (!good.some((folder) => folder !== '' && !folder.includes('/'))) return [];
  const holds = (top: string) => good.some((folder) => folder === top || folder.startsWith(`${top}/`));
  const tops = new Set(files.flatMap(({ path }) => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])));
  const empty = [...tops].filter((top) => !NO_SKILLS.test(top) && !holds(top));
  return empty.map((folder) => ({
    folder,
    files: files
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map((file) => ({ ...file, path: file.path.slice(folder.length + 1) })),
  }));
}

// What packing programs and repositories leave beside the skills.
const NO_SKILLS = /^(?:\.|__)/;

/** The bytes that are judged are the bytes that are unpacked: one read, through one descriptor. */
function readBounded(file: string): Buffer {
  const descriptor = open(file);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Fault('ARCHIVE_FORMAT', visible(file));
    if (stats.size > FILE_LIMIT) throw new Fault('ARCHIVE_LIMIT', `${visible(file)}: ${stats.size} bytes`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function open(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new Fault('DataNotFound', visible(file), { cause: error });
    throw error;
  }
}
