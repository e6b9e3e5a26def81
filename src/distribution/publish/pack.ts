// Packs several skills into one reproducible zip file: the same bytes on every day and from every folder; no secrets.

import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../../base/files.ts';
import { isHiddenFile } from '../../base/hidden-files.ts';
import { visible } from '../../base/text.ts';
import { type Digest, makeDigest } from '../../base/value/digest.ts';
import { ARCHIVE_LIMITS } from '../archive/type.ts';
import { writeZip, type ZipEntry } from '../archive/zip-writer.ts';
import { checkFiles, readSkillFolder } from '../source/folder.ts';
import type { OfferedSkill } from '../source/offer.ts';
import { readOffered } from '../source/offered-skill.ts';
import { digestOffered } from '../stage.ts';
import { MANIFEST_NAME, type ManifestSkill, renderManifest } from './manifest.ts';

// A key under another name; in the middle of a text it is an example.
const PRIVATE_KEY = /^\s*-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

export interface PackOptions {
  readonly blockAngleBrackets: boolean;
  /** One skill alone, as `.skill` files have it: without the list of files. */
  readonly single?: boolean;
}

export interface Packed {
  readonly bytes: Buffer;
  readonly digest: Digest;
  readonly skills: readonly ManifestSkill[];
}

export function packSkills(folders: readonly string[], options: PackOptions): Packed {
  const entries: ZipEntry[] = [];
  const skills = folders.map((folder): ManifestSkill => {
    const offered = readSkillFolder(folder);
    const { manifest, folderName } = readOffered({ ...offered, folder: path.basename(folder) }, options);
    const held = holdContents(offered);
    refuseSecrets(held, folderName);
    for (const { path: inside, executable, read } of held.files)
      entries.push({ name: `${folderName}/${inside}`, content: read(), executable });
    const { name, version } = manifest;
    return { name, folder: folderName, ...(version !== undefined && { version }), ...digestOffered(held) };
  });
  if (options.single !== true)
    entries.push({ name: MANIFEST_NAME, content: Buffer.from(renderManifest(skills)), executable: false });
  checkPack(entries, skills, options);
  const bytes = writeZip(entries);
  return { bytes, digest: makeDigest(bytes), skills };
}

export function writePack(file: string, { bytes }: Packed): void {
  makeFolder(path.dirname(file), 0o755);
  writeFileAtomic(file, bytes, { mode: 0o644 });
}

/** What is hashed is what is packed, whatever happens to the folder meanwhile. */
export function holdContents(offered: OfferedSkill): OfferedSkill {
  const files = offered.files.map((file) => {
    const content = file.read();
    return { ...file, size: content.length, read: () => content };
  });
  return { ...offered, files };
}

/** Throws a Fault that names the files. */
export function refuseSecrets({ files }: OfferedSkill, name: string): void {
  const secret = files
    .filter((file) => isHiddenFile(file.path) || PRIVATE_KEY.test(file.read().toString('latin1', 0, 100)))
    .map(({ path: inside }) => inside);
  if (secret.length === 0) return;
  throw new Fault('PathBlocked', visible(secret.map((inside) => `${name}/${inside}`).join(', ')), {
    details: { files: secret },
    hint: {
      en: 'These look like secrets. Move them out of the skill, and declare their names under `secrets` instead.',
      zh: '这些文件疑似机密。请移出技能目录，并改为在 `secrets` 中声明名称。',
    },
  });
}

/** A pack that our own installer would refuse is not written. */
function checkPack(entries: readonly ZipEntry[], skills: readonly ManifestSkill[], { single }: PackOptions): void {
  if (single === true && skills.length !== 1)
    throw new Fault('Usage', { en: 'a .skill file holds exactly one skill', zh: '.skill 文件只能包含一个技能' });
  checkFiles(
    {
      files: entries.map(({ name, content, executable }) => ({
        path: name,
        size: content.length,
        executable,
        read: () => Buffer.alloc(0),
      })),
    },
    ARCHIVE_LIMITS,
  );
}
