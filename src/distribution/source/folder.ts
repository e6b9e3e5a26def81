// Skills from a folder: plain files only, never through a link, under the limits of archives.
import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { errorCode } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { compiledCode, inEntry } from '../archive/detail.ts';
import { checkName, isCompiled, refuseCollisions } from '../archive/name.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../archive/type.ts';
import { groupSkills, type Offer, type OfferedFile, type OfferedSkill, type WantedSkills } from './offer.ts';

/** Created by tools beside the work of an author, and never part of a skill. */
const LEFT_OUT = new Set(['.git', '__pycache__', '.DS_Store', 'Thumbs.db']);
const LOOKED_AT = 20_000;

export function openFolder(folder: string, wanted: WantedSkills): Offer {
  const files = listFiles(folder);
  const skills = nameFolders(groupSkills(files, wanted), path.resolve(folder));
  for (const skill of skills) checkFiles(skill);
  return { origin: { kind: 'folder', location: folder }, skills };
}

/** The skills with the names of their folders; `root` is the folder of a source that is one skill itself. */
export function nameFolders(skills: readonly OfferedSkill[], root: string): OfferedSkill[] {
  return skills.map((skill) => ({ ...skill, folderName: path.basename(skill.folder || root) }));
}

/** One skill, with everything in its folder. */
export function readSkillFolder(folder: string): OfferedSkill {
  const skill = { folder: '', files: listFiles(folder) };
  checkFiles(skill);
  return skill;
}

/** The limits of archives apply to every source: names, number and size of files, no compiled code. */
export function checkFiles({ files }: Pick<OfferedSkill, 'files'>, limits: ArchiveLimits = ARCHIVE_LIMITS): void {
  if (files.length > limits.entries)
    throw new Fault('ARCHIVE_LIMIT', {
      en: `${files.length} files, at most ${limits.entries}`,
      zh: `${files.length} 个文件，最多 ${limits.entries} 个`,
    });
  let total = 0;
  for (const { path: name, size } of files) {
    total += size;
    if (size > limits.fileBytes)
      throw new Fault(
        'ARCHIVE_LIMIT',
        inEntry(visible(name), { en: `a file of ${size} bytes`, zh: `文件大小为 ${size} 字节` }),
      );
    if (total > limits.totalBytes)
      throw new Fault('ARCHIVE_LIMIT', {
        en: `over ${limits.totalBytes} bytes in all`,
        zh: `总计超过 ${limits.totalBytes} 字节`,
      });
    if (isCompiled(name)) throw compiledCode(name);
  }
  refuseCollisions(files.map(({ path: name }) => ({ name, segments: checkName(name) })));
}

export function isLeftOut(name: string): boolean {
  return name.split('/').some((part) => LEFT_OUT.has(part));
}

function listFiles(root: string): OfferedFile[] {
  const found: OfferedFile[] = [];
  const folders = [''];
  let seen = 0;
  for (const folder of folders) {
    for (const entry of listEntries(path.join(root, folder))) {
      if (LEFT_OUT.has(entry.name)) continue;
      if (++seen > LOOKED_AT)
        throw new Fault(
          'ARCHIVE_LIMIT',
          inEntry(visible(root), { en: `over ${LOOKED_AT} files and folders`, zh: `文件与目录超过 ${LOOKED_AT} 个` }),
        );
      const inside = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(inside);
      else found.push(describe(root, inside, entry));
    }
  }
  return found;
}

function describe(root: string, inside: string, entry: Dirent): OfferedFile {
  const file = path.join(root, inside);
  // Refused only when it belongs to a skill that is wanted.
  if (!entry.isFile()) return { path: inside, executable: false, size: 0, read: () => refuse(inside) };
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return { path: inside, executable: false, size: 0, read: () => refuseMissing(inside) };
  const { size, mode } = stats;
  return { path: inside, executable: (mode & 0o111) !== 0, size, read: () => readPlain(file, inside, size) };
}

function readPlain(file: string, inside: string, size: number): Buffer {
  const descriptor = openPlain(file, inside);
  try {
    const content = readFileSync(descriptor);
    if (content.length !== size) throw new Fault('IntegrityMismatch', visible(inside));
    return content;
  } finally {
    closeSync(descriptor);
  }
}

function openPlain(file: string, inside: string): number {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
  } catch (error) {
    if (errorCode(error) !== 'ELOOP') throw error;
  }
  return refuse(inside);
}

function refuse(inside: string): never {
  throw new Fault('ARCHIVE_LINK', visible(inside));
}

/** A listed file that is missing was removed meanwhile, or its name is not valid text. */
function refuseMissing(inside: string): never {
  if (!inside.includes('\ufffd')) throw new Fault('IntegrityMismatch', visible(inside));
  throw new Fault(
    'ARCHIVE_COLLISION',
    inEntry(visible(inside), { en: 'a name that is no UTF-8', zh: '名称不是 UTF-8' }),
    {
      hint: { en: 'Give it another name.', zh: '请改用其他文件名。' },
    },
  );
}

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    if (folder.includes('\ufffd')) return refuseMissing(folder);
    throw new Fault('DataNotFound', visible(folder), { cause: error });
  }
}
